package import LosslessJSON

/// An amount of a counter that devices have each saved for themselves, where everything else that they saved is the same too.
/// Most likely one game's file was carried to the other machine by hand, and the amount was played once.
package struct SavedTwice: Hashable, Sendable {
    /// The counter.
    package let path: DocumentPath
    /// The value of the counter before this device's saves; `nil` where there was none.
    package let old: JSONValue?
    /// The value of the counter after these saves: `old` and the amount.
    package let new: JSONValue
    /// The writes that say the amount, in order. All but the first are taken off, each in its own part of the counter. So of
    /// any number of devices that saved the same, one amount stays, whichever of them somebody compares, and wherever.
    package let writes: [Dot]

    /// What is known of an amount; `nil` where that makes no sense: it may come from a damaged record.
    ///
    /// - Parameter writes: In any order.
    package init?(path: DocumentPath, old: JSONValue?, new: JSONValue, writes: [Dot]) {
        guard !path.isReserved, path != .root, Self.isAmount(new), old.map(Self.isAmount) ?? true else { return nil }
        (self.path, self.old, self.new, self.writes) = (path, old, new, Set(writes).sorted())
        if self.writes.count < 2 { return nil }
    }

    private static func isAmount(_ value: JSONValue) -> Bool {
        switch value {
        case .number, .string: true
        default: false
        }
    }

    /// Adds an amount to others: to the one of which it shares a write, if there is one.
    package static func add(_ new: SavedTwice, to amounts: inout [SavedTwice]) {
        let same = amounts.firstIndex { known in
            known.path == new.path && known.old == new.old && known.new == new.new
                && known.writes.contains(where: new.writes.contains)
        }
        let writes = same.map { amounts[$0].writes } ?? []
        guard let same, let both = SavedTwice(path: new.path, old: new.old, new: new.new, writes: writes + new.writes)
        else { return amounts.append(new) }
        amounts[same] = both
    }
}

