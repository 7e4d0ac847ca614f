public import LosslessJSON

/// The merge of two documents as two devices of a household would merge them; pure.
///
/// With an ancestor, both sides started from it: what each changed since is taken together under the rules. Without
/// one, both are taken up as copies of one profile that went apart: the larger of two counters counts (never their
/// sum), and of two other values the one from the document that was changed last.
///
/// Who wins is decided by the rules alone. Where a rule asks for the last writer (`latest`), that is the side with the
/// later time; at equal times, B. What is `local` stays as it is in A: it belongs to the machine, and A is the document
/// of this one.
///
/// The result is A's text with only those bytes changed that have to be, so its layout and spelling stay. Where only B
/// spelled a number anew (`1.0` for `1`), B's spelling is taken, so that an ancestor merged with its descendant gives
/// the descendant.
///
/// Both orders of the sides give the same values wherever the times differ, and arrays in the same order, up to what is
/// `local` and to spelling. What a rule cannot read is left out of this: it stays as it is in A.
///
/// The order of sets, unions and keyed arrays merges like a value of each element: where one side moved an element, it
/// stands there; what both added comes in one order. Without an ancestor, what both hold stands as in the document that
/// was changed last.
///
/// A side that holds less than the ancestor may be an old copy or an empty state: what such a save means follows the
/// list of ``SaveMeaning``, as between devices. Of a side that is a question only that is taken by which nothing can be
/// lost; ``ThreeWayMerge/questions`` names it.
///
/// ```swift
/// let merge = try ThreeWayMerge(
///     a: .init(laptop, time: 1_000), b: .init(desktop, time: 2_000), base: .init(common, time: 0), rules: rules)
/// // {"coins": 100} that became 120 here and 130 there, under `/coins: counter`: {"coins": 150}
/// ```
public struct ThreeWayMerge: Sendable {
    /// One of the documents.
    public struct Side: Sendable {
        /// The parsed file.
        public var document: JSONDocument
        /// When it was last changed, milliseconds since 1970. Only `latest` looks at it.
        public var time: Int64

        /// A document and when it was last changed, milliseconds since 1970.
        public init(_ document: JSONDocument, time: Int64) {
            self.document = document
            self.time = time
        }
    }

    /// A side of which only a person can say what it means.
    public struct Question: Hashable, Sendable, CustomStringConvertible {
        /// Which side.
        public enum Side: String, Hashable, Sendable, CaseIterable {
            /// The document of this machine.
            case a = "A"
            /// The other document.
            case b = "B"
        }

        /// Which side it is about.
        public let side: Side
        /// Why it is asked.
        public let doubt: SaveMeaning.Doubt
        /// What it holds less of than the ancestor.
        public let lowered: [SaveMeaning.Lowered]

        /// For people: `A holds less than the base (only lost: /best); of it only gains were taken`.
        public var description: String {
            let places = lowered.isEmpty ? "" : ": \(lowered.prefix(5).map { "\($0.path)" }.joined(separator: ", "))"
            return "\(side.rawValue) holds less than the base (\(doubt.rawValue)\(places)); of it only gains were taken"
        }
    }

