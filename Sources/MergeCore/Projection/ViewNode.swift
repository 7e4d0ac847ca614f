import LosslessJSON

/// The view of a state: what it shows, as a tree shaped like the document.
struct ViewNode {
    /// What the place itself shows.
    var leaf: ShownLeaf?
    /// For a keyed element: whether it is a member, and its key.
    var membership: (present: Bool, key: JSONValue)?
    /// For a keyed element: whether it is its machine's own where nothing shows in it. Then its membership, which came
    /// of other rules or of an earlier version of this program, says nothing.
    private var mayBeOwn = false
    var children: [PathStep: ViewNode] = [:]
    /// The form of a container that stays, empty, after its content was removed one by one; else `nil`.
    var emptied: ContainerForm?
    /// Whether the place, or a container around it, existed and is gone with all its content. A file may hold values
    /// there that the state never saw, because a question about a save left them out. Those are removed as well.
    private(set) var isGone = false
    /// The order of a keyed array that has elements with positions.
    private var order: ArrayOrder?
    /// The evidence that something is shown at the place or below it.
    private(set) var life = Life.none
    /// The largest life of the children.
    private(set) var lifeBelow = Life.none
    /// Whether a value or an element shows at the place or below it. An empty container counts if it was written.
    private var holdsSomething = false

    /// The view of a state, as the file of one replica shows it.
    ///
    /// - Parameter isWanted: Which places are in it, if not all of them. What is right then is known to the caller: an
    ///   element as a whole where all places at and below it are in the view.
    init(_ state: ProfileState, own: ReplicaID? = nil, where isWanted: ((DocumentPath) -> Bool)? = nil) {
        self.init()
        // The version in a file is written by its game alone.
        let version = state.upcasters.version?.place
        let matcher = RuleMatcher(state.rules)
        var paths = Set<DocumentPath>()
        for (path, _) in state.places where isWanted?(path) ?? true { paths.insert(path) }
        for place in paths where !place.isReserved && place != version {
            insert(place, of: state, matcher, own)
        }
        for place in state.places where place.kind == .order && paths.contains(place.path) && !place.path.isReserved {
            guard let steps = place.path.steps else { continue }
            arrange(steps[...], ArrayOrder(state, place.path))
        }
        for path in state.removedAlone where path != version { empty(around: path, matcher) }
        settleLife()
        for path in state.goneContainers { path.steps.map { update($0[...]) { $0.isGone = true } } }
        settleGone(within: false)
        if let version { version.steps.map { keep($0[...]) } }
    }

    /// Works out what is alive, from the leaves up and only once, since a path may be hundreds of steps deep. `withdraw`,
    /// `choose` and `keep` come later and leave these values right.
    private mutating func settleLife() {
        for step in children.keys {
            children[step]!.settleLife()
            lifeBelow = max(lifeBelow, children[step]!.life)
            if children[step]!.holdsSomething { holdsSomething = true }
        }
        if mayBeOwn, lifeBelow == .none, membership?.present == true || children.isEmpty { membership = nil }
        if let membership {
            (life, holdsSomething) = (membership.present ? .always : .none, membership.present)
            return
        }
        switch leaf {
        case .value(_, let stamp?)?, .open(_, let stamp)?: life = max(.written(stamp), lifeBelow)
        case .value(_, nil)?, .elements?, .amount?: life = .always
        case .absent?, nil: life = max(lifeBelow, emptied == nil ? .none : .written(Stamp(rawValue: 0)))
        }
        if let leaf, !leaf.isAbsent { holdsSomething = true }
    }

    /// Keeps a place in every file, even if a container around it is gone.
    private mutating func keep(_ steps: ArraySlice<PathStep>) {
        guard let step = steps.first else {
            isGone = false
            return
        }
        if isGone, children[step] == nil { children[step] = .gone }
        children[step]?.keep(steps.dropFirst())
    }

    /// Decides which places are gone, from the root down. A place with a new or concurrent write is not gone; in a
    /// place that is gone, everything inside is gone too.
    private mutating func settleGone(within isInside: Bool) {
        let wasThere = isGone || membership?.present == false || leaf?.isAbsent == true
        isGone = isInside || wasThere && life == .none
        for step in children.keys { children[step]!.settleGone(within: isGone) }
    }

    /// Whether anything was ever written here or below.
    var isKnown: Bool { leaf != nil || membership != nil || !children.isEmpty }

    /// Notes that a container stays when its content is removed.
    private mutating func empty(around path: DocumentPath, _ root: RuleMatcher) {
        guard let steps = path.steps, let last = steps.last, steps.count > 1 else { return }
        var matcher = root
        for step in steps {
            guard matcher.allows(step) else { return }
            matcher = matcher.stepping(step)
        }
        guard matcher.rule.merge != .local else { return }
        update(steps.dropLast()) { node in
            if node.emptied == nil { node.emptied = ContainerForm(of: last) }
        }
    }

    private init() {}

    /// The view of a place that the state never saw, inside a container that was removed: the file drops it.
    static let gone: ViewNode = {
        var node = ViewNode()
        node.isGone = true
        return node
    }()

