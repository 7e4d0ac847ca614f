package import LosslessJSON

/// An amount of a counter that devices have each saved for themselves, where everything else that they saved is the same too.
/// Most likely one game's file was carried to the other machine by hand, and the amount was played once.
package struct SavedTwice: Hashable, Sendable {
    /// The counter.
    package let path: DocumentPath
    /// What the counter showed before this device's saves; `nil` for nothing.
    package let old: JSONValue?
    /// What it showed after them: `old` and the amount.
    package let new: JSONValue
    /// The writes that say the amount, in order. All but the first are taken off, each in its own part of the counter. So of
    /// any number of devices that saved the same, one amount stays, whichever of them somebody compares, and wherever.
    package let writes: [Dot]

    /// - Parameter writes: In any order.
    package init(path: DocumentPath, old: JSONValue?, new: JSONValue, writes: [Dot]) {
        (self.path, self.old, self.new, self.writes) = (path, old, new, Set(writes).sorted())
    }

    /// Adds an amount to others: to the one of which it shares a write, if there is one.
    package static func add(_ new: SavedTwice, to amounts: inout [SavedTwice]) {
        let same = amounts.firstIndex { known in
            known.path == new.path && known.old == new.old && known.new == new.new
                && known.writes.contains(where: new.writes.contains)
        }
        guard let same else { return amounts.append(new) }
        let writes = amounts[same].writes + new.writes
        amounts[same] = SavedTwice(path: new.path, old: new.old, new: new.new, writes: writes)
    }

    /// The least weight of what is the same, see ``JSONValue/weight``. Where less was played, two players may well have
    /// come to the same.
    fileprivate static let leastWeight = 2
}

