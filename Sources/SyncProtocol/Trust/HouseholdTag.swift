import Crypto

/// A tag in a device's announcement by which only members of its household recognise it: a random nonce, and the first
/// half of HMAC-SHA-256 of it under the household's secret.
package struct HouseholdTag: Hashable, Sendable {
    package let nonce: [UInt8]
    package let tag: [UInt8]

    /// - Parameter nonce: 8 random bytes, new at each start.
    package init(nonce: [UInt8], secret: [UInt8]) {
        self.nonce = nonce
        tag = Self.tag(nonce, secret)
    }

    /// Reads `NONCE.TAG`, both in hexadecimal.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let nonce = Self.bytes(parts[0]), let tag = Self.bytes(parts[1]), nonce.count == 8,
            tag.count == 16
        else { return nil }
        self.nonce = nonce
        self.tag = tag
    }

    package var text: String { Self.hex(nonce) + "." + Self.hex(tag) }

    /// Whether the tag was made with this secret. A hint only: TLS decides who the device is.
    package func matches(secret: [UInt8]) -> Bool { !secret.isEmpty && tag == Self.tag(nonce, secret) }

    private static func tag(_ nonce: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        let label = Array("hearth announcement 1".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: label + nonce, using: SymmetricKey(data: secret)).prefix(16))
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
