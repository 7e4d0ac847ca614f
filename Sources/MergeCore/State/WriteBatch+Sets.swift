import LosslessJSON

/// Writing unions, sets and the elements of arrays by a key.
extension WriteBatch {
    mutating func insert(_ element: JSONValue, _ path: DocumentPath, _ kind: AtomKind) {
        let key = AtomKey(path, kind, sub: element.canonicalBytes)
        if current(key) == nil { put(key, .member(element)) }
    }

    /// Removes the elements of a set that its `limit` keeps out of the file, if a save removes all the elements that
    /// the file shows: then its game cleared the list. If the save removes only a few, the next elements show instead.
    mutating func removeBeyondLimit(_ path: DocumentPath, _ rule: MergeRule, _ removed: [JSONValue]) {
        guard rule.limit != nil, let kind = rule.kind, case .elements(let shown)? = state.shown(path, rule),
            shown.allSatisfy(removed.contains)
        else { return }
        for (sub, atom) in state.visibleParts(path, kind) {
            guard case .membership(let length, let element) = atom.content, length % 2 == 1, !shown.contains(element)
            else { continue }
            setMembership(false, element, AtomKey(path, kind, sub: sub))
        }
    }

    mutating func setMembership(_ present: Bool, _ element: JSONValue, _ key: AtomKey) {
        var length: UInt64 = 0
        if let pending = lengths[key] {
            length = pending  // a former element's member, buried in this batch
        } else if let atom = state.live(key), case .membership(let known, _) = atom.content {
            length = known
            if known % 2 == 1, known < AtomContent.lastLength, isGone(key.path, atom) { length += 1 }
            // A removal counts only for elements that its base snapshot showed: an addition that the snapshot had
            // not seen stays.
            if !present, !context.base.covers(atom.dot), atom.dot.replica != context.replica { return }
        }
        // An element with an even length that was brought back keeps an even length: it is removed once more.
        let isBack = !present && length % 2 == 0 && key.kind == .element && state.membership(key.path)?.present == true
        guard (length % 2 == 1) != present || isBack else { return }
        if !present { buryHidden(above: key.path) }
        put(key, .membership(after: length, adding: isBack ? 2 : 1, element))
    }

    /// Whether a keyed element may have been edited since it was added. Then its causal length alone does not
    /// distinguish a removal that had read an edit from one that had not. The first removal of an element without edits
    /// is shorter than every edit. But if this device added the element itself, another device may have added one of
    /// the same key concurrently.
    func mayOutrunEdits(_ path: DocumentPath) -> Bool {
        guard let atom = state.live(AtomKey(path, .element)), case .membership(let length, _) = atom.content else {
            return false
        }
        return length > 1 || atom.dot.replica == context.replica
    }

    /// Raises a membership by two (still present), so that it wins over a removal that did not see this edit. If the
    /// element is known to be removed, the edit brings it back. If the element is not known, it comes from a save about
    /// which the player was asked, and is added with the progress in it.
    mutating func touch(_ element: JSONValue, _ key: AtomKey) {
        guard case .membership(let length, _)? = state.live(key)?.content else {
            if context.baseHoldsSetAside { setMembership(true, element, key) }
            return
        }
        put(key, .membership(after: length, adding: length % 2 == 1 ? 2 : 1, element))
    }
}
