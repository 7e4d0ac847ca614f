import NIOCore
import Testing

@testable import LANTransport

/// Which connections stay on this machine.
@Suite struct OwnMachineTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.1.1", true), ("127.0.1.1", "127.0.0.1", true),
        ("::1", "::1", true), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.7", false),
        ("2001:db8::1", "2001:db8::2", false), ("12.7.0.1", "12.7.0.2", false),
    ])
    func bothEndsOfAConnection(local: String, remote: String, isHere: Bool) throws {
        let ends = try [local, remote].map { try SocketAddress(ipAddress: $0, port: 4_711) }
        #expect(OwnMachine.holds(ends[0], ends[1]) == isHere)
    }

    /// Also where the one end is another address of this machine than the other end.
    @Test func everyAddressOfThisMachine() throws {
        let other = try SocketAddress(ipAddress: "192.0.2.1", port: 4_711)
        for own in try System.enumerateDevices().compactMap(\.address) where own.ipAddress != nil {
            #expect(OwnMachine.holds(other, own), "\(own)")
        }
    }
}
