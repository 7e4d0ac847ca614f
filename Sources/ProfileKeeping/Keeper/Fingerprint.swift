/// Tells whether a displaced file still holds what it held: 64 bits, FNV-1a over words of eight bytes.
///
/// Nobody who could choose what is in the file has a use for two files with one fingerprint.
enum Fingerprint {
    /// Stands before a fingerprint, since there is an older kind.
    private static let kind: UInt8 = 2

    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var hash = Hash()
        hash.add(UInt64(bytes.count))
        bytes.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            for index in 0..<words {
                hash.add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)))
            }
            for byte in bytes[(8 * words)...] { hash.add(UInt64(byte)) }
        }
        return [kind] + hash.bytes
    }

    /// Whether bytes have a fingerprint. One of eight bytes was made by an earlier Hearth, byte by byte.
    static func matches(_ fingerprint: [UInt8], _ bytes: [UInt8]) -> Bool {
        guard fingerprint.count == 8 else { return fingerprint == of(bytes) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return fingerprint == Hash(value: hash).bytes
    }

    private struct Hash {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ word: UInt64) {
            value = (value ^ word) &* 0x100_0000_01b3
            // The product carries nothing down.
            value ^= value >> 32
        }

        var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }
    }
}
