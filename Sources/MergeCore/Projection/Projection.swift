public import LosslessJSON

/// The edits that make a document show what a state knows, and leave every other byte as it is.
public struct Projection {
    /// The edits to patch the document with; empty where it shows everything already.
    public internal(set) var edits: [JSONEdit] = []

    let document: JSONDocument
    let state: ProfileState
    /// The replica whose file the document is, where that is known.
    let own: ReplicaID?
    /// Whether values that the state never saw are removed as well.
    private let isExact: Bool
    /// Where the document says its version. Its game alone writes there, and no state holds it.
    private var versionNode: JSONNode?
    /// The empty indexes that arrays may still be filled with.
    private var vacancies = Vacancies()

    /// Plans the edits.
    ///
    /// - Parameters:
    ///   - state: The state that the document is to show.
    ///   - document: The file as it is.
    ///   - touching: The keys that changed since `document` and state last agreed; `nil` compares everything.
    ///   - withdrawn: Places that `document` may show and of which the state knows nothing any more, since their writer
    ///     says that it never wrote them. They are removed like values that are gone.
    ///   - own: The replica that keeps the file. Where the file holds none of the values of an open choice, it gets the
    ///     value that this replica wrote.
    ///   - isExact: Whether the document is to show the values of the state and nothing else. Otherwise values that the
    ///     state never saw stay, unless a container around them is gone. Values that are local, or that their rule
    ///     cannot read, stay in either case, but for containers in which nothing is left.
    /// - Complexity: O(touched · depth) if only values of leaves that stay change, else O(document + state).
    public init(
        of state: ProfileState, onto document: JSONDocument, touching: [AtomKey]? = nil,
        withdrawn: Set<DocumentPath> = [], own: ReplicaID? = nil, isExact: Bool = false
    ) {
        self.document = document
        self.state = state
        self.own = own
        self.isExact = isExact
        if let touching, !isExact, withdrawn.isEmpty, replaceLeaves(state.upcasters.shown(touching)) { return }
        edits = []
        if !isExact, withdrawn.isEmpty, Self.isAlreadyShown(state, by: document) { return }
        var view = ViewNode(state, own: own)
        for path in withdrawn { view.withdraw(path) }
        planAll(view)
    }

    /// Plans the edits to one of several documents. `view` is the view of the state, made once for all of them.
    init(of state: ProfileState, as view: ViewNode, onto document: JSONDocument) {
        self.document = document
        self.state = state
        (own, isExact) = (nil, false)
        planAll(view)
    }

    private static func versionNode(_ document: JSONDocument, _ rules: RuleSet) -> JSONNode? {
        guard rules.version != nil, let place = rules.versionAt else { return nil }
        return (try? JSONPointer(parsing: place)).flatMap { document.node(at: $0) }
    }

    private mutating func planAll(_ view: ViewNode) {
        versionNode = Self.versionNode(document, state.rules)
        let matcher = RuleMatcher(state.rules)
        guard plan(document.root, view, matcher) else { return }
        // The root cannot be removed: if nothing is left, it becomes empty, or is empty already.
        if let value = view.build(matcher, &vacancies) ?? emptyRoot(matcher) {
            edits = document.value(document.root) == value ? [] : [.replace(document.root, value)]
        }
    }

    /// The empty root of a document that the rules take apart; `nil` where the document is one value.
    private func emptyRoot(_ matcher: RuleMatcher) -> JSONValue? {
        let kind = document.kind(document.root)
        guard matcher.takesApart(kind) else { return nil }
        return kind == .array ? .array([]) : .object([])
    }

    /// Plans the changes at and below a node. Returns true where the node itself is to be removed.
    ///
    /// - Parameter key: The member that tells an element of an array from the others. It is part of the place, and no
    ///   value of its own.
    private mutating func plan(
        _ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher, key: JSONString? = nil
    ) -> Bool {
        if node == versionNode { return false }
        if let membership = view.membership, !membership.present {
            guard let key, matcher.mayKeepElement(named: key) else { return true }
            return removeShared(node, matcher, key)
        }
        switch view.resolution {
        case .nothing:
            // If only the key of an element is known, the element stays, and holds nothing else.
            return (view.isGone || isExact && key != nil) && removal(node, view, matcher, key)
        case .leaf(let leaf):
            if leaf.isAbsent { return removal(node, view, matcher, key) }
            if case .elements = leaf, document.kind(node) == .array {
                place(leaf, node, matcher.rule)
                return false
            }
            // For an open choice the file keeps its own value, see `place`.
            if let value = leaf.json, value.isEmptyContainer, document.kind(node) == value.kindOfContainer,
                matcher.rule.merge != .choice
            {
                if document.count(node) > 0, removal(node, view, matcher, key) { edits.append(.replace(node, value)) }
                return false
            }
            if isUnreadContainer(node, matcher), view.lifeBelow == .none, let value = leaf.json {
                if removal(node, view, matcher, key) { edits.append(.replace(node, value)) }
                return false
            }
            // A container that holds local data stays in this file, though another machine has another value in its place.
            if isReplaced(node, by: leaf), DocumentShape.keepsSome(document, node, matcher) {
                if removal(node, view, matcher, key), let value = leaf.json { edits.append(.replace(node, value)) }
                return false
            }
            place(leaf, node, matcher.rule)
            return false
        case .container:
            return container(node, view, matcher, key)
        }
    }

