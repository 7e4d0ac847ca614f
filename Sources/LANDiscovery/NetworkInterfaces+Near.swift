extension NetworkInterfaces {
    /// Whether a discovered address is worth dialling: it is link-local, or in a network of the interface where its
    /// instance was seen.
    ///
    /// Anybody on the network can announce any address: one of another network, or of this machine itself. By mDNS only
    /// devices of the same link are found, and those have addresses of that link.
    ///
    /// - Parameter interface: The interface's index; 0 where the responder does not say it.
    func isNear(_ host: String, on interface: UInt32) -> Bool {
        guard let bytes = NumericAddress.bytes(host) else { return false }
        // Where the system does not list its addresses, nothing can be said.
        if NumericAddress.isLinkLocal(bytes) || addresses.isEmpty { return true }
        if interface == 0 { return !NumericAddress.isLoopback(bytes) && addresses.contains { $0.isNear(bytes) } }
        return addresses.contains { $0.index == interface && $0.isNear(bytes) }
    }
}

extension NetworkInterfaces.Address {
    /// Whether an address is in the same network as this one.
    fileprivate func isNear(_ other: [UInt8]) -> Bool {
        guard other.count == bytes.count, prefix > 0 else { return false }
        let (whole, rest) = (min(prefix / 8, bytes.count), prefix % 8)
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        return whole == bytes.count || (bytes[whole] ^ other[whole]) >> (8 - UInt8(rest)) == 0
    }
}
