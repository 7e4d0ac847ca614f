/// The addresses of this machine, for people who type one on another machine.
package enum OwnAddresses {
    /// The address of this machine for itself.
    package static let loopback = "127.0.0.1"
    /// The name of the interface that has it.
    package static var loopbackInterfaces: [String] {
        #if canImport(Darwin)
            ["lo0"]
        #else
            ["lo"]
        #endif
    }

    /// The numeric addresses at which other machines can reach this one, IPv4 first because it is easier to type. Addresses
    /// that are valid on one link alone come last, and before them those of bridges, tunnels and containers.
    package static func read() -> [String] {
        let reachable = NetworkInterfaces.read(restrictedTo: []).addresses.filter {
            !NumericAddress.isLoopback($0.bytes)
        }
        let texts = reachable.compactMap { address in
            NumericAddress.text(address.bytes, interface: address.index).map { text in
                let isLocal = NumericAddress.isLinkLocal(address.bytes)
                let rank = isLocal ? 2 : isOfACard(address.interface) ? 0 : 1
                return (rank: rank, size: address.bytes.count, text: text)
            }
        }
        return texts.sorted { ($0.rank, $0.size, $0.text) < ($1.rank, $1.size, $1.text) }.map(\.text)
    }

    /// Whether an interface is a network card, by the names that Linux and macOS give them.
    private static func isOfACard(_ interface: String) -> Bool {
        ["en", "eth", "wl", "ww"].contains { interface.hasPrefix($0) }
    }
}
