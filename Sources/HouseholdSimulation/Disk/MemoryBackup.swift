import MergeCore
import ProfileKeeping

/// A backup file on a simulated disk: a header with its own checksum, then the content.
struct MemoryBackup {
    var note: BackupNote
    /// The size of the content in bytes, when the backup was made.
    let size: Int
    private let checksum: UInt64
    private let stored: [UInt8]

    static let headerSize = 38

    init(_ content: [UInt8], _ note: BackupNote) {
        self.note = note
        size = content.count
        checksum = FNV1a(content).value
        stored = content
    }

    /// Reads a backup file; `nil` where the header is damaged.
    init?(_ file: [UInt8]) {
        guard file.count >= Self.headerSize else { return nil }
        func number(_ offset: Int) -> UInt64 {
            file[offset..<(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(30) == FNV1a(file[..<30]).value else { return nil }
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
    var content: [UInt8]? { stored.count == size && FNV1a(stored).value == checksum ? stored : nil }

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
        put(FNV1a(header).value)
        return header + stored
    }
}
