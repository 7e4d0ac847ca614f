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
            for element in before where !after.contains(element) { edits.append(.take("\(place)", element.text)) }
            for element in after where !before.contains(element) { edits.append(.insert("\(place)", element.text)) }
            return
        }
        let (before, after) = (old.map { SaveLeaf.parts(of: $0, position) } ?? [], SaveLeaf.parts(of: new, position))
        // The numbers of elements say nothing any more where there are more of them, or fewer.
        let isRenumbered = position.lists == .numbered && before.count != after.count
        guard let old, old.kind == new.kind, !before.isEmpty, !after.isEmpty, !isRenumbered else {
            return edits.append(.set("\(place)", new.text))
        }
        for part in before where !after.contains(where: { $0.step == part.step }) {
            edits.append(.remove("\(place.appending(part.step))"))
        }
        for part in after {
            let former = before.first { $0.step == part.step }?.value
            compare(former, part.value, place.appending(part.step), position.stepping(part.path))
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
