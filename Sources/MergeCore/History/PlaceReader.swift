import LosslessJSON

/// Reads what single places of one state show. The view of the whole state, which keyed elements need, is made once.
struct PlaceReader {
    private let state: ProfileState
    private let file: JSONDocument?
    private var view: ViewNode?
    private var readAlone = 0
    private var valuesAbove: ValuesAbove

    /// - Parameter file: A file of the profile, to read what that file shows. Until a choice is decided, a file keeps
    ///   its own one of the open values.
    init(_ state: ProfileState, in file: JSONDocument? = nil) {
        (self.state, self.file, valuesAbove) = (state, file, ValuesAbove(state))
    }

    /// The array at a place and the rules there; `nil` where its elements have no names. O(elements) for a set or a
    /// union, else as for a keyed element, see ``value(at:)``.
    mutating func array(at path: DocumentPath) -> (value: JSONValue, matcher: RuleMatcher)? {
        if state.isInAbsentElement(path) { return nil }
        let matcher = (path.steps ?? []).reduce(RuleMatcher(state.rules)) { $0.stepping($1) }
        if matcher.rule.takesElements {
            return state.shown(path, matcher.rule)?.json.map { ($0, matcher) }
        }
        guard case .keyed = matcher.arrayShape else { return nil }
        return Self.node(at: path, in: root())?.build(matcher).map { ($0, matcher) }
    }

    /// The keys of the elements of a keyed array, in their order; `nil` where no such array is. It takes no more than to
    /// sort them, where ``array(at:)`` builds all that they hold.
    mutating func elementKeys(at path: DocumentPath) -> [JSONValue]? {
        let matcher = (path.steps ?? []).reduce(RuleMatcher(state.rules)) { $0.stepping($1) }
        guard case .keyed(let key) = matcher.arrayShape, !matcher.rule.takesElements, !state.isInAbsentElement(path),
            let node = arrayNode(at: path, whole: matcher.mayKeepElements(by: key)), case .container = node.resolution,
            case .keyed = node.containerForm
        else { return nil }
        return node.sortedChildren.compactMap { child in
            guard let membership = child.node.membership, membership.present else { return nil }
            return child.node.containerForm == .object ? membership.key : nil
        }
    }

    /// The node of a keyed array, without what its elements hold where that is not needed.
    ///
    /// - Parameter whole: Whether what an element holds decides if it is one for others than its machine.
    private mutating func arrayNode(at path: DocumentPath, whole: Bool) -> ViewNode? {
        guard !whole, readsAlone() else { return Self.node(at: path, in: root()) }
        // Where the array has elements of another kind too, what they hold decides which of them show.
        var isKeyedAlone = true
        let view = ViewNode(state) { place in
            guard place.isAtOrBelow(path) else { return false }
            let rest = place.encoded.dropFirst(path.encoded.count + 1)
            if !rest.isEmpty, !rest.starts(with: "~2".utf8) { isKeyedAlone = false }
            return !rest.contains(UInt8(ascii: "/"))
        }
        return Self.node(at: path, in: isKeyedAlone ? view : root())
    }

