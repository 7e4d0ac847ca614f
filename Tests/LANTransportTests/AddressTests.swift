import HouseholdAgent
import Testing

@testable import LANTransport

/// Dialling and listening: which addresses, and what is said of those that do not work.
@Suite(.timeLimit(.minutes(5)))
struct AddressTests {
    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func listeningOnAllServesEveryKindOfAddress(host: String) async throws {
        try await Party().use { server in
            let port = try await server.transport.listen(port: 0)
            try await Party().use { client in
                _ = client.dial(port: port, host: host)
                let there = try await server.recorder.opened()
                #expect(["127.0.0.1", "::1"].contains(there.remote.host), "no ::ffff:127.0.0.1")
                let here = try await client.recorder.opened()
                #expect(there.isHere && here.isHere)
            }
        }
    }

    @Test func aDialThatFailsSaysSoOnce() async throws {
        let reserved = ReservedPort()
        let port = reserved.number
        try await Party().use { client in
            let id = client.dial(1, port: port)
            let idReason = try await client.recorder.dialFailed(id)
            #expect(idReason == "nothing listens there")
            let scope = client.dial(2, port: port, host: "fe80::1%nosuchif0")
            let scopeReason = try await client.recorder.dialFailed(scope)
            #expect(scopeReason.contains("no interface nosuchif0"))
            for (number, host) in ["", "a b", "1.2.3.4:5", "a\0b", String(repeating: "a", count: 300)].enumerated() {
                let bad = client.dial(UInt64(3 + number), port: port, host: host)
                let badReason = try await client.recorder.dialFailed(bad)
                #expect(badReason.contains("neither an address nor a name"))
            }
            #expect(client.recorder.events.count == 7)
        }
        withExtendedLifetime(reserved) {}
    }

    @Test func aDialToSomethingElseFails() async throws {
        var limits = TransportLimits.patient
        limits.handshakeTimeout = .milliseconds(200)
        try await Party(limits: limits).use { client in
            // A listener whose backlog takes the connection and never speaks.
            let silent = try await SilentListener()
            let id = client.dial(1, port: silent.port)
            #expect(try await client.recorder.dialFailed(id).contains("no TLS handshake"))
            let cancelled = client.dial(2, port: silent.port)
            client.transport.perform(.close(cancelled))
            #expect(try await client.recorder.dialFailed(cancelled) == "closed on this device")
            try await silent.close()
            #expect(client.recorder.events.count == 2)
        }
    }

    /// A web server at the port. No path of the machine that built the program is in the words.
    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"])
    func anotherProgramIsCalledThat(_ text: String) async throws {
        try await Party().use { client in
            let other = try await SilentListener(saying: text)
            let reason = try await client.recorder.dialFailed(client.dial(1, port: other.port))
            #expect(reason == "another program than Hearth answers there")
            try await other.close()
        }
    }

    @Test func aPortInUseAndAForeignHostAreSaid() async throws {
        try await Party().use { first in
            let port = try await first.transport.listen(port: 0)
            try await Party().use { second in
                for host in [nil, "127.0.0.1", "0.0.0.0"] {
                    let error = await #expect(throws: TransportError.self) {
                        try await second.transport.listen(port: port, host: host)
                    }
                    #expect(error?.code == .portInUse)
                    #expect(error?.message.contains("\(port)") == true)
                }
                let foreign = await #expect(throws: TransportError.self) {
                    try await second.transport.listen(port: 0, host: "192.0.2.1")
                }
                #expect(foreign?.code == .addressUnavailable)
                let name = await #expect(throws: TransportError.self) {
                    try await second.transport.listen(port: 0, host: "deck.local")
                }
                #expect(name?.code == .badAddress)
            }
        }
    }

    @Test func scopesAreKept() throws {
        #if os(Linux)
            let address = try #require(PeerAddress.numeric(host: "fe80::1%lo", port: 4))
            #expect(PeerAddress(address) == PeerAddress(host: "fe80::1%lo", port: 4))
        #endif
        #expect(
            PeerAddress(PeerAddress.numeric(host: "2001:db8::1", port: 9)) == PeerAddress(host: "2001:db8::1", port: 9)
        )
        #expect(PeerAddress(PeerAddress.numeric(host: "::ffff:192.0.2.7", port: 1)).host == "192.0.2.7")
        #expect(PeerAddress(nil) == PeerAddress(host: "unknown", port: 0))
    }
}
