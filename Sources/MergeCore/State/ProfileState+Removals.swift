/// Containers that games removed as a whole. Their atoms are hidden although no tombstone replaces them.
///
/// The result depends on the atoms alone, not on the order in which they came. A removal names writes, of any epoch. A
/// concurrent write in an epoch that has ended is hidden, so it does not bring a container back.
extension ProfileState {
    /// Notes that an atom was put into a record. Afterwards call ``settleRemovals()``.
    mutating func noteRemoval(_ former: Dot?, _ dot: Dot, at number: AtomTable.Number) {
        let isRemoval = table[number].kind == .removal
        guard isRemoval || !removals.isEmpty else { return }
        let place = table.placeNumber(of: number)
        let path = DocumentPath(encoded: Array(table.keyBytes(place)))
        guard !path.isReserved else { return }
        if isRemoval {
            reloadRemoval(path, place)
            // A removal inside a container counts as an edit of the container around it.
            if !isHidden(number), let around = path.parent { removals.replaced(former, by: dot, at: around) }
        } else if table[number].kind.keepsAlive, !isHidden(number) {
            removals.replaced(former, by: dot, at: path)
        }
    }

    private mutating func reloadRemoval(_ path: DocumentPath, _ place: AtomTable.Number) {
        var entry: RemovalIndex.Entry?
        for part in table.parts(of: place) {
            guard case .removal(let removal)? = atom(at: part)?.content else { continue }
            var all = entry ?? RemovalIndex.Entry(seen: [:], final: [:])
            all.seen.join(removal.seen)
            all.seen.join(removal.final)
            all.final.join(removal.final)
            entry = all
        }
        removals.set(path, entry)
    }

    /// Builds the index of removals again from all removal atoms.
    mutating func reloadRemovals() {
        removals = RemovalIndex()
        for number in 0..<table.recordCount
        where table[number].kind == .removal && table[number].place == AtomTable.none {
            let path = DocumentPath(encoded: Array(table.keyBytes(number)))
            if !path.isReserved { reloadRemoval(path, number) }
        }
        removals.unsettle()
        settleRemovals()
    }

    /// Finds out again which removed containers are alive, for those whose answer may have changed. O(places), and only
    /// if there are such containers.
    mutating func settleRemovals() {
        guard !removals.isSettled, case let hashes = removals.beginSettling(), !hashes.isEmpty else { return }
        for place in 0..<table.recordCount where table[place].place == AtomTable.none {
            let isRemoval = table[place].kind == .removal
            guard isRemoval || table[place].kind.keepsAlive else { continue }
            let path = DocumentPath(encoded: Array(table.keyBytes(place)))
            var isNear = false
            let own = Self.walk(path) { if hashes.contains($0) { isNear = true } }
            guard isNear || hashes.contains(own), !path.isReserved, let edited = isRemoval ? path.parent : path else {
                continue
            }
            for number in [place] + Array(table.parts(of: place))
            where table[number].sequence > 0 && !isHidden(number) {
                removals.revive(removals.revived(by: dot(at: number), at: edited))
                removals.lengthen(by: dot(at: number), at: edited)
            }
        }
    }

    /// Whether one of the given writes put something into a container that keeps it alive. O(records).
    func holdsEdit(in container: DocumentPath, where isGiven: (Dot) -> Bool) -> Bool {
        for place in 0..<table.recordCount where table[place].place == AtomTable.none {
            let isRemoval = table[place].kind == .removal
            guard isRemoval || table[place].kind.keepsAlive else { continue }
            let path = DocumentPath(encoded: Array(table.keyBytes(place)))
            guard !path.isReserved, let edited = isRemoval ? path.parent : path, edited.isAtOrBelow(container) else {
                continue
            }
            for number in [place] + Array(table.parts(of: place))
            where table[number].sequence > 0 && !isHidden(number) && isGiven(dot(at: number)) {
                return true
            }
        }
        return false
    }

    /// Whether a record's atom is hidden by a removal of its place or of a container around it.
    func isRemoved(_ number: AtomTable.Number) -> Bool {
        guard !removals.isEmpty, table[number].kind != .removal else { return false }
        let path = DocumentPath(encoded: Array(table.keyBytes(table.placeNumber(of: number))))
        let dot = dot(at: number)
        return removals.hiding(path).contains { $0.covers(dot) }
    }

    /// Whether a place held atoms of a kind, and removals hide all of them.
    func isRemoved(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        let hiding = removals.hiding(path)
        guard !hiding.isEmpty, let place = table.place(path, kind) else { return false }
        var held = false
        for number in [place] + Array(table.parts(of: place)) where table[number].sequence > 0 {
            let dot = dot(at: number)
            guard hiding.contains(where: { $0.covers(dot) }) else { return false }
            held = true
        }
        return held
    }

    /// Whether there is any atom at a place under a kind.
    func holdsAtoms(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        guard let place = table.place(path, kind) else { return false }
        return table[place].sequence > 0 || table.parts(of: place).contains { table[$0].sequence > 0 }
    }

