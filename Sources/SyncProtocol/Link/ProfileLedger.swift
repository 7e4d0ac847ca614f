import MergeCore

/// The state of a link about one profile: the vectors of both sides, the messages of each, and the open request.
struct ProfileLedger {
    // MARK: Our side

    /// The vector that this device covers.
    var ours = VersionVector()
    /// The vector that this device has sent since it last restated the profile: by statements, acks, and the `to` of
    /// its deltas.
    var announced = VersionVector()
    /// The joined `to` of the deltas received since then. It is not sent before they are committed, but later deltas of
    /// the peer build on it.
    var received = VersionVector()
    /// How often this device has restated the profile on this link.
    var restatedByUs: UInt32 = 0
    /// Whether this device's last message says that its file does not show all that it covers.
    var announcedFileBehind = false
    /// For a replica: the entry with the sequence number just before the current one, if it is known.
    private var formers: [ReplicaID: VersionVector.Entry] = [:]
    /// The number of the statement with which this device asked for everything that the peer holds.
    var wholeAsked: UInt32?

    // MARK: The peer's side

    /// The vector that the peer has confirmed to cover.
    var confirmed = VersionVector()
    /// The confirmed vector and what was sent since: the vector that the peer will cover once everything has arrived.
    var believed = VersionVector()
    var restatedByPeer: UInt32 = 0
    /// Whether the peer's last message says that its file does not show all that it covers.
    var isPeersFileBehind = false
    /// Whether the peer listed the profile.
    var isListed = false
    /// The request that waits for an answer.
    var request: UInt64?
    /// The vector beyond which there is more than can be sent.
    var unsendable: VersionVector?
    /// How often that was tried again since the peer stated the profile.
    var unsendableTries = 0

    /// The vector on which a delta of the peer builds, apart from what the delta itself names.
    var floor: VersionVector { announced.joined(received) }

    /// The entries of this device's vector that were not sent to the peer, also those with another history at the same
    /// sequence number.
    func unannounced(of vector: VersionVector) -> VersionVector {
        VersionVector(
            vector.entries.filter {
                announced.entries[$0.key] != $0.value && announced.sequence(of: $0.key) <= $0.value.sequence
            }
        )
    }

    // MARK: Histories

    /// What this device knows about the write before one whose history hash was left out.
    enum Base {
        /// The history of the write before it.
        case history(UInt64)
        /// This device covers a later write of the replica already.
        case covered
        /// This device has only an earlier write, so the history hash cannot be computed.
        case unknown
    }

    func base(of replica: ReplicaID, before sequence: UInt64) -> Base {
        let known = latest(replica)
        if let known, known.sequence > sequence { return .covered }
        if sequence == 1 { return .history(0) }
        // If this device has the same write (its own or a clone's), the entry before it shows whether both are the
        // same.
        let base = known?.sequence == sequence ? formers[replica] : known
        guard let base, base.sequence == sequence - 1 else { return .unknown }
        return .history(base.history)
    }

    /// Must be called with every new vector before it enters one of the vectors above: keeps the entries just before.
    mutating func note(_ vector: VersionVector) {
        for (replica, entry) in vector.entries {
            guard let known = latest(replica), entry.sequence > known.sequence else { continue }
            formers[replica] = entry.sequence == known.sequence + 1 ? known : nil
        }
    }

    /// Takes the writes of these replicas out of the received ones.
    mutating func leaveOut(_ replicas: Set<ReplicaID>) {
        received = VersionVector(received.entries.filter { !replicas.contains($0.key) })
    }

    /// Starts over from `vector`, because this device restates the profile.
    mutating func restart(at vector: VersionVector) {
        ours = vector
        announced = vector
        received = VersionVector()
        formers = [:]
        restatedByUs += 1
        wholeAsked = nil
    }

    private func latest(_ replica: ReplicaID) -> VersionVector.Entry? {
        var result = ours.entries[replica]
        for entry in [announced.entries[replica], received.entries[replica]] {
            guard let entry else { continue }
            if let best = result, (best.sequence, best.history) >= (entry.sequence, entry.history) { continue }
            result = entry
        }
        return result
    }
}
