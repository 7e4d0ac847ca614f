import HouseholdSimulation
import LosslessJSON
import MergeCore

/// Play as a game might do it, invented from what stands in saves: amounts are earned and spent, records get better,
/// things are found and used up, settings change.
struct InventedPlay: Sendable {
    private let rules: RuleSet
    /// Values of other saves, by the path of their rule or their place, to be met again.
    private let others: [SaveLeaf]
    /// The values of ``others`` by the path of their rule, and by their place.
    private let byPattern: [String: [JSONValue]], byPlace: [SavePlace: [JSONValue]]
    /// Where the save says its version, and where a game asks for a reset: that is no play.
    private let kept: Set<SavePlace>

    init(_ game: SimulatedGame) {
        rules = game.rules
        kept = Set(
            [game.rules.versionAt, game.rules.resetAt].compactMap { $0 }.compactMap { SavePlace(parsing: $0) })
        others = game.samples.flatMap { SaveLeaf.all(of: $0, game.rules) }
        byPlace = Dictionary(grouping: others, by: \.place).mapValues { $0.map(\.value) }
        let patterned = others.compactMap { leaf in leaf.pattern.map { ($0, leaf.value) } }
        byPattern = Dictionary(grouping: patterned, by: \.0).mapValues { $0.map(\.1) }
    }

    /// One to three changes of a save; none where nothing in it can change.
    ///
    /// - Parameter seed: Says which places are played most, so that the devices of a household meet there.
    func edits(of save: ParsedSave, seed: UInt64, _ random: inout SimulatedRandom) -> [SaveEdit] {
        var edits: [SaveEdit] = []
        for _ in 0...random.below(3) {
            if random.chance(12) || save.leaves.all.isEmpty, let leaf = missing(from: save, &random) {
                edits.append(.set("\(leaf.place)", leaf.value.text))
            } else if let leaf = leaf(of: save, seed, &random) {
                let isWhole = random.chance(15)
                edits += (isWhole ? elementChange(around: leaf, in: save.value, &random) : nil) ?? change(leaf, &random)
            }
        }
        // Two changes of one place would hide each other.
        return edits.enumerated().filter { index, edit in
            !edits[..<index].contains { edit.place.hasPrefix($0.place) || $0.place.hasPrefix(edit.place) }
        }.map(\.element)
    }

    /// A value of another save at a place that this save does not have; `nil` where none of a few is such a one.
    private func missing(from save: ParsedSave, _ random: inout SimulatedRandom) -> SaveLeaf? {
        for _ in 0..<8 where !others.isEmpty {
            let leaf = random.pick(others)
            // The number of an element means nothing where the list has no such element.
            let isWanted = !leaf.isNumbered && !kept.contains(leaf.place)
            if isWanted, save.leaves[leaf.place] == nil { return leaf }
        }
        return nil
    }

    /// A value to change. Every rule has its turn, however few of the values are under it; and of thousands of values
    /// under one rule a few are played most, as a player is at one place of a game.
    private func leaf(of save: ParsedSave, _ seed: UInt64, _ random: inout SimulatedRandom) -> SaveLeaf? {
        for _ in 0..<8 where !save.leaves.byRule.isEmpty {
            let group = random.pick(save.leaves.byRule)
            var leaf = random.pick(group)
            if group.count > Self.favourites, random.chance(60) {
                var favourite = SimulatedRandom(seed: seed &+ UInt64(random.below(Self.favourites)))
                leaf = favourite.pick(group)
            }
            if !kept.contains(leaf.place) { return leaf }
        }
        return nil
    }

    /// The number of values under one rule that are played most of the time.
    private static let favourites = 8

    /// Adds an element like the one that a leaf is in, or removes that one; `nil` where it is in no list of objects.
    private func elementChange(
        around leaf: SaveLeaf, in save: JSONValue, _ random: inout SimulatedRandom
    ) -> [SaveEdit]? {
        let end = leaf.place.steps.lastIndex { if case .element = $0 { true } else { false } }
        guard let end, case .element(let key, let id) = leaf.place.steps[end] else { return nil }
        var place = SavePlace(steps: Array(leaf.place.steps[...end]))
        if random.chance(40) { return [.remove("\(place)")] }
        guard case .object(let members)? = save.at(place) else { return nil }
        let fresh = other(id, met: [], &random)
        place.steps[end] = .element(key: key, id: fresh)
        let element = members.map { $0.key == key ? JSONMember(key: key, value: fresh) : $0 }
        return save.at(place) == nil ? [.set("\(place)", JSONValue.object(element).text)] : nil
    }

