import HouseholdAgent
import LANTransport
import NIOCore
import Testing

/// Two transports over loopback: what honest peers see.
@Suite(.timeLimit(.minutes(5)))
struct LinkTests {
    @Test(arguments: LinkPurpose.allCases)
    func bothSidesLearnEachOthersKeyAndTalk(purpose: LinkPurpose) async throws {
        try await withPair { server, client, port in
            let id = client.dial(7, port: port, purpose)
            let there = try await server.recorder.opened()
            let here = try await client.recorder.opened()
            #expect(here.id == id && here.dialled && here.purpose == purpose)
            #expect(!there.dialled && there.purpose == purpose)
            #expect(here.peerKey == server.credentials.publicKey)
            #expect(there.peerKey == client.credentials.publicKey)
            #expect(here.remote == PeerAddress(host: "127.0.0.1", port: port))
            #expect(there.remote.host == "127.0.0.1")
            #expect(there.id.rawValue >= 1 << 63)
            client.transport.perform(.admit(id))
            server.transport.perform(.admit(there.id))
            client.transport.perform(.send(id, Array("ping".utf8)))
            #expect(try await server.recorder.bytes(4, on: there.id) == Array("ping".utf8))
            server.transport.perform(.send(there.id, Array("pong!".utf8)))
            #expect(try await client.recorder.bytes(5, on: id) == Array("pong!".utf8))
        }
    }

    @Test func nothingIsDeliveredBeforeAdmissionAndEverythingAfter() async throws {
        let message = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withPair { server, client, port in
            let id = client.dial(port: port)
            _ = try await client.recorder.opened()
            client.transport.perform(.admit(id))
            client.transport.perform(.send(id, message))
            let there = try await server.recorder.opened()
            // The bytes have all the time they need to come; that they do not is what is tested.
            try await Task.sleep(for: .milliseconds(200))
            #expect(server.recorder.events.count == 1)
            server.transport.perform(.admit(there.id))
            #expect(try await server.recorder.bytes(message.count, on: there.id) == message)
        }
    }

    @Test func whatAnUnadmittedPeerSendsAndClosesOnIsNeverDelivered() async throws {
        try await withPair { server, _, port in
            let peer = try await RawPeer.tls(port: port) { _ in }
            peer.send(Array(repeating: 1, count: 100_000))
            let there = try await server.recorder.opened()
            await peer.close()
            _ = try await server.recorder.closed(there.id)
            server.transport.perform(.admit(there.id))
            try await honestPeerGetsIn(server, port)
            #expect(server.recorder.received(on: there.id).isEmpty)
        }
    }

    @Test func whoIsNotAdmittedIsClosed() async throws {
        var limits = TransportLimits.patient
        limits.admissionTimeout = .milliseconds(100)
        try await withPair(server: limits) { server, client, port in
            let id = client.dial(port: port)
            let there = try await server.recorder.opened()
            #expect(try await server.recorder.closed(there.id).contains("not admitted"))
            _ = try await client.recorder.closed(id)
        }
        // The same on the dialling side.
        try await withPair(client: limits) { server, client, port in
            let id = client.dial(port: port)
            let reason = try await client.recorder.closed(id)
            #expect(reason.contains("not admitted"))
        }
    }

    @Test func aThousandSendsKeepTheirOrder() async throws {
        try await withAdmittedPair { server, client, there, here in
            var expected: [UInt8] = []
            for number in 0..<1_000 {
                let bytes = Array("message \(number);".utf8)
                expected += bytes
                client.transport.perform(.send(here, bytes))
            }
            let got = try await server.recorder.bytes(expected.count, on: there)
            #expect(got == expected)
        }
    }

    @Test func eightMegabytesBothWaysInBoundedPieces() async throws {
        try await withAdmittedPair { server, client, there, here in
            let message = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }
            client.transport.perform(.send(here, message))
            server.transport.perform(.send(there, message))
            let up = try await server.recorder.bytes(message.count, on: there)
            let down = try await client.recorder.bytes(message.count, on: here)
            #expect(up == message)
            #expect(down == message)
            for event in server.recorder.events + client.recorder.events {
                if case .received(_, let bytes) = event { #expect((1...64 << 10).contains(bytes.count)) }
            }
        }
    }

    /// A peer that sends faster than the agent works fills no memory: its bytes wait at its own end.
    @Test func nothingMoreIsReadUntilTheAgentHasTakenWhatCame() async throws {
        try await Party(resumes: false).use { server in
            try await Party().use { client in
                let port = try await server.transport.listen(port: 0, host: "127.0.0.1")
                let here = client.dial(port: port)
                _ = try await client.recorder.opened()
                let there = try await server.recorder.opened()
                client.transport.perform(.admit(here))
                server.transport.perform(.admit(there.id))
                let message = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }
                client.transport.perform(.send(here, message))
                var (pauses, count) = (0, 0)
                while count < message.count {
                    pauses += 1
                    let wanted = pauses
                    if count > message.count - 200_000 { break }
                    while server.recorder.count(where: { if case .paused = $0 { true } else { false } }) < wanted {
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    // The rest has all the time it needs to come; that it does not is what is tested.
                    if pauses < 4 { try await Task.sleep(for: .milliseconds(100)) }
                    let now = server.recorder.received(on: there.id).count
                    #expect(now - count <= 256 << 10, "\(now - count) bytes came in one go")
                    count = now
                    server.transport.perform(.resume(there.id))
                }
                #expect(pauses > 20)
            }
        }
    }

