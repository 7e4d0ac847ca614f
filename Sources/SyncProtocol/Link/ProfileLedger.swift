import MergeCore

/// What a link knows of one profile, both ways.
struct ProfileLedger {
    // MARK: Our side

    /// What we cover.
    var ours = VersionVector()
    /// What we said we cover, since we last stated it anew: statements, acks, the `to` of our deltas.
    var said = VersionVector()
    /// The `to` of deltas received since then. Not said before they are committed, but a later delta builds on them.
    var received = VersionVector()
    /// How often we stated it anew.
    var restatedByUs: UInt32 = 0
    /// Whether we said last that our file does not show all that we cover.
    var saidFileBehind = false
    /// Of a replica: the entry before the one we are at, where that is just one write older.
    private var formers: [ReplicaID: VersionVector.Entry] = [:]

    // MARK: The peer's side

    /// What the peer said it covers.
    var confirmed = VersionVector()
    /// That, and what we sent.
    var believed = VersionVector()
    var restatedByPeer: UInt32 = 0
    /// Whether the peer said last that its file does not show all that it covers.
    var isPeersFileBehind = false
    /// Whether the peer listed the profile.
    var isListed = false
    /// The request that waits for an answer.
    var request: UInt64?

    /// What a delta of the peer builds on, as far as it does not say so itself.
    var floor: VersionVector { said.joined(received) }

    /// The part of our vector that the peer was not told, including another history at the same sequence.
    func unsaid(of vector: VersionVector) -> VersionVector {
        VersionVector(
            vector.entries.filter { said.entries[$0.key] != $0.value && said.sequence(of: $0.key) <= $0.value.sequence }
        )
    }

    // MARK: Histories

    /// What can be said of a write whose history was left out.
    enum Base {
        /// The history of the write before it.
        case history(UInt64)
        /// A later write of the replica is covered here.
        case covered
        /// We are at an earlier one.
        case unknown
    }

    func base(of replica: ReplicaID, before sequence: UInt64) -> Base {
        let known = latest(replica)
        if let known, known.sequence > sequence { return .covered }
        if sequence == 1 { return .history(0) }
        // Where we are at the same write, be it ours or a clone's, the one before it tells whether both are the same.
        let base = known?.sequence == sequence ? formers[replica] : known
        guard let base, base.sequence == sequence - 1 else { return .unknown }
        return .history(base.history)
    }

    /// To be told what we are about to cover, before it enters any of our vectors.
    mutating func note(_ news: VersionVector) {
        for (replica, entry) in news.entries {
            guard let known = latest(replica), entry.sequence > known.sequence else { continue }
            formers[replica] = entry.sequence == known.sequence + 1 ? known : nil
        }
    }

    /// We cover this and nothing else.
    mutating func restart(at vector: VersionVector) {
        ours = vector
        said = vector
        received = VersionVector()
        formers = [:]
        restatedByUs += 1
    }

    private func latest(_ replica: ReplicaID) -> VersionVector.Entry? {
        var result = ours.entries[replica]
        for entry in [said.entries[replica], received.entries[replica]] {
            guard let entry else { continue }
            if let best = result, (best.sequence, best.history) >= (entry.sequence, entry.history) { continue }
            result = entry
        }
        return result
    }
}
