import Testing

@testable import LANDiscovery

/// Which discovered addresses are dialled.
@Suite struct NearAddressTests {
    private let network: NetworkInterfaces = {
        var network = NetworkInterfaces()
        network.addresses = [
            .init(interface: "lo", index: 1, bytes: [127, 0, 0, 1], prefix: 8),
            .init(interface: "eth0", index: 2, bytes: [192, 168, 1, 20], prefix: 24),
            .init(interface: "eth0", index: 2, bytes: [0xFD, 1] + [UInt8](repeating: 0, count: 13) + [5], prefix: 64),
            .init(interface: "wlan0", index: 3, bytes: [10, 20, 48, 7], prefix: 20),
            .init(interface: "tun0", index: 4, bytes: [10, 99, 0, 1], prefix: 0),
        ]
        return network
    }()

    @Test(
        arguments: [
            ("192.168.1.1", 2), ("192.168.1.20", 2), ("fd01::9", 2), ("fd01::1:2:3:4", 2), ("10.20.63.255", 3),
            ("169.254.7.7", 2), ("fe80::1%eth0", 2), ("127.0.0.1", 1), ("192.168.1.1", 0),
        ] as [(String, UInt32)])
    func anAddressOfTheLinkIsDialled(_ host: String, interface: UInt32) {
        #expect(network.isNear(host, on: interface))
    }

    @Test(
        arguments: [
            ("192.168.2.1", 2), ("192.168.1.1", 3), ("10.20.64.1", 3), ("8.8.8.8", 2), ("fd01:0:0:1::9", 2),
            ("2001:db8::1", 2), ("127.0.0.1", 2), ("127.0.0.1", 0), ("::1", 2), ("::ffff:192.168.1.1", 2),
            ("0.0.0.0", 2), ("224.0.0.251", 2), ("10.99.0.2", 4), ("192.168.1.1", 9), ("deck.local", 2), ("", 2),
        ] as [(String, UInt32)])
    func anyOtherIsNot(_ host: String, interface: UInt32) {
        #expect(!network.isNear(host, on: interface))
    }

    @Test func whereTheAddressesOfThisMachineAreNotKnownAllAreTried() {
        #expect(NetworkInterfaces().isNear("8.8.8.8", on: 2) && !NetworkInterfaces().isNear("deck.local", on: 2))
    }

    /// The loopback interface of the machine that runs the test.
    @Test func theNetworksOfThisMachineAreRead() {
        let own = NetworkInterfaces.read(restrictedTo: ["lo", "lo0"])
        #expect(own.addresses.contains { $0.bytes == [127, 0, 0, 1] && $0.prefix == 8 })
    }
}
