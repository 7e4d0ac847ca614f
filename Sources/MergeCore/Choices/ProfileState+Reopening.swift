import LosslessJSON

/// Open choices and undo. If a step that reset an open choice is taken back, the choice is open again, and nothing is
/// decided. If a save that wrote an open choice is taken back, the choice is decided: it gets the value that the save's
/// file had shown. The slots do not show which other values were open beside it, and a choice that was decided long ago
/// must not open again.
extension ProfileState {
    /// The slots that open a choice again: the values that were open together until an epoch hid them. Empty unless
    /// there are at least two such values and `value` is one of them.
    ///
    /// - Parameters:
    ///   - value: The value that the file of this device showed. If this device had no value of its own, `value` is
    ///     written as its own too, beside that of its writer. Otherwise the file would show the newest of all values.
    ///   - own: The replica as which this device writes.
    func slotsOfOpenChoice(
        _ path: DocumentPath, with value: JSONValue, own: ReplicaID
    ) -> [(AtomKey, AtomContent)] {
        guard hiddenBy(path, .choice) != nil, let place = table.place(path, .choice) else { return [] }
        let written = table.parts(of: place).filter { table[$0].sequence > 0 }
        // Only the slots of the newest epoch among these: an earlier reset hid those of older epochs.
        let last = written.filter { slot in
            !written.contains { epochRegistry.isBelow(table[slot].epoch, table[$0].epoch) }
        }
        let slots = last.compactMap { keyedAtom(at: $0) }
        let candidates = candidates(path, among: slots.map { ($0.key.sub, $0.atom) })
        let values = Set(candidates.compactMap(\.value))
        guard values.count > 1, values.contains(value) else { return [] }
        let current = Set(candidates.map(\.dot.replica.bytes))
        let open = slots.filter { current.contains($0.key.sub) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.contentWithOrigin) }
        let isOwn = candidates.contains { $0.dot.replica == own && $0.value != nil }
        guard !isOwn, let shown = candidates.first(where: { $0.value == value }) else { return open }
        let key = AtomKey(path, .choice, sub: own.bytes)
        var replaced: [ReplicaID: UInt64] = [:]
        // A removal by this device is dropped: its file has a value again. What the removal replaced stays replaced.
        if case .candidate(_, _, let others)? = open.first(where: { $0.0 == key })?.1 { replaced = others }
        replaced[own] = nil
        return open.filter { $0.0 != key } + [(key, .candidate(shown.stamp, value, replaced: replaced))]
    }

    /// The value of a place in the file of the device that writes as `own`. Of an open choice, the value that `own`
    /// wrote comes first, so that a file that holds none of the values gets that one.
    func shown(_ path: DocumentPath, _ rule: MergeRule, in own: ReplicaID?) -> ShownLeaf? {
        let leaf = shown(path, rule)
        guard let own, case .open(let values, let stamp)? = leaf, values.count > 1,
            let value = candidates(path, .choice).first(where: { $0.dot.replica == own })?.value
        else { return leaf }
        return .open([value] + values.filter { $0 != value }, stamp)
    }
}
