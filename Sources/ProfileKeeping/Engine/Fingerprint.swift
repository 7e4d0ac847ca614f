import MergeCore

/// A fingerprint of bytes: 64 bits, like FNV-1a but over words of eight bytes. It shows whether a displaced or invalid
/// file has changed.
///
/// It need not resist forgery: a person who can choose the file's content gains nothing from two files with one
/// fingerprint.
enum Fingerprint {
    /// The first byte of a fingerprint, since there is an older kind without it.
    private static let kind: UInt8 = 2

    static func of(_ bytes: [UInt8]) -> [UInt8] { of(hash: hash(of: bytes)) }

    /// The fingerprint with a hash.
    static func of(hash: UInt64) -> [UInt8] { [kind] + bytes(of: hash) }

    /// The hash by which fingerprints of this kind differ.
    static func hash(of bytes: [UInt8]) -> UInt64 {
        var hash = Hash()
        hash.add(UInt64(bytes.count))
        bytes.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            for index in 0..<words {
                hash.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)))
            }
            for byte in bytes[(8 * words)...] { hash.add(UInt64(byte)) }
        }
        return hash.value
    }

    /// Whether bytes have a fingerprint. A fingerprint of eight bytes was made by an earlier Hearth, byte by byte.
    static func matches(_ fingerprint: [UInt8], _ bytes: [UInt8]) -> Bool {
        guard fingerprint.count == 8 else { return fingerprint == of(bytes) }
        return fingerprint == self.bytes(of: FNV1a(bytes).value)
    }

    private struct Hash {
        var value = FNV1a().value

        mutating func add(_ word: UInt64) {
            value = (value ^ word) &* 0x100_0000_01b3
            // A product carries bits upwards only, so the high bits are mixed into the low ones.
            value ^= value >> 32
        }
    }

    private static func bytes(of hash: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
    }
}