extension ProfileState {
    /// The amounts of the writes of another device that this device's saves hold too, where these saves say exactly what
    /// those writes say: the same values at the same places, and the same amounts. Empty where they differ in anything, and
    /// where they are so few that two players may well have come to the same.
    ///
    /// Both devices find the same, if both have it in their histories: the first saves that the other one does not know,
    /// taken together, are compared with all that came in of one replica. So it does not matter on which machine
    /// somebody played on after the file was carried over.
    ///
    /// - Parameters:
    ///   - saves: The steps of this device's saves that the other device does not know, the oldest first.
    ///   - own: The replica of these steps.
    ///   - arriving: What came in. This state is the one before.
    ///   - joined: The state with it.
    /// - Complexity: O(atoms + steps · places that came in).
    package func savedTwice(
        _ saves: [HistoryEntry], by own: ReplicaID, _ arriving: [KeyedAtom], joined: ProfileState
    ) -> [SavedTwice] {
        let news = arriving.filter { !vector.covers($0.atom.dot) }
        guard news.contains(where: { $0.key.kind.base == .counter && !$0.key.sub.isEmpty }) else { return [] }
        let writers = Dictionary(grouping: news, by: \.atom.dot.replica).filter { $0.key != own }
            .sorted { $0.key < $1.key }.compactMap { ReplicaWrites($1, of: $0, before: self) }
        var sums: [DocumentPath: ExactDecimal] = [:]
        for (path, said) in writers.flatMap(\.amounts) {
            sums[path] = (try? sums[path, default: .zero].adding(said.moved)) ?? said.moved
        }
        var found: [SavedTwice] = []
        for writes in writers {
            var together = ComposedSteps()
            for save in saves {
                guard together.add(save) else { break }
                guard let weight = writes.weight(in: together), weight >= SavedTwice.leastWeight else { continue }
                // An amount that a reset hides does not count twice.
                let counted = writes.amounts.filter { path, _ in
                    sums[path].map { counts($0, path, rules.rule(for: path), in: joined) } ?? false
                }
                found += counted.compactMap { savedTwice($0, $1, together, by: own) }
                break
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The same, where the other device's writes came in before this device's save was read: what came in holds all that the
    /// save holds.
    ///
    /// - Parameters:
    ///   - save: The save.
    ///   - shown: What the file held before, as this device knew it.
    ///   - read: The writes that were in that.
    ///   - own: The replica that wrote the save.
    ///   - written: The state with the save. This state is the one before.
    /// - Complexity: O(size of the save).
    package func savedTwice(
        _ save: JSONDocument, since shown: JSONDocument, reading read: VersionVector, by own: ReplicaID,
        written: ProfileState
    ) -> [SavedTwice] {
        guard let held = Projection.document(of: self),
            DocumentDiff(from: held, to: save, rules: rules).changes.isEmpty
        else { return [] }
        let changes = DocumentDiff(from: shown, to: save, rules: rules).changes
        guard changes.reduce(0, { $0 + $1.weight }) >= SavedTwice.leastWeight else { return [] }
        return changes.compactMap { change in
            guard change.rule.merge == .counter, let kind = change.rule.kind,
                case .value(let old, let new?) = change.change, let moved = change.rule.amount(from: old, to: new),
                let other = liveParts(change.path, kind).map(\.atom.dot).filter({ !read.covers($0) }).max(),
                let mine = written.atom(AtomKey(change.path, kind, sub: own.bytes))?.dot,
                counts(moved, change.path, change.rule, in: written)
            else { return nil }
            return SavedTwice(path: change.path, old: old, new: new, writes: [mine, other])
        }.sorted { $0.path < $1.path }
    }

    /// Whether a counter shows an amount more in another state than in this one.
    private func counts(_ amount: ExactDecimal, _ path: DocumentPath, _ rule: MergeRule, in other: ProfileState) -> Bool
    {
        guard let before = value(at: path), let after = other.value(at: path) else { return false }
        return rule.amount(from: before, to: after) == amount
    }

    /// The amount at one counter; `nil` where it is none by the rules.
    private func savedTwice(
        _ path: DocumentPath, _ said: ReplicaWrites.Amount, _ together: ComposedSteps, by own: ReplicaID
    ) -> SavedTwice? {
        let rule = rules.rule(for: path)
        guard rule.merge == .counter, let kind = rule.kind, let mine = atom(AtomKey(path, kind, sub: own.bytes))?.dot,
            let here = together.value(at: path)
        else { return nil }
        return SavedTwice(
            path: path, old: together.formerValue(at: path), new: here, writes: [mine, said.dot])
    }

    /// Takes amounts that count more than once off, so that each counts once. What was taken off already, here or elsewhere,
    /// stays as it is.
    package mutating func countOnce(
        _ amounts: [SavedTwice], _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        var written = WriteResult()
        for amount in amounts {
            for part in partsToTakeOff(amount) {
                let change = HistoryEntry.Change(
                    path: amount.path, old: amount.old ?? .number(JSONNumber(text: "0")!), new: amount.new,
                    dot: Dot(replica: context.replica, sequence: 0), undoPart: part)
                let step = HistoryEntry(time: context.now, origin: .undo, changes: [change], more: 0)
                written.add(try undo(step, force: true, context))
            }
        }
        return written
    }

    /// Whether an amount counts once by now.
    package func isCountedOnce(_ amount: SavedTwice) -> Bool { partsToTakeOff(amount).isEmpty }

    /// The names of the parts of a counter in which an amount is to be taken off.
    private func partsToTakeOff(_ amount: SavedTwice) -> [[UInt8]] {
        let rule = rules.rule(for: amount.path)
        guard let kind = rule.kind, let moved = rule.amount(from: amount.old, to: amount.new) else { return [] }
        return amount.writes.dropFirst().map { UndoPart.name(of: $0, moved.negated) }.filter { part in
            guard let taken = live(AtomKey(amount.path, kind, sub: part)) else { return true }
            return (try? taken.content.net)?.isZero != false
        }
    }
}

extension MergeRule {
    /// What a counter was moved by from one value to another; `nil` where one is no number. No value is 0.
    func amount(from old: JSONValue?, to new: JSONValue) -> ExactDecimal? {
        guard case .number(let after)? = Ordinal(new, by: self) else { return nil }
        guard let old else { return after }
        guard case .number(let before)? = Ordinal(old, by: self) else { return nil }
        return try? after.subtracting(before)
    }
}

extension LeafChange {
    /// See ``JSONValue/weight``.
    fileprivate var weight: Int {
        switch change {
        case .value(let old, let new?) where rule.merge == .counter:
            rule.amount(from: old, to: new).map { JSONValue.weight($0.text) } ?? 0
        case .value(_, let new): new?.weight ?? 1
        case .elements(let added, let removed): added.count + removed.count
        default: 0
        }
    }
}

extension JSONValue {
    /// How much it speaks for a copy that a place has this value in two saves: 1, and 3 for a number or a text with many
    /// digits, such as a date or the time played, which is hardly the same by chance.
    var weight: Int {
        switch self {
        case .number(let number): Self.weight(number.text)
        case .string(let string): Self.weight(string.string)
        default: 1
        }
    }

    static func weight(_ text: String) -> Int {
        text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } >= 6 ? 3 : 1
    }
}