    private func change(_ leaf: SaveLeaf, _ random: inout SimulatedRandom) -> [SaveEdit] {
        let place = "\(leaf.place)"
        switch leaf.rule.merge {
        case .counter:
            guard let held = leaf.value == .null ? .zero : leaf.value.decimal else { return [] }
            let earned = 1 + random.below(100)
            // A game spends what it sees, and no more.
            if let whole = held.int, whole > 0, random.chance(40) {
                return [.add(place, -(1 + random.below(min(whole, 100))))]
            }
            return [.add(place, earned)]
        case .max, .min:
            if let best = better(leaf, &random) { return [.set(place, best.text)] }
            return []
        case .flag: return [.set(place, "true")]
        case .union where leaf.rule.reading == .bits:
            guard let held = leaf.value.decimal?.int, held >= 0 else { return [] }
            return [.set(place, "\(held | 1 << random.below(16))")]
        case .union, .set:
            guard case .array(let elements) = leaf.value else { return [] }
            if leaf.rule.merge == .set, !elements.isEmpty, random.chance(35) {
                return [.take(place, random.pick(elements).text)]
            }
            return [.insert(place, element(like: elements, of: leaf, &random).text)]
        case .latest, .choice, .furthest, .local:
            return [.set(place, other(leaf.value, met: met(leaf), &random).text)]
        }
    }

    /// A value that is better by the rule, and now and then a worse one, which the rule does not take.
    private func better(_ leaf: SaveLeaf, _ random: inout SimulatedRandom) -> JSONValue? {
        let isNothing = leaf.rule.none.contains(leaf.value) || leaf.value == .null
        guard !isNothing else { return met(leaf).isEmpty ? 100 : random.pick(met(leaf)) }
        let step = 1 + random.below(9)
        let isRaised = (leaf.rule.merge == .max) != random.chance(10)
        // A date in words is not invented.
        guard leaf.rule.reading != .date, let number = leaf.value.decimal else {
            return met(leaf).isEmpty ? nil : random.pick(met(leaf))
        }
        if !isRaised, let whole = number.int, whole < step { return nil }
        return leaf.value.adding(ExactDecimal(isRaised ? step : -step))
    }

    private func element(
        like elements: [JSONValue], of leaf: SaveLeaf, _ random: inout SimulatedRandom
    ) -> JSONValue {
        let met = met(leaf).flatMap { value -> [JSONValue] in
            if case .array(let elements) = value { elements } else { [] }
        }
        let unknown = met.filter { !elements.contains($0) }
        if !unknown.isEmpty, random.chance(50) { return random.pick(unknown) }
        guard let model = elements.first ?? met.first else { return .string(JSONString("item-\(random.below(50))")) }
        return other(model, met: [], &random)
    }

    /// Values that other saves have under the same rule, or at the same place.
    private func met(_ leaf: SaveLeaf) -> [JSONValue] {
        leaf.pattern.flatMap { byPattern[$0] } ?? byPlace[leaf.place] ?? []
    }

    /// Another value of the same kind.
    private func other(_ value: JSONValue, met: [JSONValue], _ random: inout SimulatedRandom) -> JSONValue {
        let unlike = met.filter { $0 != value && $0.kind == value.kind }
        if !unlike.isEmpty, random.chance(40) { return random.pick(unlike) }
        switch value {
        case .null: return .bool(random.chance(50))
        case .bool(let isTrue): return .bool(!isTrue)
        case .number(let number):
            let step = ExactDecimal(random.chance(50) ? 1 + random.below(20) : -1 - random.below(20))
            return (number.decimal.flatMap { try? $0.adding(step) }).map { .number(JSONNumber($0)) } ?? value
        case .string(let text):
            let stem = text.string.split(separator: "~").first.map(String.init) ?? "word"
            return .string(JSONString("\(stem)~\(1 + random.below(99))"))
        case .array(let elements):
            guard !elements.isEmpty else { return [.number(JSONNumber(random.below(10)))] }
            let index = random.below(elements.count)
            var changed = elements
            changed[index] = other(elements[index], met: [], &random)
            return .array(changed)
        case .object(let members):
            guard !members.isEmpty else { return value }
            let index = random.below(members.count)
            var changed = members
            changed[index].value = other(members[index].value, met: [], &random)
            return .object(changed)
        }
    }
}
