import Crypto
import HouseholdAgent
import LANTransport
import NIOCore
import NIOSSL
import TestSupport
import Testing
import X509

/// Peers that break the rules are refused, and the next honest one gets in.
@Suite(.timeLimit(.minutes(5)))
struct HostilePeerTests {
    struct Opening: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
    }

    private static let openings: [Opening] = [
        Opening(testDescription: "HTTP", bytes: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
        Opening(testDescription: "a length of 4 GiB", bytes: [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
        Opening(
            testDescription: "an oversized record",
            bytes: [0x16, 3, 1, 0xff, 0xff] + Array(repeating: 1, count: 1_000)
        ),
        Opening(testDescription: "a ClientHello of 16 MiB", bytes: [0x16, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff]),
        Opening(testDescription: "100,000 zeros", bytes: Array(repeating: 0, count: 100_000)),
        Opening(testDescription: "an alert first", bytes: [0x15, 3, 3, 0, 2, 2, 40]),
        Opening(testDescription: "application data first", bytes: [0x17, 3, 3, 0, 3, 1, 2, 3]),
    ]

    @Test(arguments: openings)
    func bytesThatAreNoHandshake(opening: Opening) async throws {
        var limits = TransportLimits.patient
        limits.handshakeTimeout = .seconds(5)
        try await withPair(server: limits) { server, _, port in
            let peer = try await RawPeer.plain(port: port)
            peer.send(opening.bytes)
            _ = try await server.recorder.refused()
            await peer.ended()
            try await honestPeerGetsIn(server, port)
            #expect(server.recorder.count { if case .refused = $0 { true } else { false } } == 1)
        }
    }

    @Test func randomBytesAndHangUps() async throws {
        try await withPair { server, _, port in
            var generator = SeededRandom(seed: 5)
            for round in 0..<40 {
                let peer = try await RawPeer.plain(port: port)
                var bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                if round % 2 == 0 { bytes = [0x16, 3, 1, 0, 200] + bytes }
                peer.send(bytes)
                await peer.close()
            }
            try await honestPeerGetsIn(server, port)
        }
    }

    /// However many connections are refused, the agent hears of the first at once, and of all others together: after a
    /// minute, or at the end.
    @Test func aFloodIsReportedOnce() async throws {
        let server = try Party()
        let port = try await server.transport.listen(port: 0, host: "127.0.0.1")
        for _ in 0..<100 {
            let peer = try await RawPeer.plain(port: port)
            peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            await peer.ended()
        }
        try await honestPeerGetsIn(server, port)
        await server.transport.shutdown()
        let counts = server.recorder.events.compactMap { event -> Int? in
            if case .refused(_, _, let count) = event { count } else { nil }
        }
        #expect(counts == [1, 99])
    }

    @Test func silenceTimesOut() async throws {
        var limits = TransportLimits.patient
        limits.handshakeTimeout = .milliseconds(200)
        try await withPair(server: limits) { server, _, port in
            let peer = try await RawPeer.plain(port: port)
            #expect(try await server.recorder.refused().contains("no TLS handshake"))
            await peer.ended()
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout TLSConfiguration) throws -> Void
    }

    private static let settings: [Case] = [
        Case(testDescription: "no certificate") {
            $0.certificateChain = []
            $0.privateKey = nil
        },
        Case(testDescription: "TLS 1.2") {
            $0.minimumTLSVersion = .tlsv12
            $0.maximumTLSVersion = .tlsv12
        },
        Case(testDescription: "no ALPN") { $0.applicationProtocols = [] },
        Case(testDescription: "foreign ALPN") { $0.applicationProtocols = ["h2", "hearth/2"] },
        Case(testDescription: "P-384") {
            let key = P384.Signing.PrivateKey()
            $0.certificateChain = [.certificate(try RawPeer.certificate(.init(key)))]
            $0.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        },
        Case(testDescription: "signed by another key") {
            let key = P256.Signing.PrivateKey()
            let other = Certificate.PrivateKey(P256.Signing.PrivateKey())
            $0.certificateChain = [.certificate(try RawPeer.certificate(.init(key), issuer: other))]
            $0.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        },
        Case(testDescription: "another issuer's name") {
            let key = P256.Signing.PrivateKey()
            $0.certificateChain = [.certificate(try RawPeer.certificate(.init(key), issuerName: "someone"))]
            $0.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))
        },
        Case(testDescription: "two certificates") {
            let other = Certificate.PrivateKey(P256.Signing.PrivateKey())
            $0.certificateChain.append(.certificate(try RawPeer.certificate(other)))
        },
    ]

    @Test(arguments: settings)
    func tlsThatIsNotOurs(settings: Case) async throws {
        try await withPair { server, _, port in
            let peer = try await RawPeer.tls(port: port, settings.change)
            let reason = try await server.recorder.refused()
            #expect(!reason.isEmpty)
            await peer.ended()
            #expect(server.recorder.count { if case .opened = $0 { true } else { false } } == 0)
            try await honestPeerGetsIn(server, port)
        }
    }

    @Test func ed25519IsLetIn() async throws {
        try await withPair { server, _, port in
            let key = Curve25519.Signing.PrivateKey()
            let peer = try await RawPeer.tls(port: port) {
                $0.certificateChain = [.certificate(try RawPeer.certificate(.init(key)))]
                $0.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: pkcs8(key), format: .der))
                $0.signingSignatureAlgorithms = [.ed25519]
            }
            let there = try await server.recorder.opened()
            #expect(there.peerKey.suffix(32) == Array(key.publicKey.rawRepresentation)[...])
            let signature = Array(try key.signature(for: [1, 2]))
            #expect(DeviceCredentials.isValid(signature: signature, for: [1, 2], key: there.peerKey))
            #expect(!DeviceCredentials.isValid(signature: signature, for: [1, 3], key: there.peerKey))
            await peer.close()
        }
    }

    @Test func silentConnectionsMakeRoomAtRandomAndAnHonestPeerGetsIn() async throws {
        var limits = TransportLimits.patient
        limits.refusalInterval = .zero
        try await Party(limits: limits, random: SeededRandom(seed: 11)).use { server in
            let port = try await server.transport.listen(port: 0, host: "127.0.0.1")
            var silent: [RawPeer] = []
            for _ in 0..<33 { silent.append(try await RawPeer.plain(port: port)) }
            #expect(try await server.recorder.refused().contains("made room"))
            for _ in 33..<64 { silent.append(try await RawPeer.plain(port: port)) }
            try await honestPeerGetsIn(server, port)
            // 64 silent and an honest one, 32 places.
            let gone = server.recorder.events.compactMap { event -> UInt16? in
                if case .refused(let remote, _, _) = event { remote.port } else { nil }
            }
            #expect(gone.count == 33)
            let oldest = Set(silent.prefix(gone.count).map(\.port))
            #expect(oldest.count == gone.count && oldest.isSubset(of: silent.map(\.port)))
            #expect(Set(gone) != oldest, "the oldest went, not random ones")
            for peer in silent { await peer.close() }
        }
    }

    @Test func admittedConnectionsDoNotCountAsPending() async throws {
        var limits = TransportLimits.patient
        limits.pendingIncoming = 1
        try await withPair(server: limits) { server, client, port in
            for number in 1...5 {
                let here = client.dial(UInt64(number), port: port)
                let there = ConnectionID(rawValue: (1 << 63) + UInt64(number - 1))
                _ = try await server.recorder.opened(there)
                server.transport.perform(.admit(there))
                server.transport.perform(.send(there, [1]))
                _ = try await client.recorder.opened(here)
                client.transport.perform(.admit(here))
                _ = try await client.recorder.bytes(1, on: here)
            }
            #expect(server.recorder.count { if case .opened = $0 { false } else { true } } == 0)
        }
    }
}

/// PKCS #8 of an Ed25519 key (RFC 8410, section 7).
private func pkcs8(_ key: Curve25519.Signing.PrivateKey) -> [UInt8] {
    [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20] + Array(key.rawRepresentation)
}
