public import LosslessJSON

/// The difference of two documents, in the terms of the rules. It is a pure function. Its cost is proportional to what
/// differs: equal text is skipped without a look inside.
public struct DocumentDiff: Sendable {
    /// The changes, in the order of the new document. Members that vanished from an object come after its other
    /// members.
    public private(set) var changes: [LeafChange] = []
    /// Arrays whose elements are in another order than before, or have new ones among them. They are not among
    /// ``changes``, because a new order alone is no play: it gives no vote in the choice of a base, is no loss, and is
    /// no step of the history.
    public private(set) var orders: [LeafChange] = []
    /// Arrays whose elements the rules tell apart by a key (`[key]`), but whose elements do not all have a key of their
    /// own. Scalars that their rule cannot read are found later, when they are written.
    public private(set) var unreadable: [UnreadableLeaf] = []

    /// Sets that held elements before and hold none now.
    private(set) var emptied = Set<DocumentPath>()

    /// The topmost places that the new document holds and the old one lacks, elements of arrays with a key among them.
    private(set) var newPlaces = Set<DocumentPath>()

    /// The content of each element that vanished from an array with a key, by the element's place. ``changes`` has only
    /// the counters of such an element.
    private(set) var removedContents: [DocumentPath: Set<LeafChange>] = [:]

    /// All that is to be written: the changes, and the new orders.
    public var writes: [LeafChange] { changes + orders }

    /// This difference, with the orders taken from the difference to another snapshot.
    func ordered(as snapshot: DocumentDiff) -> DocumentDiff {
        var other = self
        other.orders = snapshot.orders
        return other
    }

    /// This difference without the changes and orders at the places that a selector covers. O(changes · patterns).
    func without(_ selector: PathSelector) -> DocumentDiff {
        var other = self
        other.changes.removeAll { selector.covers($0.path) }
        other.orders.removeAll { selector.covers($0.path) }
        return other
    }

    /// The arrays in which the elements that both documents hold are in another order, each with the smallest number of
    /// elements that have to move for that. O(n log n) in the elements of arrays that changed.
    var moves: [DocumentPath: Int] {
        var moves: [DocumentPath: Int] = [:]
        for list in orders {
            guard case .order(let before, let after) = list.change else { continue }
            let ranks = Dictionary(before.enumerated().map { ($1, $0) }) { first, _ in first }
            let places = after.compactMap { ranks[$0] }
            let moved = places.count - places.longestAscent().count
            if moved > 0 { moves[list.path] = moved }
        }
        return moves
    }

    /// Whether two differences have the same changes. Their orders are ignored. O(changes).
    func hasChanges(of other: DocumentDiff) -> Bool {
        changes.count == other.changes.count && Set(changes) == Set(other.changes)
    }

    private let old: JSONDocument?
    private let new: JSONDocument
    /// The old value that is noted for a leaf that appears: none, or null if the array around it could not be read
    /// before.
    private var formerOfAppearing: JSONValue?

    /// Compares two documents.
    ///
    /// - Parameters:
    ///   - old: The snapshot that the writer had read; `nil` if there is none, so that everything appeared.
    ///   - new: The document that it wrote.
    ///   - rules: The rules in force.
    public init(from old: JSONDocument?, to new: JSONDocument, rules: RuleSet) {
        self.old = old
        self.new = new
        compare(old?.root, new.root, .root, RuleMatcher(rules))
    }

    private mutating func compare(_ a: JSONNode?, _ b: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
        guard let old, let a else {
            if matcher.rule.merge != .local { newPlaces.insert(path) }
            return appear(b, path, matcher)
        }
        if old.sameText(a, as: b, in: new) { return }
        switch (DocumentShape(old, a, matcher), DocumentShape(new, b, matcher)) {
        case (.local, .local): return
        case (.leaf(let former), .leaf(let rule)) where former == rule:
            let (before, after) = (old.value(a), new.value(b))
            guard before != after else { return }
            if before.isEmptyContainer, !after.isContainer, matcher.takesApart(old.kind(a)) {
                return replace(a, b, path, matcher)
            }
            add(path, rule, .value(old: before, new: after))
        case (.elements(let rule), .elements):
            compareElements(old.elements(a).map { old.value($0) }, new.elements(b).map { new.value($0) }, path, rule)
        case (.object, .object): compareMembers(a, b, path, matcher)
        case (.indexed, .indexed): compareIndexes(Array(old.elements(a)), Array(new.elements(b)), path, matcher)
        case (.keyed(let key), .keyed): compareKeyed(a, b, key, path, matcher)
        default: replace(a, b, path, matcher)
        }
    }

    /// Handles a place whose shape changed: the old value vanishes, and the new one appears.
    private mutating func replace(_ a: JSONNode, _ b: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
        let emptied = old!.count(a) == 0 && old!.kind(a) == new.kind(b)
        let becameEmpty = new.count(b) == 0 && old!.kind(a) == new.kind(b)
        let count = changes.count
        if emptied {
            for (name, _) in new.members(b) { newPlaces.insert(path.appending(.member(name))) }
        } else {
            vanish(a, path, matcher, replaced: becameEmpty)
        }
        // A container that lost only what its rules put back was not emptied.
        if becameEmpty, changes.count > count, changes[count...].allSatisfy(\.isPutBack) { return }
        appear(b, path, matcher)
    }

