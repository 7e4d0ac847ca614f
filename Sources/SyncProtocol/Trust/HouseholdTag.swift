import Crypto
package import MergeCore

/// A tag in a device's announcement by which only members of its household recognise it: the first half of an
/// HMAC-SHA-256 under the household's secret. Sync.proto, "Announcements", specifies its text.
///
/// It is bound to the announcement it stands in (instance name and port) and to the hour of the announcer's clock, so
/// that who has seen it on the network can repeat that announcement alone. The hour proves nothing: a clock may be wrong.
/// A tag of another day is a weaker hint than one of today, and a hint all the same.
package struct HouseholdTag: Hashable, Sendable {
    /// How far the hour of a tag may be from this device's clock for a tag of today: a day, and two hours for clocks that
    /// are off and announcements that come late.
    package static let hoursOfToday: UInt32 = 26

    /// 8 random bytes, new at each start.
    package let nonce: [UInt8]
    /// The announcer's clock: whole hours since 1970.
    package let hour: UInt32
    private let tag: [UInt8]

    package init(nonce: [UInt8], secret: [UInt8], instance: String, port: UInt16, hour: UInt32) {
        (self.nonce, self.hour) = (nonce, hour)
        tag = Self.tag(nonce, secret, instance, port, hour)
    }

    /// Reads `NONCE.HOUR.TAG`, all in hexadecimal.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let nonce = Self.bytes(parts[0]), let hour = Self.bytes(parts[1]),
            let tag = Self.bytes(parts[2]), nonce.count == 8, hour.count == 4, tag.count == 16
        else { return nil }
        self.nonce = nonce
        self.hour = hour.reduce(0) { $0 << 8 | UInt32($1) }
        self.tag = tag
    }

    package var text: String { [nonce, Self.bytes(of: hour), tag].map(Self.hex).joined(separator: ".") }

    /// Whether the tag was made with this secret for this announcement. A hint only: TLS decides who the device is.
    package func matches(secret: [UInt8], instance: String, port: UInt16) -> Bool {
        !secret.isEmpty && tag == Self.tag(nonce, secret, instance, port, hour)
    }

    /// Whether the tag is of today, by a clock.
    package func isOfToday(_ now: UInt32) -> Bool { max(hour, now) - min(hour, now) <= Self.hoursOfToday }

    /// The hour in which a date is. A clock before 1970 shows the first one.
    package static func hour(of date: WallTime) -> UInt32 { UInt32(clamping: max(0, date.milliseconds) / 3_600_000) }

    private static func tag(
        _ nonce: [UInt8], _ secret: [UInt8], _ instance: String, _ port: UInt16, _ hour: UInt32
    ) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth announcement 2")
        text.add(nonce)
        text.add(Array(instance.utf8))
        text.add([UInt8(port >> 8), UInt8(port & 255)])
        text.add(bytes(of: hour))
        return Array(HMAC<SHA256>.authenticationCode(for: text.bytes, using: SymmetricKey(data: secret)).prefix(16))
    }

    private static func bytes(of hour: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hour >> $0) }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0, digits.count <= 64 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
