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

    // MARK: The peer's side

    /// What the peer said it covers.
    var confirmed = VersionVector()
    /// That, and what we sent.
    var believed = VersionVector()
    var restatedByPeer: UInt32 = 0
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
}