    /// Takes a place for gone where nothing is known of it, with what is around it and not known either.
    mutating func withdraw(_ path: DocumentPath) { path.steps.map { withdraw($0[...]) } }

    private mutating func withdraw(_ steps: ArraySlice<PathStep>) {
        guard let step = steps.first else { return }
        if children[step] == nil { children[step] = .gone } else { children[step]!.withdraw(steps.dropFirst()) }
    }

    private mutating func insert(
        _ path: DocumentPath, of state: ProfileState, _ root: RuleMatcher, _ own: ReplicaID?
    ) {
        guard let steps = path.steps else { return }
        var matcher = root
        var elementKey: JSONString?
        for step in steps {
            guard matcher.allows(step) else { return }
            // Only the membership shows the member that tells an element from others.
            if let elementKey, step == .member(elementKey) { return }
            elementKey = nil
            if case .element = step, case .keyed(let key) = matcher.arrayShape { elementKey = key }
            matcher = matcher.stepping(step)
        }
        var leaf = state.shown(path, matcher.rule, in: own)
        if case .value(let value, _)? = leaf, matcher.takesApart(value) { leaf = nil }
        var membership: (present: Bool, key: JSONValue)?
        var mayBeOwn = false
        if case .element(let id)? = steps.last {
            // An element is an object, and its key is the one of its path; a broken peer may say otherwise.
            leaf = leaf?.element(named: id, by: elementKey)
            membership = state.membership(path).flatMap { $0.key.canonicalBytes == id ? $0 : nil }
            mayBeOwn = elementKey.map(matcher.mayKeepElement) ?? false
        }
        guard leaf != nil || membership != nil else { return }
        update(steps[...]) { node in
            node.leaf = leaf
            node.membership = membership
            node.mayBeOwn = mayBeOwn
        }
    }

    private mutating func update(_ steps: ArraySlice<PathStep>, _ body: (inout ViewNode) -> Void) {
        guard let step = steps.first else { return body(&self) }
        children[step, default: ViewNode()].update(steps.dropFirst(), body)
    }

    /// Shows one of the values of an open choice, in place of the newest.
    mutating func choose(_ value: JSONValue, at path: DocumentPath) {
        guard let steps = path.steps, case .open(let values, let stamp)? = self[path]?.leaf else { return }
        update(steps[...]) { $0.leaf = .open([value] + values.filter { $0 != value }, stamp) }
    }

    /// Gives an array its order.
    private mutating func arrange(_ steps: ArraySlice<PathStep>, _ order: ArrayOrder) {
        guard let step = steps.first else {
            self.order = order
            return
        }
        children[step]?.arrange(steps.dropFirst(), order)
    }

    /// The evidence that something is shown at or below a place. Larger means newer: the newest write of a live leaf. A
    /// leaf that only grows has no time and always counts.
    enum Life: Comparable {
        case none
        case written(Stamp)
        case always
    }

    /// Whether the place shows an empty container only because its content was removed piece by piece.
    var isEmptied: Bool { life > .none && !holdsSomething }

    /// What shows at a place below this one; `nil` where nothing was ever written.
    subscript(path: DocumentPath) -> ViewNode? {
        var node = self
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            node = next
        }
        return node
    }

    /// The result of weighing a place's leaf against its children.
    enum Resolution {
        case leaf(ShownLeaf)
        case container
        case nothing
    }

    /// What the place shows. A place cannot show both a leaf and a container: the newer write wins. An empty container
    /// gives way to its content.
    var resolution: Resolution {
        let below = lifeBelow
        guard below != .none else {
            if emptied != nil, leaf?.isAbsent ?? true { return .container }
            return leaf.map { .leaf($0) } ?? (children.isEmpty ? .nothing : .container)
        }
        if case .value(let value, let stamp?)? = leaf, !value.isEmptyContainer, .written(stamp) > below {
            return .leaf(leaf!)
        }
        return .container
    }

    /// Whether this is an element that is its machine's own.
    var isOwn: Bool { mayBeOwn && membership == nil }

    /// The children in order: indexes by number, keyed elements in the order of their array, everything else by its
    /// encoded step.
    var sortedChildren: [(step: PathStep, node: ViewNode)] { sortedChildren { _ in true } }

    /// Some of the children, in the same order.
    func sortedChildren(where isWanted: (PathStep) -> Bool) -> [(step: PathStep, node: ViewNode)] {
        let keyed = children.compactMap {
            isWanted($0.key) ? (order: order(of: $0.key), step: $0.key, node: $0.value) : nil
        }
        return keyed.sorted { a, b in
            a.order.index != b.order.index
                ? a.order.index < b.order.index : a.order.rank < b.order.rank
        }.map { (step: $0.step, node: $0.node) }
    }

    private func order(of step: PathStep) -> (index: Int, rank: ArrayOrder.Rank) {
        switch step {
        case .index(let index): (index, ArrayOrder.Rank(position: [], name: []))
        case .element(let id):
            (-1, order?.rank(id) ?? ArrayOrder.Rank(position: Position.natural(id), name: id))
        case .member: (-2, ArrayOrder.Rank(position: [], name: DocumentPath([step]).encoded))
        }
    }
}