extension ProfileState {
    /// The amounts of the writes of other devices that this device's saves hold too, where these saves say exactly what
    /// those writes say: the same values at the same places, and the same amounts. Empty where they differ in anything, and
    /// where they are so few that two players may well have come to the same.
    ///
    /// Both devices find the same, if both have it in their histories: the first saves that the other one does not know,
    /// taken together, are compared with all that came in of one replica.
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
        let news = arriving.filter { !vector.covers($0.atom.dot) && $0.atom.dot.replica != own }
        let writers = Dictionary(grouping: news, by: \.atom.dot.replica).sorted { $0.key < $1.key }
            .compactMap { ReplicaWrites($1, of: $0, before: self) }
        var sums: [DocumentPath: ExactDecimal] = [:]
        for (path, said) in writers.flatMap(\.amounts) {
            sums[path] = (try? sums[path, default: .zero].adding(said.moved)) ?? said.moved
        }
        var found: [SavedTwice] = []
        for writes in writers {
            var together = ComposedSteps()
            for save in saves {
                guard together.add(save) else { break }
                guard let weight = writes.weight(in: together), weight >= Evidence.least else { continue }
                // An amount that a reset hides does not count twice.
                for (path, said) in writes.amounts where sums[path] == moved(path, to: joined) && !said.moved.isZero {
                    guard let (change, dot) = together.amount(at: path) else { continue }
                    let amount = change.new.flatMap {
                        SavedTwice(path: path, old: change.old, new: $0, writes: [dot, said.dot])
                    }
                    found += amount.map { [$0] } ?? []
                }
                break
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The amounts of a save, which was not written yet, that this state holds already by writes of other devices that are
    /// not in the file: everything that the save changes is what they changed.
    ///
    /// - Parameters:
    ///   - save: The save, in the version of the rules.
    ///   - shown: What the file held before, as this device knew it.
    ///   - read: The writes that were in that.
    ///   - own: The replica that will write the save.
    /// - Returns: What is to be checked against the state with the save, see ``SavedBefore``.
    /// - Complexity: O(writes that the file lacks); O(size of the save) where counters are among them.
    package func savedBefore(
        _ save: JSONDocument, since shown: JSONDocument, reading read: VersionVector, by own: ReplicaID
    ) -> [SavedBefore] {
        let isCounted = delta(beyond: read).contains { news in
            news.key.kind.base == .counter && news.key.sub.count == own.bytes.count && news.atom.dot.replica != own
        }
        guard isCounted else { return [] }
        let changes = DocumentDiff(from: shown, to: save, rules: rules).changes
        var reader = PlaceReader(self)
        guard Evidence.weight(of: changes) >= Evidence.least,
            changes.allSatisfy({ $0.rule.merge != .counter || reader.value(at: $0.path) == $0.newValue }),
            let held = Projection.document(of: self), DocumentDiff(from: held, to: save, rules: rules).changes.isEmpty
        else { return [] }
        return changes.compactMap { change in
            guard change.rule.merge == .counter, let kind = change.rule.kind,
                case .value(let old, let new?) = change.change,
                let moved = change.rule.amount(from: old, to: new), !moved.isZero,
                let other = liveParts(change.path, kind).map(\.atom.dot).filter({ !read.covers($0) }).max(),
                let total = counterTotal(change.path, kind)
            else { return nil }
            return SavedBefore(path: change.path, old: old, new: new, other: other, total: total, moved: moved)
        }
    }

    /// The amounts that count twice now that the save is written.
    package func savedTwice(_ before: [SavedBefore], by own: ReplicaID) -> [SavedTwice] {
        before.compactMap { amount in
            guard let kind = rules.rule(for: amount.path).kind, let total = counterTotal(amount.path, kind),
                (try? total.subtracting(amount.total)) == amount.moved,
                let mine = atom(AtomKey(amount.path, kind, sub: own.bytes))?.dot
            else { return nil }
            return SavedTwice(path: amount.path, old: amount.old, new: amount.new, writes: [mine, amount.other])
        }.sorted { $0.path < $1.path }
    }

    /// How much more a counter is in another state than in this one, below zero included; `nil` where it is none.
    private func moved(_ path: DocumentPath, to other: ProfileState) -> ExactDecimal? {
        guard let kind = rules.rule(for: path).kind, other.rules.rule(for: path).kind == kind,
            let before = counterTotal(path, kind), let after = other.counterTotal(path, kind)
        else { return nil }
        return try? after.subtracting(before)
    }

    /// Takes amounts that count more than once off, so that each counts once. What was taken off already, here or elsewhere,
    /// stays as it is, and so does what is no counter any more.
    package mutating func countOnce(_ amounts: [SavedTwice], _ context: WriteContext) -> WriteResult {
        var written = WriteResult()
        for amount in amounts {
            let rule = rules.rule(for: amount.path)
            guard rule.merge == .counter, let moved = rule.amount(from: amount.old, to: amount.new) else { continue }
            for part in partsToTakeOff(amount) {
                guard let shown = value(at: amount.path), case .number(let now)? = Ordinal(shown, by: rule),
                    let next = try? now.subtracting(moved), let number = JSONNumber(text: next.text)
                else { continue }
                let change = LeafChange(
                    path: amount.path, rule: rule, change: .value(old: shown, new: .number(number)))
                written.add(write([change], context, countingIn: [amount.path: part]))
            }
        }
        return written
    }

    /// Whether an amount counts more than once: it is one of a counter still, its writes count, and it was not taken off.
    ///
    /// - Parameter asked: The writes that were there when it was found. A reset, a restore or an undo since then ends it.
    package func countsTwice(_ amount: SavedTwice, since asked: VersionVector) -> Bool {
        rules.rule(for: amount.path).merge == .counter && value(at: amount.path) != nil
            && epochRegistry.isCurrent(amount.path, seen: asked) && !partsToTakeOff(amount).isEmpty
    }

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

extension LeafChange {
    /// The value afterwards; `nil` for none, and for a change of another kind.
    fileprivate var newValue: JSONValue? {
        if case .value(_, let new) = change { new } else { nil }
    }
}

/// An amount that a save holds and other devices' writes brought before it, see ``SavedTwice``.
package struct SavedBefore: Sendable {
    let path: DocumentPath
    let old: JSONValue?
    let new: JSONValue
    /// The other device's write.
    let other: Dot
    /// The counter's total before the save, below zero included.
    let total: ExactDecimal
    let moved: ExactDecimal
}
