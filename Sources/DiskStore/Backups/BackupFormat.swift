import ProfileKeeping
import ZlibStreams

/// The format of a backup file, version 1. Numbers are little-endian.
///
/// | at | bytes | what |
/// |---|---|---|
/// | 0 | 8 | magic: 89 "HBK" 0D 0A 1A 0A, so that a transfer as text is noticed |
/// | 8 | 2 | version of the format: 1 |
/// | 10 | 2 | flags: 1 pinned; every other bit must be 0 |
/// | 12 | 1 | pools: 1 changes, 2 sessions, 4 daily |
/// | 13 | 3 | 0 |
/// | 16 | 8 | time of making, milliseconds since 1970, signed |
/// | 24 | 4 | day of a daily one, such as 20261121; 0 for none |
/// | 28 | 4 | CRC-32 of the content |
/// | 32 | 8 | bytes of the content |
/// | 40 | 8 | bytes of the stored content |
/// | 48 | 4 | CRC-32 of bytes 0 to 47 |
/// | 52 | | the content as one zlib stream, up to the end of the file |
///
/// Every later version begins with the same ten bytes.
struct BackupFormat: Hashable {
    var note: BackupNote
    var checksum: UInt32
    var size: Int
    var storedSize: Int

    static let headerSize = 52
    static let version = 1
    static let magic: [UInt8] = [0x89] + Array("HBK".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]

    enum Fault: Error, Hashable {
        /// What is wrong, as it stands after the file's name.
        case damaged(String)
        case newer(String)
    }

    init(_ note: BackupNote, checksum: UInt32, size: Int, storedSize: Int) {
        (self.note, self.checksum, self.size, self.storedSize) = (note, checksum, size, storedSize)
    }

    // MARK: Writing

    static func file(_ content: [UInt8], _ note: BackupNote) -> [UInt8] {
        let stored = ZlibStream.compressed(content)
        let checksum = ZlibStream.checksum(content)
        return BackupFormat(note, checksum: checksum, size: content.count, storedSize: stored.count).header + stored
    }

    var header: [UInt8] {
        var bytes = Self.magic
        func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        put(UInt16(Self.version))
        put(UInt16(note.isPinned ? 1 : 0))
        put(note.pools.rawValue)
        bytes += [0, 0, 0]
        put(note.time)
        put(note.day?.number ?? 0)
        put(checksum)
        put(UInt64(size))
        put(UInt64(storedSize))
        put(ZlibStream.checksum(bytes))
        return bytes
    }

    // MARK: Reading

    /// Reads a header from a file's first bytes.
    ///
    /// - Parameter fileSize: Bytes of the whole file, which must be what the header says.
    init(header bytes: [UInt8], fileSize: Int) throws(Fault) {
        guard bytes.count >= 10, bytes.starts(with: Self.magic) else { throw .damaged("does not begin as a backup") }
        func get<T: FixedWidthInteger>(_ offset: Int, as: T.Type = T.self) -> T {
            bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
        }
        let version: UInt16 = get(8)
        guard version <= Self.version else { throw .newer("format \(version)") }
        guard version == Self.version, bytes.count >= Self.headerSize else { throw .damaged("has no whole header") }
        guard get(48) == ZlibStream.checksum(bytes[..<48]) else {
            throw .damaged("has a header that does not match its checksum")
        }
        let flags: UInt16 = get(10)
        let pools: UInt8 = get(12)
        guard flags & ~1 == 0, pools & ~BackupPools.all.rawValue == 0, bytes[13..<16].allSatisfy({ $0 == 0 }) else {
            throw .newer("format \(version) with features unknown here")
        }
        guard let size = Int(exactly: get(32, as: UInt64.self)), let stored = Int(exactly: get(40, as: UInt64.self)),
            stored == fileSize - Self.headerSize
        else { throw .damaged("has another length than was written") }
        note = BackupNote(
            time: get(16), pools: BackupPools(rawValue: pools), day: LocalDay(number: get(24)),
            isPinned: flags & 1 != 0)
        checksum = get(28)
        (self.size, storedSize) = (size, stored)
    }

    /// The content of a whole file with this header, at most `limit` bytes.
    func content(of file: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
        guard size <= limit else { throw .damaged("has another length than was written") }
        let content: [UInt8]
        do {
            content = try ZlibStream.inflated(Array(file[Self.headerSize...]), limit: size)
        } catch {
            throw .damaged("cannot be uncompressed")
        }
        guard content.count == size, ZlibStream.checksum(content) == checksum else {
            throw .damaged("does not match its checksum")
        }
        return content
    }
}
