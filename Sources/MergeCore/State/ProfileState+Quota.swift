/// The most that a profile may hold. If a device makes it hold more, the other devices leave that device out; see
/// ``ProfileState/isBeyond(_:by:)``.
package struct WriteQuota: Sendable {
    /// Values that a save can show.
    package var leaves = 500_000
    /// Bytes of their paths and contents: as many as a profile's file may have, and as a link sends.
    package var bytes = 64 << 20
    /// Bytes of values that one device removed, or that are hidden. They stay for good, and a game that is played for
    /// years gathers many of them.
    package var hiddenBytes = 512 << 20

    /// The quota of every profile.
    package static let standard = WriteQuota()
}

extension ProfileState {
    /// Whether the profile holds more than it may, and some replicas wrote more than half of that.
    ///
    /// Values that were removed or are hidden by a reset count separately: they are no part of the save. So a device is
    /// never left out for its removals over the years, and of several devices only one that fills the profile by
    /// itself. O(replicas); O(atoms) if all that was ever written is more than the quota.
    package func isBeyond(_ quota: WriteQuota, by replicas: Set<ReplicaID>) -> Bool {
        let numbers = Set(replicas.compactMap { replicaNumbers[$0] })
        let (all, own) = written(by: numbers)
        guard quota.isBeyond(all, own) || own.bytes > quota.hiddenBytes else { return false }
        let (shown, ownShown) = shown(by: numbers)
        return quota.isBeyond(shown, ownShown) || own.bytes - min(own.bytes, ownShown.bytes) > quota.hiddenBytes
    }

    /// Whether some replicas have more in this state than in a former one.
    package func hasMore(of replicas: Set<ReplicaID>, than former: ProfileState) -> Bool {
        let own = written(by: Set(replicas.compactMap { replicaNumbers[$0] })).own
        let before = former.written(by: Set(replicas.compactMap { former.replicaNumbers[$0] })).own
        return own.atoms > before.atoms || own.bytes > before.bytes
    }

    private func written(by numbers: Set<UInt32>) -> (all: AtomTable.Amount, own: AtomTable.Amount) {
        var (all, own) = (AtomTable.Amount(), AtomTable.Amount())
        for (number, amount) in stored.table.amounts.enumerated() {
            all += amount
            if numbers.contains(UInt32(number)) { own += amount }
        }
        return (all, own)
    }

    /// The amounts of the values that a save can show: of all replicas, and of those with these numbers. O(atoms).
    private func shown(by numbers: Set<UInt32>) -> (all: AtomTable.Amount, own: AtomTable.Amount) {
        var (all, own) = (AtomTable.Amount(), AtomTable.Amount())
        for number in 0..<table.recordCount where holdsValue(number) && !isHidden(number) && !isRemoved(number) {
            let amount = AtomTable.Amount(atoms: 1, bytes: table.size(number))
            all += amount
            if numbers.contains(table[number].replica) { own += amount }
        }
        return (all, own)
    }

    /// Whether the atom of a record holds a value: it is no removal, no position, and no note of Hearth.
    private func holdsValue(_ number: AtomTable.Number) -> Bool {
        let record = table[number]
        guard record.sequence > 0 else { return false }
        let content = table.content(number)
        switch AtomForm(record.kind, isPart: record.place != AtomTable.none) {
        // A register or a candidate without a value has its stamp alone; a membership begins with its causal length.
        case .register: return content.count > 8
        case .membership: return content.count >= 8 && content[content.startIndex + 7] % 2 == 1
        case .epoch, .position, .removal: return false
        case .opaque, .extremum, .flag, .tally, .baseline, .member, .candidate: return true
        }
    }
}

extension WriteQuota {
    fileprivate func isBeyond(_ all: AtomTable.Amount, _ own: AtomTable.Amount) -> Bool {
        all.atoms > leaves && own.atoms > leaves / 2 || all.bytes > bytes && own.bytes > bytes / 2
    }
}