    /// Why two documents cannot be merged: one sentence.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence, for people.
        public let description: String
    }

    /// The merged document as text.
    public let bytes: [UInt8]
    /// Places whose value a rule could not read, in A or B, each named once. What A holds there stays as it is; what B
    /// holds there counts for nothing.
    public let unreadable: [UnreadableLeaf]
    /// The sides of which only a person can say what they mean; A first. Without an ancestor there are none.
    public let questions: [Question]
    /// What the sides hold less of than their rules keep, though they were played: A's first.
    public let lowered: [SaveMeaning.Lowered]
    /// Places that both sides changed, and not both to what the result holds, by path.
    public let decisions: [Decision]

    /// Merges.
    ///
    /// - Parameters:
    ///   - a: The document of this machine, whose text the result keeps.
    ///   - b: The other document.
    ///   - base: What both came from; `nil` where that is not known.
    ///   - rules: How places merge.
    /// - Throws: ``Fault`` where the rules cannot be used, or the result would not fit into A's text.
    /// - Complexity: O(size of the documents), and O(n log n) in what changed.
    public init(a: Side, b: Side, base: Side?, rules: RuleSet) throws(Fault) {
        try self.init(a: a, b: b, base: base, rules: rules, isPlay: false)
    }

    /// The same.
    ///
    /// - Parameter isPlay: Both sides are known to have been played on from the ancestor: nothing is a question.
    package init(a: Side, b: Side, base: Side?, rules: RuleSet, isPlay: Bool) throws(Fault) {
        // Of plain files the version is a value like any other: there is no game here that it speaks for.
        let rules = rules.unversioned
        var common = ProfileState()
        let start = Self.context(0, time: base?.time ?? 0, base: VersionVector())
        _ = common.changeRules(to: rules, document: nil, start)
        if let fault = common.rulesHeld { throw Fault(description: "the rules cannot be used: \(fault)") }
        if let base { _ = common.adopt(base.document, start) }

        var (first, second) = (common, common)
        let diffs = base.map { base in
            [a, b].map { DocumentDiff(from: base.document, to: $0.document, rules: common.rules) }
        }
        let meanings = isPlay ? nil : Self.meanings(diffs, base, common.rules)
        // The later one has the larger replica, whichever argument it is.
        let (isLater, replicas): (Bool, (UInt64, UInt64)) = a.time > b.time ? (true, (2, 1)) : (false, (1, 2))
        let left = Self.take(a, diffs?[0], meanings?[0], into: &first, replica: replicas.0)
        let right = Self.take(b, diffs?[1], meanings?[1], into: &second, replica: replicas.1)
        questions = zip(Question.Side.allCases, meanings ?? []).compactMap { side, meaning in
            meaning.doubt.map { Question(side: side, doubt: $0, lowered: meaning.lowered) }
        }
        lowered = (meanings ?? []).filter { !$0.isQuestion }.flatMap(\.lowered)
        _ = first.join(second)
        if base == nil {
            let later = isLater ? a : b
            first.takeOrder(of: later.document, Self.context(2, time: later.time, base: first.vector))
        }

        let result: JSONDocument
        do {
            let kept = Set(PlaceTree(left.unreadable.map(\.path)).nodes(of: a.document, rules).values)
            let edits = Projection(of: first, onto: a.document).edits.filter { edit in
                switch edit {
                case .replace(let node, _), .remove(let node): !kept.contains(node)
                default: true
                }
            }
            let merged = try a.document.patched(edits)
            result = try Self.respelled(merged, a: a.document, b: b.document, base: base?.document)
        } catch {
            throw Fault(description: "the merged values do not fit into the first file: \(error)")
        }
        bytes = result.bytes
        var seen = Set<UnreadableLeaf>()
        unreadable = (left.unreadable + right.unreadable).filter { seen.insert($0).inserted }
        let changes = BothChanged(left.changes, right.changes, a: a.document, b: b.document, rules: rules)
        decisions = changes.decisions(a: a.document, b: b.document, base: base?.document, merged: result, rules: rules)
    }

    /// Writes down what one side did. Returns what it changed (`nil` without an ancestor), and what a rule could not
    /// read.
    private static func take(
        _ side: Side,
        _ diff: DocumentDiff?,
        _ meaning: SaveMeaning?,
        into state: inout ProfileState,
        replica: UInt64
    ) -> (changes: [LeafChange]?, unreadable: [UnreadableLeaf]) {
        let context = context(replica, time: side.time, base: state.vector)
        guard let diff else { return (nil, state.adopt(side.document, context).unreadable) }
        let changes = meaning?.isQuestion == true ? state.safeGains(of: diff) : diff.writes
        return (diff.changes, diff.unreadable + state.write(changes, context).unreadable)
    }

    /// What each side means beside the ancestor. A counter was spent where either side holds less of it.
    private static func meanings(_ diffs: [DocumentDiff]?, _ base: Side?, _ rules: RuleSet) -> [SaveMeaning]? {
        guard let diffs, let base else { return nil }
        let spent = Set(diffs.flatMap { $0.changes.filter(\.isSpending).map(\.path) })
        return diffs.map { SaveMeaning($0, of: base.document, rules: rules, wasSpent: spent.contains) }
    }

    private static func context(_ replica: UInt64, time: Int64, base: VersionVector) -> WriteContext {
        WriteContext(replica: ReplicaID(high: 0, low: replica + 1), now: time, fileTime: time, base: base)
    }

    private static func respelled(
        _ merged: [UInt8],
        a: JSONDocument,
        b: JSONDocument,
        base: JSONDocument?
    ) throws -> JSONDocument {
        let document = try JSONDocument(parsing: merged)
        guard let base else { return document }
        let edits = Respelling(of: document, a: a, b: b, base: base).edits
        return edits.isEmpty ? document : try JSONDocument(parsing: document.patched(edits))
    }
}
