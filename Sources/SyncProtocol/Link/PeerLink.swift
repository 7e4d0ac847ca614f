package import MergeCore

/// One authenticated link between two members of a household, as a state machine: bytes and time in, actions out.
///
/// A link is made after the transport has proved the peer's key, and the owner has found this key among the pins. Then:
///
///     init ── start ──> greeting ── the peer's Hello ──> open ── close ──> closed
///
/// After ``start(profiles:roster:secret:clock:salt:now:)`` both sides state their version vectors (Vectors, or Ranges where there are many profiles). From then on a side that
/// covers writes which the other lacks sends them as a delta; the receiver joins it, commits, and acknowledges. Each
/// side keeps two vectors of the other: the one that the peer *confirmed*, and the one that it is *believed* to cover,
/// which includes deltas under way. A delta is made against the believed vector. So nothing waits for an ack, and no
/// atom is sent back to the device that it came from. Belief and truth can differ (a lost record, a commit that
/// failed). Then the receiver notices that it does not cover a delta's `from` and restates its vector
/// (``offer(_:vector:)``), and the sender drops its belief. Sync.proto has the details.
///
/// All methods of a closed link do nothing. The link checks every byte of the peer (see ``Limits``). It verifies no
/// signature; its owner does.
package struct PeerLink: ~Copyable {
    /// The phase of the link. Every method takes it out, works on it, and puts the next phase in; see ``takePhase()``.
    enum Phase: ~Copyable {
        case created
        /// This side's Hello was sent; the peer's has not come yet.
        case greeting(LinkSession)
        case open(OpenLink)
        case closed
    }

    struct OpenLink: ~Copyable {
        var session: LinkSession
        let greeting: PeerGreeting
    }

    var phase: Phase
    private let localName: String
    let created: MonotonicTime

    /// - Parameters:
    ///   - localName: the name that people gave this device.
    ///   - now: the time; all later times are on the same clock.
    package init(localName: String, now: MonotonicTime) {
        self.localName = DisplayName.cleaned(localName)
        created = now
        phase = .created
    }

    /// Sends the Hello and this device's vectors. Called once, before anything else.
    ///
    /// - Parameters:
    ///   - profiles: what this device covers.
    ///   - roster: the statements that this device holds. The peer is sent those that it lacks.
    ///   - secret: the household's secret, which all members are told.
    ///   - clock: the wall clock, for the peer's reports.
    ///   - salt: a random number.
    package mutating func start(
        profiles: CoveredProfiles,
        roster: [RosterStatement],
        secret: HouseholdSecret? = nil,
        clock: WallTime = 0,
        salt: UInt64 = 0,
        now: MonotonicTime
    ) -> [LinkAction] {
        switch takePhase() {
        case .created: break
        default: preconditionFailure("a link is started twice")
        }
        var hello = WireHello()
        hello.version = ProtocolVersion.sync
        hello.name = localName
        hello.features = [Self.formFeature, Self.digestFeature]
        hello.clock = clock.milliseconds
        var session = LinkSession(now: now, roster: RosterExchange(roster, secret, salt: salt), salt: salt)
        hello.householdDigest = session.roster.digest.wire
        var bytes = WireFrame.bytes(.hello(hello))
        bytes += session.state(profiles, salt: salt)
        phase = .greeting(session)
        return [.send(bytes)]
    }

    // MARK: Parts

    /// Runs `body` on a link that was started and is not closed; a fault ends the link.
    mutating func withSession(
        _ body: (inout LinkSession) throws(ProtocolFault) -> [LinkAction]
    ) -> [LinkAction] {
        let result: Result<[LinkAction], ProtocolFault>
        switch takePhase() {
        case .created: preconditionFailure("the link was not started")
        case .greeting(var session):
            result = Result { () throws(ProtocolFault) in try body(&session) }
            phase = .greeting(session)
        case .open(var open):
            result = Result { () throws(ProtocolFault) in try body(&open.session) }
            phase = .open(open)
        case .closed: return []
        }
        switch result {
        case .success(let actions): return actions
        case .failure(let fault): return close("The other device broke the protocol: \(fault).", blame: .peer)
        }
    }

    /// Takes the phase out. The stored phase is `closed` until another one is put in.
    mutating func takePhase() -> Phase {
        var taken = Phase.closed
        swap(&taken, &phase)
        return taken
    }

    mutating func close(_ reason: String, blame: LinkClosure.Blame) -> [LinkAction] {
        if isClosed { return [] }
        phase = .closed
        var goodbye = WireGoodbye()
        goodbye.reason = DisplayName.cleaned(reason, limit: Limits.reason, fallback: "")
        return [.send(WireFrame.bytes(.goodbye(goodbye))), .close(LinkClosure(reason: reason, blame: blame))]
    }
}