    /// Whether a rule cannot read a container of which all content is known by itself, or that has none. Once that content
    /// is gone, the container gives way to the value: a game update may have made an object of a number, and a downgrade a
    /// number of it again.
    private func isUnreadContainer(_ node: JSONNode, _ matcher: RuleMatcher) -> Bool {
        guard [.object, .array].contains(document.kind(node)), !matcher.rule.projectionReads(document.value(node))
        else {
            return false
        }
        switch DocumentShape(document, node, matcher) {
        case .object, .keyed, .indexed: return true
        case .leaf: return document.count(node) == 0
        case .elements, .local: return false
        }
    }

    private mutating func container(
        _ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher, _ key: JSONString?
    ) -> Bool {
        guard view.lifeBelow != .none || view.emptied != nil else { return removal(node, view, matcher, key) }
        switch (view.containerForm, document.kind(node), matcher.arrayShape) {
        case (.object, .object, _): members(node, view, matcher, key)
        case (.keyed, .array, .keyed(let key)): keyed(node, view, matcher, key)
        case (.indexed, .array, .indexed): indexed(node, view, matcher)
        default:
            if DocumentShape.keepsSome(document, node, matcher), !removal(node, view, matcher, key) { return false }
            if let value = view.build(matcher, &vacancies) { edits.append(.replace(node, value)) }
        }
        return false
    }

    /// Whether a leaf would take the place of a container with all that is in it.
    private func isReplaced(_ node: JSONNode, by leaf: ShownLeaf) -> Bool {
        [.object, .array].contains(document.kind(node)) && leaf.json.map { $0 != document.value(node) } ?? false
    }

    /// Removes what is synced in an element that is no member of its array any more, and keeps what is local, with the
    /// member that tells the element from others. Returns true where nothing but that member would be left.
    private mutating func removeShared(_ node: JSONNode, _ matcher: RuleMatcher, _ key: JSONString) -> Bool {
        let members = document.members(node).filter { $0.key != key }
        if members.isEmpty { return false }
        let keepsSome = members.contains { name, member in
            DocumentShape.keepsSome(document, member, matcher.stepping(.member(name)))
        }
        guard keepsSome else { return true }
        for (name, member) in members {
            if plan(member, .gone, matcher.stepping(.member(name))) { edits.append(.remove(member)) }
        }
        return false
    }

    private mutating func members(
        _ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher, _ key: JSONString?
    ) {
        var present = Set<JSONString>()
        for (name, member) in document.members(node) {
            present.insert(name)
            guard let child = name == key ? view.children[.member(name)] : known(view, .member(name)) else { continue }
            if plan(member, child, matcher.stepping(.member(name))) { edits.append(.remove(member)) }
        }
        // Most often nothing is missing, so what is there already is not put in order.
        let missing = view.sortedChildren { step in
            if case .member(let name) = step { !present.contains(name) } else { false }
        }
        for (step, child) in missing where child.life != .none {
            guard case .member(let name) = step, let value = child.build(matcher.stepping(step), &vacancies)
            else { continue }
            edits.append(.insertMember(into: node, key: name, value))
        }
    }

    private mutating func keyed(_ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher, _ key: JSONString) {
        guard let elements = keyedElements(document, node, by: key) else { return }  // unreadable: left alone
        var present = Set<[UInt8]>()
        // The elements that the array holds after the edits: first those that stay, then the new ones.
        var names: [[UInt8]] = []
        for element in elements {
            present.insert(element.id)
            if let child = known(view, .element(element.id)),
                plan(element.node, child, matcher.stepping(.element(element.id)), key: key)
            {
                edits.append(.remove(element.node))
            } else {
                names.append(element.id)
            }
        }
        for (step, child) in view.sortedChildren where child.membership?.present == true {
            guard case .element(let id) = step, !present.contains(id),
                let value = child.build(matcher.stepping(step), &vacancies),
                let element = child.identified(value, by: key)
            else { continue }
            edits.append(.appendElement(to: node, element))
            names.append(id)
        }
        let shared = view.sortedChildren.filter { !$0.node.isOwn }
        order(node, names, ArrayOrder.places(of: shared.compactMap(\.step.elementID)))
    }