    private mutating func compareMembers(_ a: JSONNode, _ b: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
        let old = old!
        var before: [JSONString: JSONNode] = [:]
        var formers = old.members(a).makeIterator()
        // Games write members in one order: walk both in step, and index the old side only from the first
        // difference.
        var inStep = true
        for (name, node) in new.members(b) {
            var former: JSONNode?
            if inStep, let next = formers.next() {
                if next.key == name {
                    former = next.value
                } else {
                    inStep = false
                    before[next.key] = next.value
                    while let rest = formers.next() { before[rest.key] = rest.value }
                    former = before.removeValue(forKey: name)
                }
            } else {
                inStep = false
                former = before.removeValue(forKey: name)
            }
            if let former, old.sameText(former, as: node, in: new) { continue }
            let step = PathStep.member(name)
            compare(former, node, path.appending(step), matcher.stepping(step))
        }
        if inStep { while let rest = formers.next() { before[rest.key] = rest.value } }
        for (name, node) in before.sorted(by: { $0.key < $1.key }) {
            let step = PathStep.member(name)
            vanish(node, path.appending(step), matcher.stepping(step))
        }
    }

    private mutating func compareIndexes(
        _ a: [JSONNode], _ b: [JSONNode], _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        for index in 0..<max(a.count, b.count) {
            let step = PathStep.index(index)
            if index < b.count {
                compare(index < a.count ? a[index] : nil, b[index], path.appending(step), matcher.stepping(step))
            } else {
                cut(a[index], path.appending(step), matcher.stepping(step))
            }
        }
    }

    /// Handles an element of an array by position that vanished. It is removed like a container: if a later index is in
    /// use, the element is in the array again. An element that only grows is not removed, because its rule puts it
    /// back.
    private mutating func cut(_ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
        let count = changes.count
        vanish(node, path, matcher)
        guard changes.count > count, let first = changes[count...].first, first.path == path else { return }
        switch first.change {
        case .value(let old?, nil) where !first.rule.isGrowOnly || first.rule.isToldByRegister(old): break
        case .elements where first.rule.merge == .set: break
        default: return
        }
        changes[count...].removeAll { $0.change == .containerVanished }
        changes.insert(LeafChange(path: path, rule: .standard, change: .containerVanished), at: count)
    }

    private mutating func compareKeyed(
        _ a: JSONNode, _ b: JSONNode, _ key: JSONString, _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        guard let after = keyedElements(new, b, by: key) else { return refuseKeyed(path, key) }
        guard let before = keyedElements(old!, a, by: key) else {
            // Elements may have been known before the array became unreadable: counters go on from what is known.
            formerOfAppearing = .some(.null)
            appear(b, path, matcher)
            formerOfAppearing = .none
            return
        }
        compareOrder(before.map(\.key), after.map(\.key), path, .standard)
        var formers = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        for element in after {
            let step = PathStep.element(element.id)
            let (place, below) = (path.appending(step), matcher.stepping(step))
            guard let former = formers.removeValue(forKey: element.id) else {
                newPlaces.insert(place)
                appearElement(element, place, below)
                continue
            }
            let count = changes.count
            compare(former.node, element.node, place, below)
            // An element is kept alive by a change inside it, but not by a change that its rule puts back.
            if changes[count...].contains(where: { !$0.isPutBack }) {
                add(place, .standard, .elementTouched(key: element.key))
            }
        }
        for former in before where formers[former.id] != nil {
            let step = PathStep.element(former.id)
            vanishElement(former, path.appending(step), matcher.stepping(step))
        }
    }

    private mutating func compareElements(
        _ before: [JSONValue], _ after: [JSONValue], _ path: DocumentPath, _ rule: MergeRule
    ) {
        if rule.sort == nil { compareOrder(before, after, path, rule) }
        let (olds, news) = (Set(before), Set(after))
        if news.isEmpty { emptied.insert(path) }
        var seen = Set<JSONValue>()
        let added = after.filter { !olds.contains($0) && seen.insert($0).inserted }
        let removed = before.filter { !news.contains($0) && seen.insert($0).inserted }
        guard !added.isEmpty || !removed.isEmpty else { return }
        add(path, rule, .elements(added: added, removed: removed))
    }

    private mutating func compareOrder(
        _ before: [JSONValue], _ after: [JSONValue], _ path: DocumentPath, _ rule: MergeRule
    ) {
        // Mostly nothing moved.
        if after.isEmpty || before == after { return }
        let (olds, news) = (before.eachOnce, after.eachOnce)
        let staying = Set(news)
        if olds.filter(staying.contains) == news { return }
        orders.append(LeafChange(path: path, rule: rule, change: .order(before: olds, after: news)))
    }

    // MARK: Subtrees that came or went

    private mutating func appear(_ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
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
            guard let elements = keyedElements(new, node, by: key) else { return refuseKeyed(path, key) }
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
    private mutating func vanish(
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
            guard let elements = keyedElements(old, node, by: key) else { return refuseKeyed(path, key) }
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

    private mutating func appearElement(
        _ element: (id: [UInt8], key: JSONValue, node: JSONNode), _ path: DocumentPath, _ matcher: RuleMatcher
    ) {
        add(path, .standard, .elementAppeared(key: element.key))
        appear(element.node, path, matcher)
    }

    private mutating func vanishElement(
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

    private mutating func refuseKeyed(_ path: DocumentPath, _ key: JSONString) {
        unreadable.append(UnreadableLeaf(path: path, reason: UnreadPlaces.notKeyed(key)))
    }

    private mutating func add(_ path: DocumentPath, _ rule: MergeRule, _ change: LeafChange.Change) {
        changes.append(LeafChange(path: path, rule: rule, change: change))
    }
}

extension [JSONValue] {
    /// The elements without repetitions, each where it comes first.
    var eachOnce: [JSONValue] {
        var seen = Set<JSONValue>(minimumCapacity: count)
        return filter { seen.insert($0).inserted }
    }
}
