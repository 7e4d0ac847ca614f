extension JSONDocument {
    /// The text with edits applied; every byte that no edit touches stays as it was.
    ///
    /// A replaced value's new text is exactly where the old one was. New members and elements follow the last one that
    /// stays, in the order they are given, spaced like their siblings; new containers are spread over lines if the text
    /// around them is. A removed entry takes one comma with it. No edits give the same bytes.
    ///
    /// - Throws: ``JSONPatchError`` when two edits overlap, a kind does not fit, a key would occur twice, or a node
    ///   is not of this document. The result is then never half done.
    public func patched(_ edits: [JSONEdit]) throws(JSONPatchError) -> [UInt8] {
        if edits.isEmpty { return bytes }
        let grouped = try GroupedEdits(edits, of: self)
        var patch = TextPatch(self)
        for group in grouped.groups {
            if let value = group.replacement { patch.replace(group.node, by: value) }
        }
        let containers = grouped.containers(of: self)
        for container in containers where container.order == nil {
            try checkNewKeys(container)
            patch.edit(container)
        }
        // An element that moves takes the edits inside it along. So those edits come first: inner arrays before outer
        // arrays.
        for container in containers.reversed() {
            guard let order = container.order else { continue }
            let count = count(container.node) - container.removed.count + container.inserts.count
            guard order.count == count, order.sorted().elementsEqual(0..<count) else {
                throw patchError(.wrongOrder, container.node, "the order does not name each element once")
            }
            patch.arrange(container, order)
        }
        return patch.applied()
    }

    /// Refuses a new key that equals another new key or the key of a member that stays.
    private func checkNewKeys(_ edits: ContainerEdits) throws(JSONPatchError) {
        guard !edits.inserts.isEmpty, kind(edits.node) == .object else { return }
        var newKeys: Set<JSONString> = []
        for (key, _) in edits.inserts {
            guard let key, !newKeys.insert(key).inserted else { continue }
            throw patchError(.duplicateKey, edits.node, "key \"\(key)\" is added twice")
        }
        var removed = edits.removed[...]
        for child in children(edits.node) {
            if removed.first == child.index {
                removed.removeFirst()
                continue
            }
            guard let key = key(of: child), newKeys.contains(key) else { continue }
            throw patchError(.duplicateKey, child, "key \"\(key)\" is there already")
        }
    }
}
