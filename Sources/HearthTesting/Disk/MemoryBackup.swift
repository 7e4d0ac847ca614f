import MergeCore
import ProfileKeeping

/// A backup file on a disk in memory: a header with its own checksum, then the content.
struct MemoryBackup {
    var note: BackupNote
    /// Bytes of the content at the time when the backup was made.
    let size: Int
    private let checksum: UInt64
    private let stored: [UInt8]

    static let headerSize = 38

    init(_ content: [UInt8], _ note: BackupNote) {
        self.note = note
        size = content.count
        checksum = Self.checksum(content[...])
        stored = content
    }

    /// Reads a backup file; `nil` where the header is not as it was written.
    init?(_ file: [UInt8]) {
        guard file.count >= Self.headerSize else { return nil }
        func number(_ offset: Int) -> UInt64 {
            file[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(30) == Self.checksum(file[..<30]) else { return nil }
        let day = UInt32(truncatingIfNeeded: number(8) >> 32)
        note = BackupNote(
            time: WallTime(milliseconds: Int64(bitPattern: number(0))), pools: BackupPools(rawValue: file[12]),
            day: LocalDay(number: day),
            isPinned: file[13] == 1)
        size = Int(truncatingIfNeeded: number(14))
        checksum = number(22)
        stored = Array(file[Self.headerSize...])
    }

    /// The content; `nil` where it is not as it was written.
    var content: [UInt8]? { stored.count == size && Self.checksum(stored[...]) == checksum ? stored : nil }

    var bytes: [UInt8] {
        var header: [UInt8] = []
        func put(_ number: UInt64, _ count: Int = 8) {
            for index in 0..<count {
                header.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - index))))
            }
        }
        put(UInt64(bitPattern: note.time.milliseconds))
        put(UInt64(note.day?.number ?? 0), 4)
        put(UInt64(note.pools.rawValue), 1)
        put(note.isPinned ? 1 : 0, 1)
        put(UInt64(size))
        put(checksum)
        put(Self.checksum(header[...]))
        return header + stored
    }

    /// FNV-1a, 64 bits.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
