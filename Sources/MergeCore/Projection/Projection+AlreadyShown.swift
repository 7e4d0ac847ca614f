import LosslessJSON

/// The quick look whether a document shows a state: one walk over the document, without the tree of the whole view.
extension Projection {
    /// Whether a document shows every value of a state, each in its order, and no other but local ones. False where that is
    /// not so, and where the quick look cannot tell: values that were removed, for example, take the whole view.
    ///
    /// Every leaf of the document must show what the state shows there, and every place of the state must be one of
    /// these leaves. Then the view of the state has the shape of the document, and no edit is left to plan.
    ///
    /// - Complexity: O(document + places), a lookup in the state for each leaf.
    static func isAlreadyShown(_ state: ProfileState, by document: JSONDocument) -> Bool {
        var walk = ShownWalk(state, document)
        return walk.shows(document.root, at: .root, RuleMatcher(state.rules)) && walk.sawAllPlaces
    }
}

/// A walk over a document that compares each leaf with what a state shows there.
private struct ShownWalk {
    private let state: ProfileState
    private let document: JSONDocument
    /// The place where saves state their version. Its game alone writes there, and no state holds it.
    private let version: DocumentPath?
    /// The places at which the state shows what the document shows.
    private var seen: Set<DocumentPath> = []
    /// The arrays whose elements are in the order of the state.
    private var ordered: Set<DocumentPath> = []

    init(_ state: ProfileState, _ document: JSONDocument) {
        (self.state, self.document) = (state, document)
        version = state.upcasters.version?.place
    }

    /// Whether the state has no place that the walk did not come by.
    var sawAllPlaces: Bool {
        state.places.allSatisfy { place in
            if place.path.isReserved || place.path == version { return true }
            return place.kind == .order ? ordered.contains(place.path) : seen.contains(place.path)
        }
    }

    /// Whether a node shows what the state shows at and below a path.
    mutating func shows(_ node: JSONNode, at path: DocumentPath, _ matcher: RuleMatcher) -> Bool {
        if path == version { return true }
        switch DocumentShape(document, node, matcher) {
        // It belongs to the device, and a state that has something there has a place that the walk does not come by.
        case .local: return true
        case .leaf, .elements: return showsLeaf(node, path, matcher.rule)
        case .object:
            return document.members(node).allSatisfy { name, member in
                shows(member, at: path.appending(.member(name)), matcher.stepping(.member(name)))
            }
        case .indexed:
            return document.elements(node).enumerated().allSatisfy { index, element in
                shows(element, at: path.appending(.index(index)), matcher.stepping(.index(index)))
            }
        case .keyed(let key): return showsElements(of: node, path, matcher, by: key)
        }
    }

    private mutating func showsLeaf(_ node: JSONNode, _ path: DocumentPath, _ rule: MergeRule) -> Bool {
        guard let leaf = state.shown(path, rule), let wanted = leaf.json else { return false }
        let value = document.value(node)
        switch leaf {
        case .elements:
            // In one order, since it may be that of the household.
            guard value == wanted else { return false }
            ordered.insert(path)
        case .value, .open: guard value == wanted else { return false }
        case .amount(let amount, _):
            guard case .number(let shown)? = Ordinal(value, by: rule), shown == amount, rule.readsAlike(value, wanted)
            else { return false }
        case .absent: return false
        }
        seen.insert(path)
        return true
    }

    /// Whether the elements of an array, told apart by a member, are those that the state shows, in its order.
    private mutating func showsElements(
        of node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher, by key: JSONString
    ) -> Bool {
        guard let elements = DocumentShape.sharedElements(document, node, by: key, matcher) else { return false }
        let order = ArrayOrder(state, path)
        var last: ArrayOrder.Rank?
        for element in elements {
            let rank = order.rank(element.id)
            if let last, rank < last { return false }
            last = rank
            let (step, place) = (PathStep.element(element.id), path.appending(.element(element.id)))
            guard let membership = state.membership(place), membership.present, membership.key == element.key else {
                return false
            }
            seen.insert(place)
            let inside = matcher.stepping(step)
            // An element that is one value is a leaf as well; else its place has no value of its own.
            if inside.rule.isWhole {
                guard showsLeaf(element.node, place, inside.rule) else { return false }
                continue
            }
            for (name, member) in document.members(element.node) where name != key {
                guard shows(member, at: place.appending(.member(name)), inside.stepping(.member(name))) else {
                    return false
                }
            }
        }
        ordered.insert(path)
        return true
    }
}
