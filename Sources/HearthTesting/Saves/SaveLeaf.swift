import LosslessJSON
import MergeCore

/// A value of a save that merges by itself: the place, its rule, and what is there.
struct SaveLeaf {
    let place: SavePlace
    let rule: MergeRule
    let value: JSONValue
    /// The path of the rule in its file; `nil` where no rule is for the place.
    let pattern: String?
    /// Whether it is an element of a list that is taken apart by numbers, or in one: without that list there is no such
    /// place.
    let isNumbered: Bool

    /// Whether it tells an element of a list from the others. A game that changes it makes another element.
    var isID: Bool {
        guard place.steps.count > 1, case .member(let name)? = place.steps.last,
            case .element(let key, _) = place.steps[place.steps.count - 2]
        else { return false }
        return name == key
    }

    /// All leaves of a save, in the order of the text.
    static func all(of save: JSONValue, _ rules: RuleSet) -> [SaveLeaf] {
        var leaves: [SaveLeaf] = []
        collect(save, .root, RulePosition(rules), isNumbered: false, &leaves)
        return leaves
    }

    private static func collect(
        _ value: JSONValue, _ place: SavePlace, _ position: RulePosition, isNumbered: Bool,
        _ leaves: inout [SaveLeaf]
    ) {
        let parts = parts(of: value, position)
        guard !parts.isEmpty else {
            return leaves.append(
                SaveLeaf(
                    place: place, rule: position.rule, value: value, pattern: position.pattern, isNumbered: isNumbered))
        }
        for part in parts {
            let isNumber = if case .index = part.path { true } else { false }
            collect(
                part.value, place.appending(part.step), position.stepping(part.path),
                isNumbered: isNumbered || isNumber, &leaves)
        }
    }

    /// What the rules take a value apart into; nothing where it is one value.
    static func parts(
        of value: JSONValue, _ position: RulePosition
    ) -> [(step: SavePlace.Step, path: PathStep, value: JSONValue)] {
        switch value {
        case .object(let members):
            guard !position.rule.isWhole else { return [] }
            return members.map { (.member($0.key), .member($0.key), $0.value) }
        case .array(let elements):
            switch position.lists {
            case .whole: return []
            case .numbered:
                return elements.enumerated().map { (.member(JSONString("\($0)")), .index($0), $1) }
            case .keyed(let key):
                let ids = elements.compactMap { $0[key] }
                guard ids.count == elements.count, Set(ids).count == ids.count else { return [] }
                return zip(ids, elements).map { (.element(key: key, id: $0), .element($0.canonicalBytes), $1) }
            }
        default: return []
        }
    }
}

/// The leaves of a save by place.
final class SaveLeaves {
    let all: [SaveLeaf]
    private let byPlace: [SavePlace: Int]

    init(of save: JSONValue?, _ rules: RuleSet) {
        let all = save.map { SaveLeaf.all(of: $0, rules) } ?? []
        self.all = all
        byPlace = Dictionary(all.indices.map { (all[$0].place, $0) }) { first, _ in first }
    }

    /// The leaves by rule: those of each path of the rule file together, and those without a rule. An element's own id is
    /// left out.
    private(set) lazy var byRule: [[SaveLeaf]] = {
        var groups: [String?: [SaveLeaf]] = [:]
        var order: [String?] = []
        for leaf in all where !leaf.isID {
            if groups[leaf.pattern] == nil { order.append(leaf.pattern) }
            groups[leaf.pattern, default: []].append(leaf)
        }
        return order.compactMap { groups[$0] }
    }()

    /// The leaves of no save.
    static var none: SaveLeaves { SaveLeaves(of: nil, .empty) }

    subscript(place: SavePlace) -> JSONValue? { byPlace[place].map { all[$0].value } }

    /// The leaves that are not the same in another save, in order.
    func unlike(_ other: SaveLeaves) -> [SaveLeaf] {
        // Saves of one game mostly have their leaves in one order: then no place has to be looked up.
        all.indices.compactMap { index in
            let leaf = all[index]
            if other.all.indices.contains(index), other.all[index].place == leaf.place {
                return other.all[index].value == leaf.value ? nil : leaf
            }
            return other[leaf.place] == leaf.value ? nil : leaf
        }
    }
}
