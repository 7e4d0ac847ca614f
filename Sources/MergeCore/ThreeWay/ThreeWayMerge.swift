public import LosslessJSON

/// A merge of two documents, with the result that two devices of a household would get. It is pure: no files, no clock.
///
/// With an ancestor, both sides started from it, and the changes of both are merged under the rules. Without one, both
/// are merged as copies of one profile that were changed independently: the larger of two counters counts (never their
/// sum), and of two other values the one from the document that was changed last.
///
/// The rules alone decide which value wins. Where a rule asks for the last writer (`latest`), that is the side with the
/// later time; at equal times, B. A `local` value stays as it is in A: it belongs to the machine, and A is the document
/// of this machine.
///
/// The result is A's text with only the necessary bytes changed, so that its layout and spelling stay. If only B wrote
/// a number with another text (`1.0` for `1`), B's text is taken. So an ancestor merged with its descendant gives the
/// descendant.
///
/// Swapping the sides gives the same values, and arrays in the same order, if the times differ. Exceptions are `local`
/// values and spelling. A value that its rule cannot read is an exception too: it stays as it is in A.
///
/// The order of sets, unions and keyed arrays is merged as if it were a value of each element. An element that one side
/// moved is where that side put it. Elements that both sides added come in one fixed order. Without an ancestor, the
/// elements that both hold are in the order of the document that was changed last.
///
/// A side that holds less than the ancestor may be an old copy or an empty state. Its meaning follows the list of
/// ``SaveMeaning``, as between devices. If only a person can decide, just the changes that cannot lose anything are
/// taken from that side, and ``ThreeWayMerge/questions`` names it.
///
/// ```swift
/// let merge = try ThreeWayMerge(
///     a: .init(laptop, time: 1_000), b: .init(desktop, time: 2_000), base: .init(common, time: 0), rules: rules)
/// // {"coins": 100} that became 120 here and 130 there, under `/coins: counter`: {"coins": 150}
/// ```
public struct ThreeWayMerge: Sendable {
    /// One of the documents to merge.
    public struct Side: Sendable {
        /// The parsed file.
        public var document: JSONDocument
        /// The date at which it was last changed.
        public var time: WallTime

        /// Makes a side from a document and the date at which it was last changed.
        public init(_ document: JSONDocument, time: WallTime) {
            self.document = document
            self.time = time
        }
    }

    /// A question about a side whose meaning only a person can tell.
    public struct Question: Hashable, Sendable, CustomStringConvertible {
        /// The name of a side.
        public enum Side: String, Hashable, Sendable, CaseIterable {
            /// The document of this machine.
            case a = "A"
            /// The other document.
            case b = "B"
        }

        /// The side that the question is about.
        public let side: Side
        /// The reason for the question.
        public let doubt: SaveMeaning.Doubt
        /// The places at which the side holds less than the ancestor.
        public let lowered: [SaveMeaning.Lowered]

        /// A sentence for people: `A holds less than the base (only lost: /best); of it only gains were taken`.
        public var description: String {
            let places = lowered.isEmpty ? "" : ": \(lowered.prefix(5).map { "\($0.path)" }.joined(separator: ", "))"
            return "\(side.rawValue) holds less than the base (\(doubt.rawValue)\(places)); of it only gains were taken"
        }
    }

    /// The reason why two documents cannot be merged, in one sentence.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence, for people.
        public let description: String
    }

    /// The merged document as text.
    public let bytes: [UInt8]
    /// Places whose value a rule could not read, in A or B, each place and reason once. A's value there stays as it is;
    /// B's value there is ignored.
    public let unreadable: [UnreadableLeaf]
    /// The sides whose meaning only a person can tell; A first. Without an ancestor there are none.
    public let questions: [Question]
    /// Places where a side holds less than its rule keeps, though the side was played; A's places first.
    public let lowered: [SaveMeaning.Lowered]
    /// Places that both sides changed, except where both changed them to the value of the result; ordered by path.
    public let decisions: [Decision]

    /// Merges two documents.
    ///
    /// - Parameters:
    ///   - a: The document of this machine, whose text the result keeps.
    ///   - b: The other document.
    ///   - base: The document that both came from; `nil` where it is not known.
    ///   - rules: The rules that say how places merge.
    /// - Throws: ``Fault`` where the rules cannot be used, or the result would not fit into A's text.
    /// - Complexity: O(size of the documents), and O(n log n) in what changed.
    public init(a: Side, b: Side, base: Side?, rules: RuleSet) throws(Fault) {
        try self.init(a: a, b: b, base: base, rules: rules, isPlay: false)
    }

    /// Merges two documents, as the public initializer does.
    ///
    /// - Parameter isPlay: Whether both sides are known to be played on from the ancestor. Then there are no questions.
    package init(a: Side, b: Side, base: Side?, rules: RuleSet, isPlay: Bool) throws(Fault) {
        // In plain files the version is a value like any other, because no game reads it here.
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
        // The side with the later time gets the larger replica id, whichever argument it is.
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

    /// Writes the changes of one side into a state. Returns the changes (`nil` without an ancestor), and the values
    /// that a rule could not read.
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

    /// The meaning of each side compared with the ancestor. A counter counts as spent if either side holds less of it.
    private static func meanings(_ diffs: [DocumentDiff]?, _ base: Side?, _ rules: RuleSet) -> [SaveMeaning]? {
        guard let diffs, let base else { return nil }
        let spent = Set(diffs.flatMap { $0.changes.filter(\.isSpending).map(\.path) })
        return diffs.map { SaveMeaning($0, of: base.document, rules: rules, wasSpent: spent.contains) }
    }

    private static func context(_ replica: UInt64, time: WallTime, base: VersionVector) -> WriteContext {
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
