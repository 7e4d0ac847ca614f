import LosslessJSON

/// Containers that a game removes as a whole, and new content that it writes there.
extension WriteBatch {
    /// The sequence number of this replica's last write before this batch.
    private var last: UInt64 { state.vector.sequence(of: context.replica) }

    /// The writes that the game had read, and those of its own replica up to the number `own`.
    private func read(through own: UInt64) -> [ReplicaID: UInt64] {
        var seen = context.base.entries.mapValues(\.sequence)
        seen[context.replica] = own
        return seen
    }

    private func own(_ path: DocumentPath) -> Removal {
        if let pending = removals[path] { return pending }
        return state.removals(at: path).first { $0.replica == context.replica }?.removal ?? Removal()
    }

    private mutating func put(_ removal: Removal, at path: DocumentPath) {
        var removal = removal
        // Another device's removal, from which this one may come, can name writes that are left out here. Whoever gets this
        // one from here could not tell them from made-up ones.
        removal.seen = covered(removal.seen)
        removal.final = covered(removal.final)
        // Only a peer that lies can have used up all numbers.
        if removals[path] == nil, removal.number < .max { removal.number += 1 }
        removals[path] = removal
        put(AtomKey(path, .removal, sub: context.replica.bytes), .removal(removal))
    }

    /// Of these writes those that this device covers, and those of this batch.
    private func covered(_ reads: [ReplicaID: UInt64]) -> [ReplicaID: UInt64] {
        var result = reads
        for (replica, sequence) in reads {
            let known = replica == context.replica && last < .max ? last + 1 : state.vector.sequence(of: replica)
            if sequence > known { result[replica] = known > 0 ? known : nil }
        }
        return result
    }

    /// Removes a place with everything below it, this batch's own writes included.
    mutating func remove(_ path: DocumentPath) {
        var removal = own(path)
        removal.seen.join(read(through: last < .max ? last + 1 : last))
        put(removal, at: path)
        buryHidden(above: path)
    }

    /// Removes everything below a place for good. Later writes of this batch there are new.
    mutating func removeForGood(_ path: DocumentPath) {
        var removal = own(path)
        let former = read(through: last)
        if removals[path] != nil { removal.seen[context.replica] = last }
        removal.seen.join(former)
        removal.final.join(former)
        put(removal, at: path)
    }

    /// Handles a value that appears at a place. If the game knew of the removal of a container around it, the writes
    /// that the removal hid stay gone for good. The same applies to a change of values that only a save held about
    /// which the player was asked.
    ///
    /// - Parameter isNew: Whether the game's snapshot had nothing at the place. Otherwise the snapshot may be older
    ///   than a removal of this device.
    mutating func noteReturn(_ path: DocumentPath, isNew: Bool) {
        for (place, entry) in state.removals.above(path) where !entry.isRevived && removals[place] == nil {
            // The game saw this element, because a later index is in use.
            if state.removals.isNeeded(place, where: hasRead) { continue }
            var known: [ReplicaID: UInt64] = [:]
            for (replica, removal, dot) in state.removals(at: place) {
                guard context.base.covers(dot) || isNew && replica == context.replica else { continue }
                known.join(removal.seen)
            }
            if known.isEmpty || wasBack(place, since: known) { continue }
            var removal = own(place)
            removal.seen.join(known)
            removal.final.join(known)
            put(removal, at: place)
        }
    }

    /// Whether a removed container was there again in the snapshot that the game had read, because of a concurrent
    /// write in it. A later removal that hides it now, and that the game had not read, is ignored.
    private mutating func wasBack(_ place: DocumentPath, since known: [ReplicaID: UInt64]) -> Bool {
        if let answer = returned[place] { return answer }
        let answer = state.holdsEdit(in: place) { hasRead($0) && !known.covers($0) }
        returned[place] = answer
        return answer
    }

    private func hasRead(_ dot: Dot) -> Bool { context.base.covers(dot) || dot.replica == context.replica }

    /// Keeps elements of an array by position that is cut off. They had been removed elsewhere, and showed here only
    /// because of later elements, which are removed now. A value in each of them is written again.
    mutating func keepNeeded(before path: DocumentPath) {
        guard let (array, index) = path.inArray, cut.insert(array).inserted else { return }
        for place in state.removals.needed(in: array, before: index, where: hasRead) {
            if contents.contains(where: { $0.0.path.isAtOrBelow(place) }) { continue }
            let inside = state.places.filter { $0.path.isAtOrBelow(place) }.sorted { $0.path < $1.path }
            for (path, kind) in inside where writeAgain(path, kind) { break }
        }
    }

    /// Writes the content of a place once more; false where that would change nothing.
    private mutating func writeAgain(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        let own = AtomKey(path, kind, sub: context.replica.bytes)
        switch kind.base {
        case .latest:
            guard case .register(_, let value?)? = state.visible(AtomKey(path, kind))?.content else { return false }
            put(AtomKey(path, kind), .register(stamp(path), value))
        case .counter:
            guard !state.visibleParts(path, kind).isEmpty else { return false }
            put(own, state.live(own)?.content ?? .tally(earned: .zero, spent: .zero))
        case .element:
            guard let (isMember, key) = state.membership(path), isMember else { return false }
            touch(key, AtomKey(path, kind))
        default: return false
        }
        return true
    }

    /// Whether an atom is gone for good, so that a new write there is a new value.
    func isGone(_ path: DocumentPath, _ atom: Atom) -> Bool {
        if state.removals.isFinal(path, atom.dot) { return true }
        guard !removals.isEmpty else { return false }
        var place: DocumentPath? = path
        while let here = place {
            if let removal = removals[here], removal.final.covers(atom.dot) { return true }
            place = here.parent
        }
        return false
    }

    /// The atom under a key that this batch builds on; `nil` where it is gone for good.
    func current(_ key: AtomKey) -> Atom? { state.live(key).flatMap { isGone(key.path, $0) ? nil : $0 } }

    /// Whether everything that a counter holds was removed.
    func isGone(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        if state.isRemoved(path, kind) { return true }
        let all = state.liveParts(path, kind)
        return !all.isEmpty && all.allSatisfy { isGone(path, $0.atom) }
    }
}

extension DocumentPath {
    package func isAtOrBelow(_ other: DocumentPath) -> Bool {
        encoded.starts(with: other.encoded)
            && (encoded.count == other.encoded.count || encoded[other.encoded.count] == UInt8(ascii: "/"))
    }
}
