import MergeCore

/// What a greeted link knows, and what it does with each message. ``PeerLink`` wraps it with the phases of a link.
struct LinkSession: ~Copyable {
    var ledgers: [ProfileID: ProfileLedger] = [:]
    var outgoing = OutgoingNames()
    var incoming = IncomingNames()
    var keys = LinkKeys()
    /// Whether the peer has listed all its profiles.
    var isPeerListed = false
    /// The delta whose last frame has not come yet.
    var assembly: DeltaReader?
    /// Replicas whose certificate was sent, since the peer last stated anything anew.
    var certified: Set<ReplicaID> = []
    var keepAlive: KeepAlive
    var copies = CopyTalk()
    var forms = FormTalk()
    var words = WordTalk()
    /// Cuts what comes into frames.
    var decoder = FrameDecoder(limit: Limits.frameBeforeHello)
    private var nextRequest: UInt64 = 0
    /// Entries in all `confirmed` vectors together.
    private var peerEntries = 0

    init(now: Int64) { keepAlive = KeepAlive(now: now) }

    // MARK: Requests

    /// The request for what the peer lacks of a profile, where it lacks something and no request is open.
    mutating func request(_ profile: ProfileID) -> [LinkAction] {
        guard let ledger = ledgers[profile], ledger.request == nil, ledger.isListed || isPeerListed,
            !ledger.believed.covers(ledger.ours)
        else { return [] }
        nextRequest += 1
        ledgers[profile]?.request = nextRequest
        return [.needsDelta(DeltaRequest(profile: profile, beyond: ledger.believed, number: nextRequest))]
    }

    /// The requests for all profiles that the peer did not list.
    mutating func requestUnlisted() -> [LinkAction] {
        var actions: [LinkAction] = []
        for profile in ledgers.keys.sorted() { actions += request(profile) }
        return actions
    }

    /// Whether both sides cover the same, as far as each has said.
    func isSettled(_ profile: ProfileID) -> Bool {
        guard isPeerListed, let ledger = ledgers[profile] else { return isPeerListed }
        return ledger.confirmed.covers(ledger.ours) && ledger.ours.covers(ledger.confirmed)
    }

    // MARK: What the peer covers

    /// The peer covers `vector` as well.
    mutating func raise(_ profile: ProfileID, by vector: VersionVector) throws(ProtocolFault) {
        var ledger = try openLedger(profile)
        let before = ledger.confirmed.entries.count
        ledger.confirmed.join(vector)
        ledger.believed.join(vector)
        try count(ledger.confirmed.entries.count - before, ledger.confirmed, profile)
        ledgers[profile] = ledger
    }

    /// The peer covers `vector` and nothing else.
    mutating func replace(_ profile: ProfileID, by vector: VersionVector, restated: UInt32) throws(ProtocolFault) {
        var ledger = try openLedger(profile)
        try count(vector.entries.count - ledger.confirmed.entries.count, vector, profile)
        ledger.confirmed = vector
        ledger.believed = vector
        ledger.restatedByPeer = restated
        ledger.isListed = true
        ledger.request = nil
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
