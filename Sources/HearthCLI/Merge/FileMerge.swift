package import LosslessJSON
package import MergeCore

/// Why two files cannot be merged: one sentence.
package struct FileMergeFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// The merge of two files as two devices of a household would merge them; pure.
///
/// With an ancestor, both sides started from it: what each changed since is taken together under the rules. Without
/// one, both are taken up as copies of one profile that went apart: the larger of two counters counts (never their
/// sum), and of two other values the one from the file that was changed last.
///
/// Who wins is decided by the rules alone. Where a rule asks for the last writer (`latest`), that is the file with the
/// later time; at equal times, B. What is `local` stays as it is in A: it belongs to the machine, and A is the file of
/// this one.
///
/// The result is A's text with only those bytes changed that have to be, so its layout and spelling stay. Where only B
/// spelled a number anew (`1.0` for `1`), B's spelling is taken, so that an ancestor merged with its descendant gives
/// the descendant.
package struct FileMerge: Sendable {
    /// One of the files.
    package struct Side: Sendable {
        package var document: JSONDocument
        /// When the file was last changed, milliseconds since 1970.
        package var time: Int64

        package init(_ document: JSONDocument, time: Int64) {
            self.document = document
            self.time = time
        }
    }

    /// The merged document as text.
    package let bytes: [UInt8]
    /// Places whose value a rule could not read, in A or B; there A's value stays.
    package let unreadable: [UnreadableLeaf]

    package init(a: Side, b: Side, base: Side?, rules: RuleSet) throws(FileMergeFault) {
        var common = ProfileState()
        let start = Self.context(0, time: base?.time ?? 0, base: VersionVector())
        _ = common.changeRules(to: rules, document: nil, start)
        if let fault = common.rulesHeld { throw FileMergeFault(description: "the rules cannot be used: \(fault)") }
        if let base { _ = common.adopt(base.document, start) }

        var (first, second) = (common, common)
        let left = Self.take(a, since: base, into: &first, replica: 1)
        let right = Self.take(b, since: base, into: &second, replica: 2)
        first.join(second)
        do {
            let merged = try a.document.patched(Projection(of: first, onto: a.document).edits)
            bytes = try Self.respelled(merged, a: a.document, b: b.document, base: base?.document)
        } catch {
            throw FileMergeFault(description: "the merged values do not fit into the first file: \(error)")
        }
        var seen = Set<UnreadableLeaf>()
        unreadable = (left + right).filter { seen.insert($0).inserted }
    }

    /// Writes down what one side did; returns what a rule could not read.
    private static func take(
        _ side: Side,
        since base: Side?,
        into state: inout ProfileState,
        replica: UInt64
    ) -> [UnreadableLeaf] {
        let context = context(replica, time: side.time, base: state.vector)
        guard let base else { return state.adopt(side.document, context).unreadable }
        let diff = DocumentDiff(from: base.document, to: side.document, rules: state.rules)
        return diff.unreadable + state.write(diff.changes, context).unreadable
    }

    private static func context(_ replica: UInt64, time: Int64, base: VersionVector) -> WriteContext {
        WriteContext(replica: ReplicaID(high: 0, low: replica + 1), now: time, fileTime: time, base: base)
    }

    private static func respelled(
        _ merged: [UInt8],
        a: JSONDocument,
        b: JSONDocument,
        base: JSONDocument?
    ) throws -> [UInt8] {
        guard let base else { return merged }
        let document = try JSONDocument(parsing: merged)
        return try document.patched(Respelling(of: document, a: a, b: b, base: base).edits)
    }
}