    private static func node(at path: DocumentPath, in view: ViewNode) -> ViewNode? {
        var node = view
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            node = next
        }
        return node
    }

    /// The value that a place shows; `nil` for nothing. O(1) for a leaf, O(places) for the first keyed element.
    mutating func value(at path: DocumentPath) -> JSONValue? {
        // Before a profile's first write its every place is asked for; this answers without a lookup.
        if state.atomCount == 0 { return nil }
        // A removed element leaves the atoms of its values in the state, but no file shows those values.
        if state.isInAbsentElement(path) || isBelowValue(path) { return nil }
        guard path.endsInElement else {
            let value =
                file.flatMap { state.ownChoice(path, in: $0) }
                ?? state.shown(path, state.rules.rule(for: path))?.json
            return value.flatMap { isAboveValues(path, $0) ? nil : $0 }
        }
        guard holdsElement(path) else { return nil }
        let view = readsAlone() ? ViewNode(state) { $0.isAtOrBelow(path) } : root()
        var (node, matcher) = (view, RuleMatcher(state.rules))
        var key: JSONString?
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            if case .keyed(let name) = matcher.arrayShape { key = name }
            (node, matcher) = (next, matcher.stepping(step))
        }
        guard let key, let value = node.build(matcher) else { return nil }
        return node.identified(value, by: key)
    }

    /// Whether a value shows above a place, written later than all that is below it: the place shows nothing then. O(depth)
    /// where nothing above was ever a value.
    private mutating func isBelowValue(_ path: DocumentPath) -> Bool {
        guard !valuesAbove.places(above: path).isEmpty else { return false }
        var node = root()
        for step in path.steps?.dropLast() ?? [] {
            guard let next = node.children[step] else { return false }
            node = next
            if case .leaf(let leaf) = node.resolution, leaf.json?.isEmptyContainer == false { return true }
        }
        return false
    }

    /// Whether a value at a place does not show, because something below it was written later.
    private mutating func isAboveValues(_ path: DocumentPath, _ value: JSONValue) -> Bool {
        guard !value.isEmptyContainer, state.hasBelow(path), let node = Self.node(at: path, in: root()) else {
            return false
        }
        if case .container = node.resolution { return true }
        return false
    }

    /// Whether a keyed element is a member of its array. O(1).
    func holdsElement(_ path: DocumentPath) -> Bool {
        guard case .element(let id)? = path.steps?.last, let membership = state.membership(path) else { return false }
        return membership.present && membership.key.canonicalBytes == id && !state.isInAbsentElement(path)
    }

    /// Whether one more place may be read without the view of the whole state: mostly there are few.
    private mutating func readsAlone() -> Bool {
        guard view == nil, file == nil, readAlone < Self.readAloneLimit else { return false }
        readAlone += 1
        return true
    }

    /// How many elements and arrays are read one by one, each in O(places), before the whole view is made.
    private static let readAloneLimit = 4

    private mutating func root() -> ViewNode {
        if let view { return view }
        var root = ViewNode(state)
        if let file {
            for path in state.openChoices { state.ownChoice(path, in: file).map { root.choose($0, at: path) } }
        }
        view = root
        return root
    }
}

extension ProfileState {
    /// The places at which something was lost with atoms that were put aside: what they showed before does not show any
    /// more, or an amount of a counter is among the atoms. (A counter may show the same as the sum of other amounts.)
    ///
    /// - Complexity: O(atoms), see ``value(at:)``.
    package func placesThatLost(_ aside: [KeyedAtom], since former: ProfileState) -> Set<DocumentPath> {
        var (now, before) = (PlaceReader(self), PlaceReader(former))
        var lost = Set<DocumentPath>()
        for key in aside.map(\.key) where !lost.contains(key.path) {
            let isAmount = key.kind.base == .counter && !key.sub.isEmpty
            if isAmount || now.value(at: key.path) != before.value(at: key.path) { lost.insert(key.path) }
        }
        return lost
    }

    /// The value of an open choice that a file holds; `nil` where no choice is open, or the file holds none of its
    /// values.
    fileprivate func ownChoice(_ path: DocumentPath, in file: JSONDocument) -> JSONValue? {
        let candidates = openChoice(path)
        guard !candidates.isEmpty, let (node, _) = Projection(of: self, onto: file, touching: []).locate(path) else {
            return nil
        }
        let value = file.value(node)
        return candidates.contains { $0.value == value } ? value : JSONValue?.none
    }
}

extension DocumentPath {
    /// Whether it names a keyed element as a whole.
    var endsInElement: Bool {
        guard namesElement, case .element? = steps?.last else { return false }
        return true
    }

    /// Whether a step of it may be a keyed element. Reads the bytes alone, and is asked of every place of a save.
    var namesElement: Bool {
        zip(encoded, encoded.dropFirst()).contains { $0 == UInt8(ascii: "~") && $1 == UInt8(ascii: "2") }
    }
}
