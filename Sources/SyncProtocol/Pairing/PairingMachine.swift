package import MergeCore

/// One attempt to pair two devices by a one-time code: bytes and time in, actions out. Sync.proto shows the messages.
///
///     init ── start ──> greeting ──> proving ──> paired, storing ── confirm ──> responder: waiting for Done ──> closed
///
/// The initiator proves first, and the responder answers only if that proof was right, so a caller who does not know
/// the code learns nothing. Both proofs cover both keys as TLS saw them, so a machine in the middle cannot take part.
/// Each device reports `paired` before it sends its confirmation: the owner stores the result, then calls
/// ``confirm()``.
package struct PairingMachine: ~Copyable {
    package enum Role: Hashable, Sendable {
        /// Shows the code and listens.
        case responder
        /// Has the code typed into it and dials.
        case initiator
    }

    enum Phase {
        case created
        case greeting
        case proving(PairingTranscript, PairingHousehold)
        /// This device's result waits to be stored. `answer` is the frame that is sent after that.
        case storing(answer: [UInt8])
        case waitingForDone
        case closed
    }

    var phase = Phase.created
    var decoder = FrameDecoder(limit: Limits.frameBeforeHello)
    let role: Role
    let signer: any DeviceSigner
    let peer: DeviceKey
    let code: PairingCode
    let roster: Roster
    let secret: [UInt8]
    let secretSerial: UInt64
    let hello: PairingHello
    private let created: MonotonicTime

    /// - Parameters:
    ///   - peer: the peer's key as TLS proved it.
    ///   - roster: the roster of this device's household, in which it may be alone.
    ///   - secret: the household's shared secret, 32 bytes; fresh random bytes where the household has none yet.
    ///   - secretSerial: how often it was renewed.
    ///   - nonce: 32 fresh random bytes.
    ///   - now: the time; all later times are on the same clock.
    package init(
        _ role: Role,
        signer: any DeviceSigner,
        peer: DeviceKey,
        code: PairingCode,
        roster: Roster,
        secret: [UInt8],
        secretSerial: UInt64 = 0,
        nonce: [UInt8],
        now: MonotonicTime
    ) {
        precondition(secret.count == 32, "a household's secret has 32 bytes")
        self.role = role
        self.signer = signer
        self.peer = peer
        self.code = code
        self.roster = roster
        (self.secret, self.secretSerial) = (secret, secretSerial)
        hello = PairingHello(roster: roster, nonce: nonce)
        created = now
    }

    /// Sends the hello. Called once, before anything else.
    package mutating func start() -> [PairingAction] {
        guard case .created = phase else { preconditionFailure("a pairing is started twice") }
        guard peer != roster.me else {
            return close(
                "This is the device itself: type the code at another one. (If it is another machine, it runs with a copy of "
                    + "this one's Hearth folder: move that away there first.)", blame: .nobody)
        }
        phase = .greeting
        return [.send(WirePairFrame.bytes(.hello(hello.wire)))]
    }

    /// Takes bytes from the transport, in any slices.
    package mutating func received(_ bytes: [UInt8]) -> [PairingAction] {
        if case .closed = phase { return [] }
        decoder.append(bytes)
        var actions: [PairingAction] = []
        do {
            while !isClosed, let frame = try decoder.next() {
                guard let body = try WirePairFrame(wire: frame).body else { continue }
                actions += try take(body)
            }
        } catch let fault as ProtocolFault {
            actions += close("The other device broke the protocol: \(fault).", blame: .peer)
        } catch {
            actions += close("The other device broke the protocol: \(error).", blame: .peer)
        }
        return actions
    }

    /// Tells the peer that this device has stored its result. Call it after the result of `paired` is durable.
    package mutating func confirm() -> [PairingAction] {
        guard case .storing(let answer) = phase else { return [] }
        switch role {
        case .responder:
            phase = .waitingForDone
            return [.send(answer)]
        case .initiator:
            phase = .closed
            return [.send(answer), .close(LinkClosure(reason: "The devices are paired.", blame: .nobody))]
        }
    }

    /// Ends the pairing without a result: the window was closed, or the result could not be stored.
    package mutating func cancel(_ reason: String) -> [PairingAction] { close(reason, blame: .us) }

    /// The earliest time at which ``tick(now:)`` has something to do; `nil` when the pairing is over.
    package var deadline: MonotonicTime? {
        switch phase {
        case .closed: nil
        case .created, .greeting: created + Limits.helloTime
        default: created + Limits.pairingTime
        }
    }

    package mutating func tick(now: MonotonicTime) -> [PairingAction] {
        guard let deadline, now >= deadline else { return [] }
        return close("The other device did not answer in time: try again.", blame: .nobody)
    }

    package var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    mutating func close(_ reason: String, blame: LinkClosure.Blame) -> [PairingAction] {
        if case .closed = phase { return [] }
        phase = .closed
        var goodbye = WireGoodbye()
        goodbye.reason = DisplayName.cleaned(reason, limit: Limits.reason, fallback: "")
        return [
            .send(WirePairFrame.bytes(.goodbye(goodbye))), .close(LinkClosure(reason: reason, blame: blame)),
        ]
    }
}
