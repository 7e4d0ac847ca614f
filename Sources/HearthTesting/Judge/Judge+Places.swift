import LosslessJSON
import MergeCore

/// Two writers: each place has the value that its rule gives, and nothing else moves.
extension Judge {
    mutating func judgePlaces() {
        guard round.acts.isEmpty, !round.plays.isEmpty, !round.isUnsure else { return }
        let saves = round.plays.map { (SaveLeaves(of: $0.read, rules), SaveLeaves(of: $0.written, rules)) }
        let before = round.before.map { SaveLeaves(of: $0, rules) }
        let found = files.map { SaveLeaves(of: $0, rules) }
        let mixed = Self.mixed(before + saves.flatMap { [$0.0, $0.1] })
        var seen: Set<SavePlace> = []
        let all = before.flatMap(\.all) + saves.flatMap { $0.0.all + $0.1.all } + found.flatMap(\.all)
        for leaf in all where leaf.rule.merge != .local && seen.insert(leaf.place).inserted {
            var writes = Writes(leaf, base: before.lazy.compactMap { $0[leaf.place] }.first)
            for (play, save) in zip(round.plays, saves) {
                writes.add(device: play.device, save.0[leaf.place], save.1[leaf.place])
            }
            let isMixed = leaf.place.path.contains { mixed.contains($0) }
            guard !writes.isRemoved, !isInsideRemoved(leaf.place), !isMixed else { continue }
            judge(writes, found.map { $0[leaf.place] })
        }
    }

    /// The places that were one value in some save of the round, and in another one held places of their own: which of
    /// both stays is not told by one rule.
    private static func mixed(_ saves: [SaveLeaves]) -> Set<SavePlace> {
        let leaves = saves.flatMap(\.all)
        var containers: Set<SavePlace> = []
        for leaf in leaves { containers.formUnion(leaf.place.path.dropLast()) }
        // What is empty holds nothing that could be lost.
        return Set(leaves.filter { !$0.value.isEmptyContainer }.map(\.place)).intersection(containers)
    }

    /// What was written at one place.
    struct Writes {
        let leaf: SaveLeaf
        let base: JSONValue?
        /// Each change, in order: who made it, from what, to what.
        private(set) var changes: [(device: Int, from: JSONValue?, to: JSONValue)] = []
        /// Whether a game removed what was there, or put something of another kind in its place.
        private(set) var isRemoved = false

        var place: SavePlace { leaf.place }
        var rule: MergeRule { leaf.rule }
        var devices: Set<Int> { Set(changes.map(\.device)) }

        init(_ leaf: SaveLeaf, base: JSONValue?) { (self.leaf, self.base) = (leaf, base) }

        mutating func add(device: Int, _ from: JSONValue?, _ to: JSONValue?) {
            guard from != to else { return }
            guard let to else { return isRemoved = true }
            changes.append((device, from, to))
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
                $0.read.at(container) != nil && ($0.written.at(container)?.isEmptyContainer ?? true)
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
