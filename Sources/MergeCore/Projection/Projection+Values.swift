import LosslessJSON

/// The edits that make one leaf show the state's value, and bring the elements of one array into its order.
extension Projection {
    mutating func place(_ leaf: ShownLeaf, _ node: JSONNode, _ rule: MergeRule) {
        let current = document.value(node)
        // Only a register has a stamp: the place shows the register's value, whatever its rule can read.
        if case .value(let value, _?) = leaf, rule.merge != .latest, !rule.isWhole {
            if value != current { edits.append(.replace(node, value)) }
            return
        }
        // A value that the rule cannot read is left alone in either direction; it stays until the game changes it.
        guard rule.projectionReads(current) else { return }
        switch leaf {
        case .absent: return
        case .value(let value, _):
            if value == current || equalAsRead(value, current, rule) { return }
            if rule.reading == .bits, case .string = current, case .number(let number) = value {
                return edits.append(.replace(node, .string(JSONString(number.text))))
            }
            edits.append(.replace(node, value))
        case .amount(let amount, let form): place(amount, form, over: current, node, rule)
        case .elements(let elements): place(elements, over: current, node, rule)
        case .open(let candidates, _):
            if !candidates.contains(current) { edits.append(.replace(node, candidates[0])) }
        }
    }

    private mutating func place(
        _ amount: ExactDecimal, _ form: ShownLeaf.JSONValueForm, over current: JSONValue, _ node: JSONNode,
        _ rule: MergeRule
    ) {
        if case .number(let shown)? = Ordinal(current, by: rule), shown == amount { return }
        if case .spelled(let value) = form { return edits.append(.replace(node, value)) }
        switch current {
        case .number: edits.append(.replace(node, ShownLeaf.json(amount, .number)))
        case .string where rule.reading == .number: edits.append(.replace(node, ShownLeaf.json(amount, .string)))
        default: edits.append(.replace(node, ShownLeaf.json(amount, form)))
        }
    }

    private mutating func place(
        _ elements: [JSONValue], over current: JSONValue, _ node: JSONNode, _ rule: MergeRule
    ) {
        guard case .array(let shown) = current else { return edits.append(.replace(node, .array(elements))) }
        if rule.sort != nil {
            if shown != elements { edits.append(.replace(node, .array(elements))) }
            return
        }
        let places = ArrayOrder.places(of: elements)
        // Besides the elements that were removed from a set, elements go that were reset or that a limit leaves out.
        for (element, value) in zip(document.elements(node), shown) where places[value] == nil {
            edits.append(.remove(element))
        }
        let present = Set(shown)
        let new = elements.filter { !present.contains($0) }
        for element in new { edits.append(.appendElement(to: node, element)) }
        order(node, shown.filter { places[$0] != nil } + new, places)
    }

    private func equalAsRead(_ a: JSONValue, _ b: JSONValue, _ rule: MergeRule) -> Bool {
        if rule.reading == .bits { return BitField.elements(of: a) == BitField.elements(of: b) }
        guard rule.reading != nil, let x = Ordinal(a, by: rule), let y = Ordinal(b, by: rule) else { return false }
        return x == y
    }

    /// Brings the elements of an array into the order of the household. If an element occurs twice, the first one
    /// decides the position, and the others move with it. An element that the state does not know stays after the
    /// element before it.
    ///
    /// - Parameters:
    ///   - names: The elements that the array holds after the edits: first those that stay, then the new ones.
    ///   - places: The index at which each element belongs.
    mutating func order<Name: Hashable>(_ node: JSONNode, _ names: [Name], _ places: [Name: Int]) {
        var seen = Set<Name>()
        var firsts: [Int] = []
        var keys: [Int] = []
        for name in names {
            let place = places[name]
            keys.append(place ?? keys.last ?? -1)
            if let place, seen.insert(name).inserted { firsts.append(place) }
        }
        guard zip(firsts, firsts.dropFirst()).contains(where: { $1 < $0 }) else { return }
        edits.append(.reorder(node, names.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }))
    }
}
