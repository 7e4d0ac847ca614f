import LosslessJSON

extension ViewNode {
    /// The value to write where a document has nothing; `nil` where there is nothing to show.
    func build(_ matcher: RuleMatcher) -> JSONValue? {
        var vacancies = Vacancies()
        return build(matcher, &vacancies)
    }

    /// Builds the value of this node as a part of a document; `nil` where the part is left out.
    ///
    /// - Parameter vacancies: The empty indexes that arrays may still be filled with.
    func build(_ matcher: RuleMatcher, _ vacancies: inout Vacancies) -> JSONValue? {
        if let membership, !membership.present { return nil }
        switch resolution {
        case .nothing: return membership == nil ? JSONValue?.none : .object([])
        case .leaf(let leaf): return leaf.json
        case .container: break
        }
        let live = sortedChildren.compactMap { child in
            child.node.life == .none
                ? nil
                : child.node.build(matcher.stepping(child.step), &vacancies).map { (child.step, child.node, $0) }
        }
        switch containerForm {
        case .object:
            return .object(
                live.compactMap { step, _, value in
                    guard case .member(let name) = step else { return nil }
                    return JSONMember(key: name, value: value)
                })
        case .keyed:
            guard case .keyed(let key) = matcher.arrayShape else { return .array([]) }
            return .array(live.compactMap { _, node, value in node.identified(value, by: key) })
        case .indexed:
            var elements: [JSONValue] = []
            for case (.index(let index), _, let value) in live {
                guard vacancies.take(elements.count..<index, in: self) else { break }
                while elements.count < index { elements.append(vacancy(at: elements.count, matcher)) }
                elements.append(value)
            }
            return .array(elements)
        }
    }

    /// The value that an array by position shows at an index where nothing is left, while a later index is in use. It
    /// has the kind of the value that the game wrote there, because a game does not read null where it wrote an object
    /// or an amount. A removed container shows as that container, empty; a counter is 0, a flag is false; any other
    /// value is null.
    ///
    /// - Parameter matcher: The rules at the array.
    func vacancy(at index: Int, _ matcher: RuleMatcher) -> JSONValue {
        if let steps = children[.index(index)]?.children.keys, !steps.isEmpty {
            return steps.contains { ContainerForm(of: $0) == .object } ? .object([]) : .array([])
        }
        switch matcher.stepping(.index(index)).rule.merge {
        case .counter: return .number(JSONNumber(ExactDecimal.zero))
        case .flag: return .bool(false)
        default: return .null
        }
    }

    enum ContainerForm {
        case object, keyed, indexed

        /// The form of the container that has this step.
        init(of step: PathStep) {
            switch step {
            case .member: self = .object
            case .element: self = .keyed
            case .index: self = .indexed
            }
        }
    }

    /// The form of this container. Children may be of several forms, because one device may have made an array of what
    /// is an object elsewhere: then the newest write decides.
    var containerForm: ContainerForm {
        if children.keys.allSatisfy({ if case .member = $0 { true } else { false } }) { return .object }
        var best: (life: Life, form: ContainerForm) = (.none, emptied ?? .object)
        for (step, node) in sortedChildren where node.life > best.life {
            best = (node.life, ContainerForm(of: step))
        }
        return best.form
    }

    /// The element with its key member. Where the element's own leaves do not hold the key, it is put first.
    func identified(_ value: JSONValue, by key: JSONString) -> JSONValue? {
        guard let membership, membership.present, case .object(let members) = value else { return nil }
        if members.contains(where: { $0.key == key }) { return value }
        return .object([JSONMember(key: key, value: membership.key)] + members)
    }
}
