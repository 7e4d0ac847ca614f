import LosslessJSON
import MergeCore

/// The edits that make one save another one: amounts where a rule counts, elements where it takes sets apart.
struct SaveChanges {
    private(set) var edits: [SaveEdit] = []

    init(from old: JSONValue, to new: JSONValue, _ rules: RuleSet) {
        compare(old, new, .root, RulePosition(rules))
    }

    private mutating func compare(
        _ old: JSONValue?, _ new: JSONValue?, _ place: SavePlace, _ position: RulePosition
    ) {
        guard old != new else { return }
        guard let new else { return edits.append(.remove("\(place)")) }
        let rule = position.rule
        if rule.merge == .counter, let change = Self.amount(old, new) {
            return edits.append(.add("\(place)", change.text))
        }
        if rule.isOfElements, case .array(let after) = new, let before = Self.elements(old) {
            if old == nil, after.isEmpty { return edits.append(.set("\(place)", new.text)) }
            let (former, latter) = (Set(before), Set(after))
            for element in before where !latter.contains(element) { edits.append(.take("\(place)", element.text)) }
            for element in after where !former.contains(element) { edits.append(.insert("\(place)", element.text)) }
            return
        }
        let (before, after) = (old.map { SaveLeaf.parts(of: $0, position) } ?? [], SaveLeaf.parts(of: new, position))
        // The numbers of elements say nothing any more where there are more of them, or fewer.
        let isRenumbered = position.lists == .numbered && before.count != after.count
        guard let old, old.kind == new.kind, !before.isEmpty, !after.isEmpty, !isRenumbered else {
            return edits.append(.set("\(place)", new.text))
        }
        let latter = Set(after.map(\.step))
        for part in before where !latter.contains(part.step) {
            edits.append(.remove("\(place.appending(part.step))"))
        }
        let former = Dictionary(before.map { ($0.step, $0.value) }) { first, _ in first }
        for part in after where former[part.step] != part.value {
            compare(former[part.step], part.value, place.appending(part.step), position.stepping(part.path))
        }
    }

    private static func amount(_ old: JSONValue?, _ new: JSONValue) -> ExactDecimal? {
        let before = old == nil || old == .null ? ExactDecimal.zero : old?.decimal
        guard let before, let after = new.decimal else { return nil }
        return try? after.subtracting(before)
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue]? {
        switch value {
        case nil: []
        case .array(let elements)?: elements
        default: nil
        }
    }
}
