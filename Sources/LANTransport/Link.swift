import HouseholdAgent
import NIOCore
import NIOSSL
import NIOTLS

/// One connection, from accept or dial to its end: the channel handler above TLS.
///
/// This file has the state and the channel's events, `Link+Agent.swift` the agent's actions. Everything runs on the
/// event loop. The phase of a connection only moves down the list of ``Phase``. The last event is reported on entering
/// `gone`, so it is reported exactly once.
final class Link: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Which side made the connection.
    enum Origin {
        case accepted
        case dialled(PeerAddress, LinkPurpose)
    }

    enum Phase {
        /// Dialled; the TCP connection is not yet established.
        case connecting
        case handshaking
        /// Reported to the agent, and waiting to be admitted. Reading is stopped; bytes that were decrypted before are
        /// held here.
        case opened(held: ByteBuffer)
        case admitted
        /// Closed by the agent: queued bytes are still sent, incoming bytes are dropped.
        case closing
        case gone
    }

    let id: ConnectionID
    let origin: Origin
    var phase: Phase
    let owner: TransportHub
    let gate = ReadGate()
    var context: ChannelHandlerContext?
    private var remote: PeerAddress
    /// The key of the certificate that the peer showed. It is proved when the handshake is complete.
    private var shownKey: [UInt8]?
    var wasOpened = false
    private var reason: String?
    private var deadline: Scheduled<Void>?
    var outbox = ByteBuffer()
    /// The bytes that were delivered since the agent last took all of them.
    var delivered = 0
    /// Whether the agent was told that reading stops until it has taken the delivered bytes.
    var isPaused = false

    init(id: ConnectionID, origin: Origin, owner: TransportHub) {
        self.id = id
        self.origin = origin
        self.owner = owner
        switch origin {
        case .accepted:
            phase = .handshaking
            remote = PeerAddress(nil)
        case .dialled(let address, _):
            phase = .connecting
            remote = address
        }
    }

    /// Adds the handlers of this connection to a new channel.
    func install(on channel: any Channel) throws {
        let purpose: LinkPurpose? =
            switch origin {
            case .accepted: nil
            case .dialled(_, let purpose): purpose
            }
        let tls = try owner.contexts.handler(for: purpose) { [weak self] verdict in
            switch verdict {
            case .accepted(let key): self?.shownKey = key
            case .refused(let why): self?.note("the peer is not a Hearth device: \(why)")
            }
        }
        if channel.remoteAddress != nil { remote = PeerAddress(channel.remoteAddress) }
        phase = .handshaking
        try channel.pipeline.syncOperations.addHandlers([gate, tls, self])
    }

    // MARK: What the channel says

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        setDeadline(owner.limits.handshakeTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch phase {
        case .admitted:
            deliver(bytes)
        case .opened(var held):
            guard held.readableBytes + bytes.readableBytes <= owner.limits.heldBytes else {
                abort("the peer sent too much before it was admitted")
                return
            }
            held.writeBuffer(&bytes)
            phase = .opened(held: held)
        case .connecting, .handshaking, .closing, .gone:
            break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated): handshakeCompleted(negotiated)
        case TLSUserEvent.shutdownCompleted: note("the peer closed the connection")
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        abort(Reason.describe(error))
    }

    private func handshakeCompleted(_ negotiated: String?) {
        guard case .handshaking = phase else { return }
        guard let purpose = negotiated.flatMap(LinkPurpose.init(rawValue:)) else {
            return abort(DialFault.otherProtocol.rawValue)
        }
        // Without a verdict there was no full handshake: the peer resumed an earlier session, which does not prove the
        // key again.
        guard let shownKey else { return abort("the peer resumed an earlier TLS session, which is not admitted") }
        phase = .opened(held: ByteBuffer())
        wasOpened = true
        setDeadline(owner.limits.admissionTimeout)
        gate.hold()
        let dialled =
            switch origin {
            case .accepted: false
            case .dialled: true
            }
        let isHere = context.map { OwnMachine.holds($0.localAddress, $0.remoteAddress) } ?? false
        owner.report(
            .opened(id, purpose: purpose, peerKey: shownKey, remote: remote, dialled: dialled, isHere: isHere))
    }

    func deliver(_ bytes: ByteBuffer) {
        var rest = bytes
        while let piece = rest.readBytes(length: min(rest.readableBytes, owner.limits.chunkBytes)), !piece.isEmpty {
            delivered += piece.count
            owner.report(.received(id, piece))
        }
        guard delivered >= owner.limits.undeliveredBytes, !isPaused, case .admitted = phase else { return }
        isPaused = true
        gate.hold()
        owner.report(.paused(id))
    }

    // MARK: The end

    /// Notes why the connection ends. Only the first reason is kept, because later ones are its consequences.
    func note(_ text: String) {
        if reason == nil { reason = text }
    }

    func end() {
        if case .gone = phase { return }
        phase = .gone
        setDeadline(nil)
        outbox = ByteBuffer()
        owner.remove(self)
        let reason = reason ?? "the peer closed the connection"
        switch origin {
        case _ where wasOpened: owner.report(.closed(id, reason: reason))
        case .accepted: owner.refuse(remote, reason)
        case .dialled: owner.report(.dialFailed(id, reason: reason))
        }
    }

    /// Sets the deadline. There is one at a time: for the handshake, then for admission, then for sending the queued
    /// bytes.
    func setDeadline(_ time: Duration?) {
        deadline?.cancel()
        deadline = nil
        guard let time else { return }
        deadline = owner.loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self] in
            self?.deadlinePassed()
        }
    }

    private func deadlinePassed() {
        switch phase {
        case .handshaking: abort("no TLS handshake within \(owner.limits.handshakeTimeout)")
        case .opened: abort("not admitted within \(owner.limits.admissionTimeout)")
        case .closing: abort("the peer did not take what was queued")
        case .connecting, .admitted, .gone: break
        }
    }
}
