import LosslessJSON

/// Values and containers that only one of the two documents holds, with everything below them.
extension DocumentComparison {
    mutating func appear(_ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
        switch DocumentShape(new, node, matcher) {
        case .local: return
        case .leaf(let rule): add(path, rule, .value(old: formerOfAppearing, new: new.value(node)))
        case .elements(let rule): compareElements([], new.elements(node).map { new.value($0) }, path, rule)
        case .object:
            for (name, member) in new.members(node) {
                let step = PathStep.member(name)
                appear(member, path.appending(step), matcher.stepping(step))
            }
        case .indexed:
            for (index, element) in new.elements(node).enumerated() {
                appear(element, path.appending(.index(index)), matcher.stepping(.index(index)))
            }
        case .keyed(let key):
            guard let elements = DocumentShape.sharedElements(new, node, by: key, matcher) else {
                return refuseKeyed(new, node, path, key)
            }
            compareOrder([], elements.map(\.key), path, .standard)
            for element in elements {
                let step = PathStep.element(element.id)
                appearElement(element, path.appending(step), matcher.stepping(step))
            }
        }
    }

    /// Notes the removal of a value and of all values below it.
    ///
    /// - Parameters:
    ///   - replaced: Whether an empty container of the same shape takes the value's place.
    ///   - isInside: Whether the value goes with a container that vanishes. Then a container gets no change of its own,
    ///     except a set or a union.
    mutating func vanish(
        _ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher, replaced: Bool = false, isInside: Bool = false
    ) {
        let old = old!
        let count = changes.count
        let inside = isInside || !replaced
        switch DocumentShape(old, node, matcher) {
        case .local: return
        case .leaf(let rule):
            let value = old.value(node)
            if value.isEmptyContainer, !isInside, matcher.takesApart(old.kind(node)) {
                add(path, .standard, .containerVanished)
            }
            return add(path, rule, .value(old: value, new: nil))
        case .elements(let rule):
            compareElements(old.elements(node).map { old.value($0) }, [], path, rule)
            if !replaced { add(path, rule, .containerVanished) }
            return
        case .object:
            for (name, member) in old.members(node) {
                let step = PathStep.member(name)
                vanish(member, path.appending(step), matcher.stepping(step), isInside: inside)
            }
        case .indexed:
            for (index, element) in old.elements(node).enumerated() {
                let (place, below) = (path.appending(.index(index)), matcher.stepping(.index(index)))
                if inside { vanish(element, place, below, isInside: true) } else { cut(element, place, below) }
            }
        case .keyed(let key):
            guard let elements = DocumentShape.sharedElements(old, node, by: key, matcher) else {
                return refuseKeyed(old, node, path, key)
            }
            for element in elements {
                let step = PathStep.element(element.id)
                vanishElement(element, path.appending(step), matcher.stepping(step))
            }
        }
        // The container comes before its content, so that a reader of the changes knows that the content goes with
        // it.
        guard !isInside, !replaced, changes.count > count else { return }
        changes.insert(LeafChange(path: path, rule: .standard, change: .containerVanished), at: count)
    }

    mutating func appearElement(
        _ element: (id: [UInt8], key: JSONValue, node: JSONNode), _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        add(path, .standard, .elementAppeared(key: element.key))
        appear(element.node, path, matcher)
    }

    mutating func vanishElement(
        _ element: (id: [UInt8], key: JSONValue, node: JSONNode), _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        // The content stays written and is hidden by the membership, so that an element that is kept alive elsewhere
        // is whole. Only its counters are noted, so that a reader of the changes knows which amounts went.
        let count = changes.count
        vanish(element.node, path, matcher)
        removedContents[path] = Set(changes[count...])
        changes[count...].removeAll { $0.rule.merge != .counter }
        changes.insert(LeafChange(path: path, rule: .standard, change: .elementVanished(key: element.key)), at: count)
    }

    /// Notes an array that cannot be taken apart by a key.
    mutating func refuseKeyed(
        _ document: JSONDocument, _ node: JSONNode, _ path: DocumentPath, _ key: JSONString
    ) {
        guard let reason = whyNotKeyed(document, node, by: key) else { return }
        unreadable.append(UnreadableLeaf(path: path, reason: reason))
    }

    mutating func add(_ path: DocumentPath, _ rule: MergeRule, _ change: LeafChange.Change) {
        changes.append(LeafChange(path: path, rule: rule, change: change))
    }
}
