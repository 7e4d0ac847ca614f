/// An IPv4 network of one of this machine's interfaces.
package struct Subnet: Hashable, Sendable {
    private let network: UInt32
    private let mask: UInt32

    /// - Parameters:
    ///   - address: The interface's address; its first byte is the most significant one, as in `mask`.
    ///   - mask: The bits that all addresses of the network have in common.
    package init(address: UInt32, mask: UInt32) { (network, self.mask) = (address & mask, mask) }

    /// Whether a host is in this network; `nil` where it is no dotted IPv4 address.
    package func contains(_ host: String) -> Bool? {
        Self.address(host).map { $0 & mask == network }
    }

    /// Whether an IPv4 address is in none of these networks. False where that is not known.
    static func isOutside(_ host: String, of networks: [Subnet]) -> Bool {
        !networks.isEmpty && networks.allSatisfy { $0.contains(host) == false }
    }

    private static func address(_ host: String) -> UInt32? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard 1...3 ~= part.utf8.count, let byte = UInt8(part) else { return nil }
            address = address << 8 | UInt32(byte)
        }
        return address
    }
}