    @Test func closeSendsWhatIsQueuedFirst() async throws {
        var limits = TransportLimits.patient
        // So that it is the drain that lets the bytes out, not the wait for the peer's goodbye.
        limits.farewellTimeout = .milliseconds(1)
        try await withPair(client: limits) { server, client, port in
            let here = client.dial(port: port)
            _ = try await client.recorder.opened()
            let there = try await server.recorder.opened().id
            // More than the sockets of both sides hold while nobody reads.
            let message = [UInt8](repeating: 9, count: 24 << 20)
            client.transport.perform(.send(here, message))
            client.transport.perform(.close(here))
            try await Task.sleep(for: .milliseconds(50))
            server.transport.perform(.admit(there))
            let reason = try await server.recorder.closed(there)
            #expect(server.recorder.received(on: there).count == message.count)
            #expect(reason == "the peer closed the connection")
        }
    }

    @Test func closedIsReportedOnceOnEachSide() async throws {
        try await withAdmittedPair { server, client, there, here in
            client.transport.perform(.close(here))
            client.transport.perform(.close(here))
            client.transport.perform(.send(here, [1]))
            #expect(try await client.recorder.closed(here) == "closed on this device")
            #expect(try await server.recorder.closed(there) == "the peer closed the connection")
            server.transport.perform(.close(there))
            server.transport.perform(.admit(there))
            server.transport.perform(.send(there, [1]))
            // A later connection's events come after any that were still on their way.
            let again = client.dial(2, port: try await server.transport.listen(port: 0, host: "127.0.0.1"))
            _ = try await client.recorder.opened(again)
            client.transport.perform(.close(again))
            _ = try await client.recorder.closed(again)
            #expect(client.recorder.count { if case .closed(here, _) = $0 { true } else { false } } == 1)
            #expect(server.recorder.count { if case .closed(there, _) = $0 { true } else { false } } == 1)
        }
    }

    @Test func aPeerThatDoesNotReadIsClosedAtTheLimit() async throws {
        var limits = TransportLimits.patient
        limits.unsentBytes = 1 << 20
        try await withPair(client: limits) { server, client, port in
            let id = client.dial(port: port)
            _ = try await server.recorder.opened()
            _ = try await client.recorder.opened()
            client.transport.perform(.admit(id))
            for _ in 0..<64 { client.transport.perform(.send(id, Array(repeating: 0, count: 1 << 20))) }
            #expect(try await client.recorder.closed(id).contains("does not read"))
        }
    }

    /// Also where a peer says nothing, and another one reads nothing: neither of them would ever end.
    @Test func shutdownEndsEveryConnectionAndReportsIt() async throws {
        var limits = TransportLimits.patient
        limits.shutdownTimeout = .milliseconds(100)
        let server = try Party(limits: limits)
        let port = try await server.transport.listen(port: 0, host: "127.0.0.1")
        let silent = try await RawPeer.plain(port: port)
        let deaf = try await RawPeer.tls(port: port) { _ in }
        let there = try await server.recorder.opened()
        try await deaf.channel.setOption(.autoRead, value: false).get()
        server.transport.perform(.send(there.id, Array(repeating: 0, count: 32 << 20)))
        await server.transport.shutdown()
        #expect(server.recorder.count { if case .closed = $0 { true } else { false } } == 1)
        #expect(server.recorder.count { if case .refused = $0 { true } else { false } } == 1)
        server.transport.perform(.close(there.id))
        await server.transport.shutdown()
        await #expect(throws: TransportError.self) { try await server.transport.listen(port: 0) }
        await silent.close()
        await deaf.close()
    }
}

/// Both sides admitted, the client having dialled.
func withAdmittedPair(
    _ body: (_ server: Party, _ client: Party, _ there: ConnectionID, _ here: ConnectionID) async throws -> Void
) async throws {
    try await withPair { server, client, port in
        let here = client.dial(port: port)
        _ = try await client.recorder.opened()
        let there = try await server.recorder.opened().id
        client.transport.perform(.admit(here))
        server.transport.perform(.admit(there))
        try await body(server, client, there, here)
    }
}

/// Shows that the server still serves: a new peer connects, is admitted and heard.
func honestPeerGetsIn(_ server: Party, _ port: UInt16) async throws {
    try await Party().use { peer in
        let id = peer.dial(port: port)
        let key = peer.credentials.publicKey
        let there = try await server.recorder.opened(key: key)
        server.transport.perform(.admit(there.id))
        _ = try await peer.recorder.opened()
        peer.transport.perform(.send(id, [1, 2, 3]))
        #expect(try await server.recorder.bytes(3, on: there.id) == [1, 2, 3])
    }
}
