/// The secret that all members of a household share, and by which they recognise one another's announcements.
///
/// It is renewed whenever a device is removed, for that device knows the former one. Whoever is in the household tells it
/// to the other members, over their links. It gives nobody access to anything: keys and the roster do.
package struct HouseholdSecret: Hashable, Sendable, CustomStringConvertible {
    /// The size of a secret in bytes.
    package static let size = 32

    package let bytes: [UInt8]
    /// How often the household's secret was renewed.
    package let serial: UInt64

    package init(_ bytes: [UInt8], serial: UInt64) {
        precondition(bytes.count == Self.size, "a household's secret has 32 bytes")
        (self.bytes, self.serial) = (bytes, serial)
    }

    /// The serial alone: secrets are not for logs.
    package var description: String { "household secret \(serial)" }

    /// Whether this one counts where both are known. Of two that were renewed apart the larger bytes do.
    package func isNewer(than other: HouseholdSecret) -> Bool {
        serial != other.serial ? serial > other.serial : other.bytes.lexicographicallyPrecedes(bytes)
    }
}
