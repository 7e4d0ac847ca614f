import LosslessJSON

/// The walk over two documents that finds a ``DocumentDiff``: here what both documents hold, in the other file what only
/// one of them holds.
struct DocumentComparison {
    // The parts of the difference, as ``DocumentDiff`` explains them.
    var changes: [LeafChange] = []
    var orders: [LeafChange] = []
    var unreadable: [UnreadableLeaf] = []
    var repeated: [UnreadableLeaf] = []
    var emptied = Set<DocumentPath>()
    var trimmed = Set<DocumentPath>()
    var newPlaces = Set<DocumentPath>()
    var removedContents: [DocumentPath: Set<LeafChange>] = [:]
    private(set) var isFirstRead = false

    let old: JSONDocument?
    let new: JSONDocument
    /// The old value that is noted for a leaf that appears: none, or null if the array around it could not be read
    /// before.
    private(set) var formerOfAppearing: JSONValue?

    init(from old: JSONDocument?, to new: JSONDocument, _ rules: RuleSet) {
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
            guard before != after, rule.merge != .counter || !before.isSameDouble(as: after) else { return }
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
            // A counter that something else replaces counts nothing as spent, and is removed for good, as the content of a
            // container is.
            if case .leaf(let rule) = DocumentShape(old!, a, matcher), rule.merge == .counter {
                add(path, .standard, .containerVanished)
            }
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
    mutating func cut(_ node: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
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
        guard let after = DocumentShape.sharedElements(new, b, by: key, matcher) else {
            return refuseKeyed(new, b, path, key)
        }
        guard let before = DocumentShape.sharedElements(old!, a, by: key, matcher) else {
            // Elements may have been known before the array became unreadable: counters go on from what is known.
            formerOfAppearing = .some(.null)
            isFirstRead = true
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

    mutating func compareElements(
        _ before: [JSONValue], _ after: [JSONValue], _ path: DocumentPath, _ rule: MergeRule
    ) {
        if rule.sort == nil { compareOrder(before, after, path, rule) }
        let (olds, news) = (Set(before), Set(after))
        if news.isEmpty { emptied.insert(path) }
        if news.count < after.count { repeated.append(UnreadableLeaf(path: path, reason: UnreadPlaces.repeated)) }
        var seen = Set<JSONValue>()
        let added = after.filter { !olds.contains($0) && seen.insert($0).inserted }
        let removed = before.filter { !news.contains($0) && seen.insert($0).inserted }
        guard !added.isEmpty || !removed.isEmpty else { return }
        if rule.leavesOut(removed, of: olds, with: added) { trimmed.insert(path) }
        add(path, rule, .elements(added: added, removed: removed))
    }

    mutating func compareOrder(
        _ before: [JSONValue], _ after: [JSONValue], _ path: DocumentPath, _ rule: MergeRule
    ) {
        // Mostly nothing moved.
        if after.isEmpty || before == after { return }
        let (olds, news) = (before.eachOnce, after.eachOnce)
        let staying = Set(news)
        if olds.filter(staying.contains) == news { return }
        orders.append(LeafChange(path: path, rule: rule, change: .order(before: olds, after: news)))
    }
}

extension [JSONValue] {
    /// The elements without repetitions, each where it comes first.
    var eachOnce: [JSONValue] {
        var seen = Set<JSONValue>(minimumCapacity: count)
        return filter { seen.insert($0).inserted }
    }
}
