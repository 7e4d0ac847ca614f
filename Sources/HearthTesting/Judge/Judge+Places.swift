import LosslessJSON
import MergeCore

/// Two writers: each place has the value that its rule gives, and nothing else moves.
extension Judge {
    mutating func judgePlaces() {
        guard round.acts.isEmpty, !round.plays.isEmpty, !round.isUnsure else { return }
        for leaf in touched where leaf.rule.merge != .local {
            var writes = Writes(leaf, base: base(leaf.place))
            for play in round.plays where play.read !== play.written {
                writes.add(play, play.read.leaves[leaf.place], play.written.leaves[leaf.place])
            }
            let isUnknown = writes.isRemoved || isInsideRemoved(leaf.place) || isMixed(leaf.place)
            guard !isUnknown, !isBroughtBack(leaf.place) else { continue }
            judge(writes, files.map { $0.flatMap { Self.found(leaf.place, in: $0) } })
        }
    }

    /// The value of a file at a place. An array or object with elements is returned as an empty one: where one game emptied
    /// it and another device changed an element, that element stays, and elements are judged at their own places.
    private static func found(_ place: SavePlace, in file: ParsedSave) -> JSONValue? {
        if let value = file.leaves[place] { return value }
        switch file.value.at(place)?.kind {
        case .array: return .array([])
        case .object: return .object([])
        default: return nil
        }
    }

    /// What stood at a place when the round began.
    private func base(_ place: SavePlace) -> JSONValue? {
        round.before.lazy.compactMap { $0?.leaves[place] }.first
    }

    /// The places that a game changed, and those at which a file holds something else than when the round began, each
    /// once. At all others nothing happened, and nothing can be wrong.
    private var touched: [SaveLeaf] {
        var (places, leaves) = (Set<SavePlace>(), [SaveLeaf]())
        func add(_ others: [SaveLeaf]) {
            for leaf in others where places.insert(leaf.place).inserted { leaves.append(leaf) }
        }
        for play in round.plays where play.read !== play.written {
            add(play.written.leaves.unlike(play.read.leaves))
            add(play.read.leaves.unlike(play.written.leaves))
        }
        let former = Self.distinct(round.before)
        if files.contains(where: { $0 == nil }) { for save in former { add(save.leaves.all) } }
        for file in Self.distinct(files) {
            for save in former where save !== file {
                add(file.leaves.unlike(save.leaves))
                add(save.leaves.unlike(file.leaves))
            }
            if former.isEmpty { add(file.leaves.all) }
        }
        return leaves
    }

    private static func distinct(_ saves: [ParsedSave?]) -> [ParsedSave] {
        saves.compactMap { $0 }.reduce(into: []) { all, save in
            if !all.contains(where: { $0 === save }) { all.append(save) }
        }
    }

    /// Whether a game held a place in memory, or an element around it, that was gone when the round began: what it saves may
    /// bring it back, with all that was in it.
    private func isBroughtBack(_ place: SavePlace) -> Bool {
        guard base(place) == nil else { return false }
        let around = place.steps.indices.map { SavePlace(steps: Array(place.steps[...$0])) }
        let gone = around.filter { place in round.before.allSatisfy { $0?.value.at(place) == nil } }
        return round.plays.contains { play in
            play.isFromMemory && gone.contains { play.read.value.at($0) != nil }
        }
    }

    /// Whether a place, or one around it, was one value in some save of the round, and in another one held places of its
    /// own: which of both stays is not told by one rule.
    private func isMixed(_ place: SavePlace) -> Bool {
        let saves = round.before.compactMap { $0 } + round.plays.flatMap { [$0.read, $0.written] }
        return place.path.contains { place in
            // What is empty holds nothing that could be lost.
            let isValue = saves.contains { save in save.leaves[place].map { !$0.isEmptyContainer } ?? false }
            guard isValue else { return false }
            return saves.contains { save in
                guard save.leaves[place] == nil, let value = save.value.at(place) else { return false }
                return (value.kind == .object || value.kind == .array) && !value.isEmptyContainer
            }
        }
    }

    /// What was written at one place.
    struct Writes {
        let leaf: SaveLeaf
        let base: JSONValue?
        /// Each change, in order: who made it, from what, to what.
        private(set) var changes: [(device: Int, time: Int64, from: JSONValue?, to: JSONValue)] = []
        /// Whether a game removed what was there, or put something of another kind in its place.
        private(set) var isRemoved = false
        /// Whether some game that wrote here had not read what its file held.
        private(set) var isFromMemory = false

        var place: SavePlace { leaf.place }
        var rule: MergeRule { leaf.rule }
        var devices: Set<Int> { Set(changes.map(\.device)) }

        init(_ leaf: SaveLeaf, base: JSONValue?) { (self.leaf, self.base) = (leaf, base) }

        mutating func add(_ play: Round.Play, _ from: JSONValue?, _ to: JSONValue?) {
            guard from != to else { return }
            guard let to else { return isRemoved = true }
            changes.append((play.device, play.time, from, to))
            if play.isFromMemory { isFromMemory = true }
        }

        /// Whether some game went on from a value that neither stood there when the round began nor was written since.
        var isFromElsewhere: Bool {
            changes.contains { change in change.from != base && !changes.contains { $0.to == change.from } }
        }

        /// Whether some game wrote a side that is not further than what it had read, as far as the members are numbers.
        var setsBack: Bool {
            changes.contains { change in
                for name in rule.by {
                    guard let from = change.from?[name]?.decimal, let to = change.to[name]?.decimal else { return true }
                    if from != to { return to < from }
                }
                return true
            }
        }

        /// All values that stood there at some time.
        var values: [JSONValue] { [base].compactMap { $0 } + changes.flatMap { [$0.from, $0.to].compactMap { $0 } } }

        /// The last value that each device wrote.
        var last: [JSONValue] { devices.sorted().compactMap { device in changes.last { $0.device == device }?.to } }
    }

    /// Whether a game removed a container around a place.
    private func isInsideRemoved(_ place: SavePlace) -> Bool {
        place.steps.indices.dropFirst().contains { count in
            let container = SavePlace(steps: Array(place.steps[..<count]))
            return round.plays.contains {
                $0.read.value.at(container) != nil && ($0.written.value.at(container)?.isEmptyContainer ?? true)
            }
        }
    }

    private mutating func judge(_ writes: Writes, _ found: [JSONValue?]) {
        let expectation = isJudged(writes.rule) ? self.expectation(writes) : .anything
        for device in found.indices {
            guard let fault = expectation.fault(found[device]) else { continue }
            note(
                fault.kind, device, writes.place, expected: expectation.description, found: found[device]?.text,
                "\(writes.place) (\(writes.rule.merge.rawValue)) is \(found[device]?.text ?? "missing"), "
                    + "and \(fault.words); \(told(writes))")
        }
        guard writes.devices.count > 1, let result = found.first ?? nil else { return }
        note(outcome: writes.leaf.pattern, writes.rule, example: "\(told(writes)): \(result.text)")
    }

    /// `100, then laptop 100 → 130, deck 100 → 20`.
    private func told(_ writes: Writes) -> String {
        let changes = writes.changes.map { "\(names[$0.device]) \($0.from?.text ?? "nothing") → \($0.to.text)" }
        return "\(writes.base?.text ?? "nothing"), then \(changes.isEmpty ? "nobody" : changes.joined(separator: ", "))"
    }
}
