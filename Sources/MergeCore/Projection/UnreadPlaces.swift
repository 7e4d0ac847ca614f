package import LosslessJSON

/// The places of a document whose value their rule cannot read, such as a text under `counter`. A projection leaves
/// such a value in the file, so the file may show something else there than every other device.
///
/// Which places these are depends only on the document and the rules. Whether the value is shared depends on the state,
/// which is asked each time: if no value counted at the place before, the value is sent as it is.
package struct UnreadPlaces: Sendable {
    private let rules: RuleSet
    /// The places, and perhaps some whose value can be read now.
    private var paths: Set<DocumentPath> = []

    /// Searches a document. O(document) where the rules may leave something unread, else O(rules).
    package init(in document: JSONDocument, _ rules: RuleSet) {
        self.rules = rules
        if rules.mayLeaveUnread { search(document, document.root, .root, RuleMatcher(rules)) }
    }

    private mutating func search(
        _ document: JSONDocument, _ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        if matcher.isPastEveryRule { return }
        switch DocumentShape(document, node, matcher) {
        case .local: return
        case .elements(let rule): if rule.whyUnread(document.value(node)) != nil { paths.insert(path) }
        case .leaf(let rule): if rule.whyUnread(document.value(node)) != nil { paths.insert(path) }
        case .object:
            for (name, member) in document.members(node) {
                let step = PathStep.member(name)
                search(document, member, path.appending(step), matcher.stepping(step))
            }
        case .indexed:
            for (index, element) in document.elements(node).enumerated() {
                search(document, element, path.appending(.index(index)), matcher.stepping(.index(index)))
            }
        case .keyed(let key):
            guard let elements = keyedElements(document, node, by: key) else {
                paths.insert(path)
                return
            }
            for element in elements {
                let step = PathStep.element(element.id)
                search(document, element.node, path.appending(step), matcher.stepping(step))
            }
        }
    }

    /// Whether every value can be read.
    package var isEmpty: Bool { paths.isEmpty }

    /// Whether these are the places under other rules than those in force.
    package func isOutdated(_ state: ProfileState) -> Bool { state.rules != rules }

    /// Adds places that a save left unread.
    package mutating func add(_ found: some Sequence<UnreadableLeaf>) { paths.formUnion(found.map(\.path)) }

    /// Adds those of some places where a value that its rule cannot read is in the document, or is about to be written.
    ///
    /// - Complexity: O(places · depth, and the values beside them).
    package mutating func add(_ touched: [DocumentPath], in document: JSONDocument, _ state: ProfileState) {
        guard rules.mayLeaveUnread else { return }
        let places = Set(touched)
        let nodes = PlaceTree(places).nodes(of: document, rules)
        for path in places where !paths.contains(path) {
            let rule = rules.rule(for: path)
            let values = [nodes[path].map { document.value($0) }, state.shown(path, rule)?.json].compactMap(\.self)
            if values.contains(where: { rule.whyUnread($0) != nil }) { paths.insert(path) }
        }
    }

    /// The places at which the document keeps a value that its rule cannot read, while the state shows something else
    /// or nothing, in order.
    ///
    /// - Complexity: O(places · depth, and the values beside them).
    package func unshared(in document: JSONDocument, _ state: ProfileState) -> [UnreadableLeaf] {
        guard !paths.isEmpty else { return [] }
        let nodes = PlaceTree(paths).nodes(of: document, rules)
        return nodes.sorted { $0.key < $1.key }.compactMap { path, node in
            let rule = rules.rule(for: path)
            guard let reason = whyUnread(document, node, path, rule),
                state.shown(path, rule)?.json != document.value(node)
            else { return nil }
            return UnreadableLeaf(path: path, reason: reason)
        }
    }

    private func whyUnread(
        _ document: JSONDocument, _ node: JSONNode, _ path: DocumentPath, _ rule: MergeRule
    ) -> String? {
        var matcher = RuleMatcher(rules)
        for step in path.steps ?? [] { matcher = matcher.stepping(step) }
        switch DocumentShape(document, node, matcher) {
        case .leaf(let rule), .elements(let rule): return rule.whyUnread(document.value(node))
        case .keyed(let key): return whyNotKeyed(document, node, by: key)
        default: return nil
        }
    }

    /// The reason why a set is not kept as it is.
    static var repeated: String { "a set holds each element once, and this list holds one more than once" }
}

extension ProfileState {
    /// The places that a save left unread and whose value is not kept anywhere: the rule shows the former value, and a
    /// projection puts that into the file.
    package func putBack(_ unread: [UnreadableLeaf], in save: JSONDocument) -> [UnreadableLeaf] {
        guard !unread.isEmpty else { return [] }
        let nodes = PlaceTree(unread.map(\.path)).nodes(of: save, rules)
        return unread.filter { leaf in
            guard let node = nodes[leaf.path] else { return false }
            let (value, rule) = (save.value(node), rules.rule(for: leaf.path))
            guard rule.projectionReads(value), let shown = shown(leaf.path, rule)?.json else { return false }
            return shown != value
        }
    }
}

extension RuleSet {
    /// Whether a document can hold a value that one of the rules cannot read.
    package var mayLeaveUnread: Bool {
        inForce.contains { entry in
            let isKeyed = entry.pattern.steps.contains { if case .keyed = $0 { true } else { false } }
            return isKeyed
                || !entry.rule.isWhole
                    && (entry.rule.isOrdered || entry.rule.reading == .bits || entry.rule.takesElements)
        }
    }
}

extension MergeRule {
    /// Whether the rule reads a value in a file, so that a projection replaces it by the known value. A value that the
    /// rule cannot read stays until the game changes it.
    func projectionReads(_ value: JSONValue) -> Bool {
        if value == .null { return true }
        if isOrdered, !none.contains(value), !reads(value) { return false }
        return reading != .bits || BitField.elements(of: value) != nil
    }

    /// Why the rule cannot read a value, in a few words; `nil` where it can, or where it takes any value.
    fileprivate func whyUnread(_ value: JSONValue) -> String? {
        if isWhole { return nil }
        guard projectionReads(value) else {
            if merge == .counter { return "counter takes a number of at most 1,000 digits" }
            return reading == .bits
                ? "bits take a whole number from 0 on, of at most \(BitField.limit) binary digits"
                : "\(merge.rawValue) cannot read this value"
        }
        if takesElements, case .array(let elements) = value, Set(elements).count < elements.count {
            return UnreadPlaces.repeated
        }
        return nil
    }
}
