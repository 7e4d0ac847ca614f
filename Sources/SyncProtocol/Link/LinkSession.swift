import MergeCore

/// The state of a link after the Hello, and its handling of each message. ``PeerLink`` wraps it with the phases of a
/// link.
struct LinkSession: ~Copyable {
    var ledgers = LinkLedgers()
    var ranges = RangeExchange()
    var outgoing = OutgoingNames()
    var incoming = IncomingNames()
    var keys = LinkKeys()
    /// Whether the peer has listed all its profiles.
    var isPeerListed = false
    /// The delta whose last frame has not come yet.
    var assembly: DeltaReader?
    /// The replicas whose origin was sent on this link. Emptied when the peer restates a profile.
    var announced: Set<ReplicaID> = []
    var keepAlive: KeepAlive
    var copies = CopyExchange()
    var forms = FormExchange()
    var acks = AckExchange()
    var digests = DigestExchange()
    var roster: RosterExchange
    /// Cuts the incoming bytes into frames.
    var decoder = FrameDecoder(limit: Limits.frameBeforeHello)
    /// The unfolded size, in bytes, of the deltas that came and were not counted yet; see ``PeerLink/takeUnfolded()``.
    var unfolded = 0
    private var nextRequest: UInt64 = 0
    /// The number of entries in all `confirmed` vectors together.
    private var peerEntries = 0

    /// - Parameter salt: A random number, from which the keep-alive takes its times.
    init(now: MonotonicTime, roster: RosterExchange = RosterExchange(), salt: UInt64 = 0) {
        keepAlive = KeepAlive(now: now, salt: salt)
        self.roster = roster
    }

    // MARK: Requests

    /// The request for the atoms of a profile that the peer lacks. Empty if the peer lacks none, if a request is open
    /// already, or if the peer may have to be told of a removal first.
    mutating func request(_ profile: ProfileID) -> [LinkAction] {
        // What could not be sent may be less now: a peer that asked for everything says afterwards what it covers.
        if let ledger = ledgers[profile], let beyond = ledger.unsendable, !beyond.covers(ledger.believed),
            ledger.unsendableTries < Limits.unsendableTries
        {
            ledgers[profile]?.unsendable = nil
            ledgers[profile]?.request = nil
            ledgers[profile]?.unsendableTries += 1
        }
        guard !roster.isAsking, let ledger = ledgers[profile], ledger.request == nil, ledger.isListed || isPeerListed,
            !ledger.believed.covers(ledger.ours)
        else { return [] }
        nextRequest += 1
        ledgers[profile]?.request = nextRequest
        return [.needsDelta(DeltaRequest(profile: profile, beyond: ledger.believed, number: nextRequest))]
    }

    /// The requests for all profiles that the peer did not list.
    mutating func requestUnlisted() -> [LinkAction] {
        let unlisted = Set(ledgers.profiles).union(ledgers.start.all(in: .whole).map(\.profile))
        var actions: [LinkAction] = []
        for profile in unlisted.sorted() { actions += request(profile) }
        return actions
    }

    /// Whether both sides cover the same writes of a profile, as far as each has sent its vector. A profile that
    /// neither side has named is settled once the peer's list is complete.
    func isSettled(_ profile: ProfileID) -> Bool {
        if isPeerListed, ledgers.isAlike(profile) { return true }
        guard isPeerListed, let ledger = ledgers[profile] else { return isPeerListed }
        return ledger.confirmed.covers(ledger.ours) && ledger.ours.covers(ledger.confirmed)
    }

    /// Whether the peer has not listed all its profiles yet, or covers writes that have not come.
    var mayBringMore: Bool {
        if !isPeerListed { return true }
        return ledgers.profiles.contains { profile in
            ledgers[profile].map { !$0.ours.covers($0.confirmed) } ?? false
        }
    }

    // MARK: What the peer covers

    /// Joins `vector` into the vector that the peer covers.
    mutating func raise(_ profile: ProfileID, by vector: VersionVector) throws(ProtocolFault) {
        var ledger = try openLedger(profile)
        let before = ledger.confirmed.entries.count
        ledger.confirmed.join(vector)
        ledger.believed.join(vector)
        try count(ledger.confirmed.entries.count - before, ledger.confirmed, profile)
        ledgers[profile] = ledger
    }

    /// Replaces the vector that the peer covers by `vector`.
    mutating func replace(_ profile: ProfileID, by vector: VersionVector, restated: UInt32) throws(ProtocolFault) {
        var ledger = try openLedger(profile)
        try count(vector.entries.count - ledger.confirmed.entries.count, vector, profile)
        ledger.confirmed = vector
        // If the peer has another history of a replica, one of the two records was rolled back or copied. Then all
        // known writes of the replica are sent, with the signature of its device, so that the device notices that.
        let ours = ledger.ours
        ledger.believed = VersionVector(
            vector.entries.filter { ours.sequence(of: $0.key) != $0.value.sequence || ours.entries[$0.key] == $0.value }
        )
        ledger.restatedByPeer = restated
        ledger.isListed = true
        (ledger.request, ledger.unsendable, ledger.unsendableTries) = (nil, nil, 0)
        ledgers[profile] = ledger
    }

    private func openLedger(_ profile: ProfileID) throws(ProtocolFault) -> ProfileLedger {
        if let ledger = ledgers[profile] { return ledger }
        guard ledgers.count < 2 * Limits.profiles else {
            throw ProtocolFault("more than \(Limits.profiles) profiles were named on this link")
        }
        return ProfileLedger()
    }

    private mutating func count(
        _ difference: Int,
        _ vector: VersionVector,
        _ profile: ProfileID
    ) throws(ProtocolFault) {
        peerEntries += difference
        guard vector.entries.count <= Limits.vectorEntries, peerEntries <= Limits.entriesPerLink else {
            throw ProtocolFault("the vector of profile \(profile) grew beyond every limit")
        }
    }
}