    /// The atom under a key, if it counts and no removal hides it.
    func visible(_ key: AtomKey) -> Atom? {
        guard let atom = live(key) else { return nil }
        return removals.hiding(key.path).contains { $0.covers(atom.dot) } ? nil : atom
    }

    /// The atoms of one place under one kind that count and that no removal hides, ordered by sub.
    func visibleParts(_ path: DocumentPath, _ kind: AtomKind) -> [(sub: [UInt8], atom: Atom)] {
        let all = liveParts(path, kind)
        guard !removals.isEmpty, !all.isEmpty, case let hiding = removals.hiding(path), !hiding.isEmpty else {
            return all
        }
        return all.filter { part in !hiding.contains { $0.covers(part.atom.dot) } }
    }

    /// The places that were removed by themselves, not together with the container around them. That container is still
    /// there, even if it is empty now. O(records).
    var removedAlone: [DocumentPath] {
        var places: [DocumentPath] = []
        for number in 0..<table.recordCount where table[number].sequence > 0 && !isHidden(number) {
            guard table.saysRemoved(number) else { continue }
            let path = DocumentPath(encoded: Array(table.keyBytes(table.placeNumber(of: number))))
            guard !path.isReserved, let around = path.parent, around != .root, !isMadeAnew(path, number) else {
                continue
            }
            let dot = dot(at: number)
            if !removals.hiding(around).contains(where: { $0.covers(dot) }) { places.append(path) }
        }
        return places
    }

    /// Whether a removal hides only writes that are gone for good, because a game that knew of it wrote there again.
    /// Then the removal has no meaning for the container around it: the new content is there, or is removed by other
    /// means.
    private func isMadeAnew(_ path: DocumentPath, _ number: AtomTable.Number) -> Bool {
        guard case .removal(let removal)? = atom(at: number)?.content, !removal.seen.isEmpty else { return false }
        return removals[path]?.final.covers(removal.seen) ?? false
    }

    /// The containers that were removed and that nothing brought back. O(removals).
    var goneContainers: [DocumentPath] { removals.gone.filter { !$0.isReserved } }

    /// The removals that replicas wrote for a container, ordered by replica.
    func removals(at path: DocumentPath) -> [(replica: ReplicaID, removal: Removal, dot: Dot)] {
        guard let place = table.place(path, .removal) else { return [] }
        let all = table.parts(of: place).compactMap { part -> (replica: ReplicaID, removal: Removal, dot: Dot)? in
            guard let atom = atom(at: part), case .removal(let removal) = atom.content,
                let replica = ReplicaID(bytes: table.keyBytes(part))
            else { return nil }
            return (replica, removal, atom.dot)
        }
        return all.sorted { $0.replica < $1.replica }
    }

    /// The epoch to write an atom in: mostly the one in force at its place. If the join would prefer an atom that is
    /// gone for good (a maximum, a flag, a member, a counter's start) or a membership that cannot become longer
    /// (``AtomContent/lastLength``), the new atom gets the epoch just above both the one in force and that atom's, see
    /// ``EpochID/init(after:)``.
    func epoch(for key: AtomKey, besides own: Dot) -> EpochID? {
        let form = AtomForm(key.kind, isPart: !key.sub.isEmpty)
        guard !removals.isEmpty || form == .membership || form == .baseline, let number = table.number(key),
            table[number].sequence > 0, !isHidden(number)
        else { return inForce(key) }
        let epoch = newestEpoch(of: key)
        switch form {
        case .extremum, .flag, .member, .baseline:
            let current = dot(at: number)
            guard current != own, removals.isFinal(key.path, current) else { return epoch }
            return form == .baseline ? renewedEpoch(after: epoch) : EpochID(after: epoch)
        case .membership:
            let isLast = Self.view(table, number, replicas, epochRegistry).leadingInteger >= AtomContent.lastLength
            return isLast && dot(at: number) != own ? EpochID(after: epoch) : epoch
        default: return epoch
        }
    }

    /// The epoch in force at a key's place, or that of the atom there if it is above.
    func newestEpoch(of key: AtomKey) -> EpochID? {
        let inForce = inForce(key)
        guard let number = table.number(key), table[number].sequence > 0, !isHidden(number),
            let current = epochRegistry.id(table[number].epoch)
        else { return inForce }
        return inForce.map { max($0, current) } ?? current
    }
}

extension AtomTable {
    /// Whether a record's atom is a tombstone, or otherwise says that its value is gone.
    fileprivate func saysRemoved(_ number: Number) -> Bool {
        let (kind, content) = (self[number].kind, content(number))
        switch kind {
        case .removal: return true
        case .latest: return content.count == 8
        case .element, .set: return content.count >= 8 && content[content.startIndex + 7] % 2 == 0
        case .choice, .furthest:
            guard case .candidate(_, nil, _)? = AtomContent(content, .candidate) else { return false }
            return true
        default: return false
        }
    }
}

extension AtomKind {
    /// Whether a concurrent atom of this kind brings a removed container back. Another removal of it does not, and
    /// neither does the order of an array (number 12), because neither is progress in the game.
    var keepsAlive: Bool { self != .removal && rawValue != 12 }
}