    /// Plans the changes to an array by position. Only its tail can be removed: an index in the middle also fixes the
    /// index of the element after it. If the element at such an index is gone, every device shows null or an empty
    /// container there.
    private mutating func indexed(_ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher) {
        let elements = Array(document.elements(node))
        var gone: [(index: Int, node: JSONNode)] = []
        var holes: [(index: Int, node: JSONNode)] = []
        for (index, element) in elements.enumerated() {
            if let child = known(view, .index(index)), plan(element, child, matcher.stepping(.index(index))) {
                gone.append((index, element))
            } else {
                holes += gone
                gone = []
            }
        }
        var next = elements.count
        var appended: [JSONEdit] = []
        for case (.index(let index), let child) in view.sortedChildren.map({ ($0.step, $0.node) }) {
            guard index >= elements.count, child.life != .none,
                let value = child.build(matcher.stepping(.index(index)), &vacancies)
            else { continue }
            guard vacancies.take(next..<index, in: view) else { break }
            while next < index {
                appended.append(.appendElement(to: node, view.vacancy(at: next, matcher)))
                next += 1
            }
            appended.append(.appendElement(to: node, value))
            next += 1
        }
        if appended.isEmpty { edits += gone.map { .remove($0.node) } } else { holes += gone }
        for (index, hole) in holes {
            let vacancy = view.vacancy(at: index, matcher)
            if document.value(hole) != vacancy { edits.append(.replace(hole, vacancy)) }
        }
        edits += appended
    }

    /// Removes values that are known to be gone below a node. In a container that is gone, it also removes values that
    /// the state never saw, except values that a rule cannot read. Returns true if nothing else is in the node, so that
    /// the node can go.
    private mutating func removal(
        _ node: JSONNode, _ view: ViewNode, _ matcher: RuleMatcher, _ key: JSONString?
    ) -> Bool {
        switch DocumentShape(document, node, matcher) {
        case .local: return false
        case .leaf(let rule):
            return view.isKnown || rule.projectionReads(document.value(node))
        case .elements(let rule): return rule.merge == .set || view.leaf?.isAbsent == true || view.isGone
        case .keyed(let key):
            guard let elements = keyedElements(document, node, by: key) else { return false }
            return removeAll(elements.map { ($0.node, .element($0.id)) }, view, matcher, elementsBy: key)
        case .object:
            return removeAll(document.members(node).map { ($0.value, .member($0.key)) }, view, matcher, key)
        case .indexed:
            let elements = document.elements(node).enumerated().map { ($0.element, PathStep.index($0.offset)) }
            let all = elements.allSatisfy { (inside(view, $0.1)?.life ?? .always) == .none }
            return all && removeAll(elements, view, matcher)
        }
    }

    private mutating func removeAll(
        _ children: [(node: JSONNode, step: PathStep)], _ view: ViewNode, _ matcher: RuleMatcher,
        _ key: JSONString? = nil, elementsBy elementKey: JSONString? = nil
    ) -> Bool {
        let before = edits.count
        var gone: [JSONEdit] = []
        for (node, step) in children {
            let isKey = key.map { step == .member($0) } ?? false
            guard let child = isKey && !view.isGone ? view.children[step] : inside(view, step) else { continue }
            let inside = matcher.stepping(step)
            if let elementKey, child.membership?.present == false, inside.mayKeepElement(named: elementKey) {
                if removeShared(node, inside, elementKey) { gone.append(.remove(node)) }
            } else if plan(node, child, inside) {
                gone.append(.remove(node))
            }
        }
        if gone.count == children.count {
            edits.removeSubrange(before...)
            return true
        }
        edits += gone
        return false
    }

    /// The view of a member or element. If the state never saw it, the result is a view of something gone if the
    /// container is gone, else `nil`.
    private func inside(_ view: ViewNode, _ step: PathStep) -> ViewNode? {
        view.children[step] ?? (view.isGone || isExact ? .gone : nil)
    }

    /// The view of a member or element of a container that is still there. If the state never saw it, the result is
    /// `nil`, so that the value stays; in an exact projection it is a view of something gone, so that the value is
    /// removed.
    private func known(_ view: ViewNode, _ step: PathStep) -> ViewNode? {
        view.children[step] ?? (isExact ? .gone : nil)
    }
}

extension JSONValue {
    fileprivate var kindOfContainer: JSONKind { if case .array = self { .array } else { .object } }
}
