import LosslessJSON

/// Which atoms count: those of the epoch in force at their place. The others stay in the state, so that every device
/// holds the same atoms, but are hidden.
extension ProfileState {
    /// The epoch in force at a key's place.
    func inForce(_ key: AtomKey) -> EpochID? {
        guard !key.path.isReserved, !epochRegistry.known.isEmpty else { return nil }
        if let place = table.place(key.path, key.kind) { return epochRegistry.id(table[place].inForce) }
        return epochRegistry.id(epochRegistry.inForce(key.path))
    }

    /// Whether a record's atom is hidden, because an epoch later than the atom's is in force at its place.
    func isHidden(_ number: AtomTable.Number) -> Bool {
        let record = table[number]
        let place = record.place == AtomTable.none ? record : table[Int(record.place)]
        return place.inForce != 0 && epochRegistry.isBelow(record.epoch, place.inForce)
    }

    /// The atom under a key, if it counts (its epoch is in force). O(1).
    func live(_ key: AtomKey) -> Atom? {
        table.number(key).flatMap { isHidden($0) ? nil : atom(at: $0) }
    }

    /// The stamp and the dot of a place's register, if it counts. O(1), because its value is not decoded: every write asks.
    func liveStamp(_ path: DocumentPath) -> (stamp: Stamp, dot: Dot)? {
        guard let number = table.place(path, .latest), table[number].sequence > 0, !isHidden(number) else { return nil }
        let register = Self.view(table, number, replicas, epochRegistry)
        return (Stamp(rawValue: register.leadingInteger), register.dot)
    }

    /// The atoms of one place under one kind that count, ordered by sub.
    func liveParts(_ path: DocumentPath, _ kind: AtomKind) -> [(sub: [UInt8], atom: Atom)] {
        guard let place = table.place(path, kind) else { return [] }
        var result: [(sub: [UInt8], atom: Atom)] = []
        if !isHidden(place), let atom = atom(at: place) { result.append(([], atom)) }
        for part in table.parts(of: place) where !isHidden(part) {
            if let atom = atom(at: part) { result.append((Array(table.keyBytes(part)), atom)) }
        }
        return result.sorted { $0.sub.lexicographicallyPrecedes($1.sub) }
    }

    /// The epoch that hides all atoms of a place; `nil` where an atom counts, or where the place holds none.
    func hiddenBy(_ path: DocumentPath, _ kind: AtomKind) -> EpochID? {
        guard !epochRegistry.known.isEmpty, let place = table.place(path, kind), table[place].inForce != 0 else {
            return nil
        }
        var held = false
        for number in [place] + Array(table.parts(of: place)) where table[number].sequence > 0 {
            if !isHidden(number) { return nil }
            held = true
        }
        return held ? epochRegistry.id(table[place].inForce) : nil
    }

    /// Every place and kind that holds or held an atom, in no particular order.
    var places: some Sequence<(path: DocumentPath, kind: AtomKind)> {
        (0..<table.recordCount).lazy.filter { table[$0].place == AtomTable.none }.map {
            (DocumentPath(encoded: Array(table.keyBytes($0))), table[$0].kind)
        }
    }
}
