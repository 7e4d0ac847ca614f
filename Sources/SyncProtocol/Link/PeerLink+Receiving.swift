package import MergeCore

extension PeerLink {
    /// Takes bytes from the transport, in any slices.
    package mutating func received(_ bytes: [UInt8], now: MonotonicTime) -> [LinkAction] {
        guard !bytes.isEmpty, !isClosed else { return [] }
        return withSession { session throws(ProtocolFault) in
            session.keepAlive.received(at: now)
            session.decoder.append(bytes)
            return []
        } + readFrames(now)
    }

    private mutating func readFrames(_ now: MonotonicTime) -> [LinkAction] {
        var actions: [LinkAction] = []
        do {
            while let frame = try nextFrame() {
                // Frames of an unknown kind are ignored, so that later versions may add kinds.
                guard let body = try WireFrame(wire: frame).body else { continue }
                if case .goodbye(let goodbye) = body {
                    let reason = DisplayName.cleaned(goodbye.reason, limit: Limits.reason, fallback: "no reason given")
                    phase = .closed
                    actions.append(
                        .close(LinkClosure(reason: "The other device ended the link: \(reason)", blame: .nobody))
                    )
                    break
                }
                actions += try take(body, now)
            }
        } catch let fault as ProtocolFault {
            actions += close("The other device broke the protocol: \(fault).", blame: .peer)
        } catch {
            actions += close("The other device broke the protocol: \(error).", blame: .peer)
        }
        return actions
    }

    private mutating func nextFrame() throws(FrameError) -> [UInt8]? {
        switch takePhase() {
        case .greeting(var session):
            let result = Result { () throws(FrameError) in try session.decoder.next() }
            phase = .greeting(session)
            return try result.get()
        case .open(var open):
            let result = Result { () throws(FrameError) in try open.session.decoder.next() }
            phase = .open(open)
            return try result.get()
        case .created: preconditionFailure("bytes came before the link was started")
        case .closed: return nil
        }
    }

    private mutating func take(_ body: WireFrame.OneOf_Body, _ now: MonotonicTime) throws(ProtocolFault) -> [LinkAction]
    {
        switch takePhase() {
        case .greeting(var session):
            guard case .hello(let hello) = body else {
                phase = .greeting(session)
                throw ProtocolFault("its first message was no Hello")
            }
            let name = DisplayName.cleaned(hello.name)
            guard hello.version == ProtocolVersion.sync else {
                phase = .greeting(session)
                let reason = ProtocolVersion.mismatch(peer: name, theirs: hello.version, ours: ProtocolVersion.sync)
                return close(reason, blame: .nobody)
            }
            guard hello.name.utf8.count <= Limits.name, hello.features.count <= Limits.features,
                hello.features.allSatisfy({ $0.utf8.count <= Limits.feature })
            else {
                phase = .greeting(session)
                throw ProtocolFault("its Hello has too long a name or too many features")
            }
            session.decoder.limit = Limits.frame
            let greeting = PeerGreeting(
                name: name,
                version: hello.version,
                features: hello.features,
                clock: WallTime(milliseconds: hello.clock)
            )
            let exchange = session.roster.greeted(hello.householdDigest.array)
            phase = .open(OpenLink(session: session, greeting: greeting))
            return [.greeted(greeting)] + exchange
        case .open(var open):
            let result = Result { () throws(ProtocolFault) in try open.session.receive(body) }
            phase = .open(open)
            return try result.get()
        case .created: preconditionFailure("bytes came before the link was started")
        case .closed: return []
        }
    }
}
