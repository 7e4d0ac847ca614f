/// The check value of a row: a hash over its columns, folded to 32 bits. It works like FNV-1a, but takes 64-bit words
/// and mixes in a shift after each.
///
/// It detects damage that SQLite cannot see: a flipped bit inside a value, which would otherwise be read as valid and
/// sent to every device.
struct RowChecksum {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init() {}

    mutating func add(_ value: UInt64) {
        hash = (hash ^ value) &* 0x100_0000_01b3
        hash ^= hash >> 29
    }

    mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

    /// The number of bytes goes in first, so that bytes cannot move from one column to the next without being noticed.
    mutating func add(_ bytes: [UInt8]) {
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { buffer in
            var index = 0
            while index + 8 <= buffer.count {
                add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
                index += 8
            }
            while index < buffer.count {
                add(UInt64(buffer[index]))
                index += 1
            }
        }
    }

    var value: Int64 { Int64(UInt32(truncatingIfNeeded: hash ^ hash >> 32)) }

    static func of(_ fields: (inout RowChecksum) -> Void) -> Int64 {
        var checksum = RowChecksum()
        fields(&checksum)
        return checksum.value
    }
}
