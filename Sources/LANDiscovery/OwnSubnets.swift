package import HouseholdAgent
import Libc

/// The IPv4 networks of this machine.
package enum OwnSubnets {
    /// The largest number that is read.
    private static let limit = 64

    /// The networks of all interfaces that are up.
    package static func read() -> [Subnet] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [Subnet] = []
        var next = list
        while let entry = next?.pointee, found.count < limit {
            next = entry.ifa_next
            guard NetworkInterfaces.isUp(entry), let address = number(entry.ifa_addr),
                let mask = number(entry.ifa_netmask)
            else { continue }
            found.append(Subnet(address: address, mask: mask))
        }
        return found
    }

    /// An IPv4 address as a number, its first byte the most significant one; `nil` for other addresses.
    private static func number(_ address: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
        guard let bytes = NetworkInterfaces.addressBytes(address), bytes.count == 4 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
