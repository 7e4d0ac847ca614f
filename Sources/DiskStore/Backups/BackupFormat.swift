import Crypto
import MergeCore
import ProfileKeeping
import ZlibStreams

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The format of a backup file, versions 1 (plain) and 2 (encrypted). Numbers are little-endian.
///
/// | at | bytes | what |
/// |---|---|---|
/// | 0 | 8 | magic: 89 "HBK" 0D 0A 1A 0A, so that a transfer as text is noticed |
/// | 8 | 2 | version of the format: 1 or 2 |
/// | 10 | 2 | flags: 1 pinned; every other bit must be 0 |
/// | 12 | 1 | pools: 1 changes, 2 sessions, 4 daily |
/// | 13 | 3 | 0 |
/// | 16 | 8 | time of making, milliseconds since 1970, signed |
/// | 24 | 4 | day of a daily one, such as 20261121; 0 for none |
/// | 28 | 4 | CRC-32 of the content; in version 2, which must not tell, 0 |
/// | 32 | 8 | bytes of the content |
/// | 40 | 8 | bytes of the stored content |
/// | 48 | 8 | version 2 alone: which key, see ``BackupKey/id`` |
/// | 56 | 16 | version 2 alone: salt, random for every file |
/// | 48 or 72 | 4 | CRC-32 of all bytes before it |
/// | 52 or 76 | | the stored content, up to the end of the file |
///
/// Version 1 stores the content as one zlib stream. Version 2 stores that stream under ChaCha20-Poly1305 (RFC 8439)
/// with the tag behind it. The header up to the stored content is the additional authenticated data. Every file has a
/// key of its own: ``BackupKey/fileKey(salt:)``. That key is used once, so the nonce is 12 zero bytes.
///
/// Every later version begins with the same ten bytes.
struct BackupFormat: Hashable {
    /// The header's fields about the encryption, in version 2 only.
    struct Seal: Hashable {
        var keyID: [UInt8]
        var salt: [UInt8]
    }

    var note: BackupNote
    /// CRC-32 of the content; 0 in version 2.
    var checksum: UInt32
    var size: Int
    var storedSize: Int
    /// `nil` in version 1.
    var seal: Seal?

    static let longestHeader = 76
    static let newestVersion = 2
    static let magic: [UInt8] = [0x89] + Array("HBK".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]
    private static let tagSize = 16

    enum Fault: Error, Hashable {
        /// The file is damaged. The text says what is wrong; it follows the file's name in a sentence.
        case damaged(String)
        case newer(String)
        /// The key is missing or another one; one sentence.
        case locked(String)
    }

    init(_ note: BackupNote, checksum: UInt32, size: Int, storedSize: Int, seal: Seal? = nil) {
        (self.note, self.checksum, self.size, self.storedSize, self.seal) = (note, checksum, size, storedSize, seal)
    }

    var version: Int { seal == nil ? 1 : 2 }
    var headerSize: Int { Self.headerSize(version) }

    private static func headerSize(_ version: Int) -> Int { version == 1 ? 52 : 76 }

    // MARK: Writing

    /// The bytes of a backup file.
    ///
    /// - Parameter key: The key to encrypt the file with, under a salt made here; `nil` for a plain file.
    static func file(_ content: [UInt8], _ note: BackupNote, key: BackupKey?) -> [UInt8] {
        guard let key else { return plainFile(content, note) }
        var generator = SystemRandomNumberGenerator()
        return sealedFile(content, note, key, salt: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static func plainFile(_ content: [UInt8], _ note: BackupNote) -> [UInt8] {
        let stored = ZlibStream.compressed(content)
        let checksum = ZlibStream.checksum(content)
        return BackupFormat(note, checksum: checksum, size: content.count, storedSize: stored.count).header + stored
    }

    static func sealedFile(_ content: [UInt8], _ note: BackupNote, _ key: BackupKey, salt: [UInt8]) -> [UInt8] {
        let stored = ZlibStream.compressed(content)
        let header = BackupFormat(
            note, checksum: 0, size: content.count, storedSize: stored.count + tagSize,
            seal: Seal(keyID: key.id, salt: salt)
        ).header
        do {
            let box = try ChaChaPoly.seal(
                stored, using: key.fileKey(salt: salt), nonce: nonce(), authenticating: header)
            return header + box.ciphertext + box.tag
        } catch {
            preconditionFailure("a backup of \(content.count) bytes could not be encrypted: \(error)")
        }
    }

    var header: [UInt8] {
        var bytes = Self.magic
        func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        put(UInt16(version))
        put(UInt16(note.isPinned ? 1 : 0))
        put(note.pools.rawValue)
        bytes += [0, 0, 0]
        put(note.time.milliseconds)
        put(note.day?.number ?? 0)
        put(checksum)
        put(UInt64(size))
        put(UInt64(storedSize))
        if let seal { bytes += seal.keyID + seal.salt }
        put(ZlibStream.checksum(bytes))
        return bytes
    }

    // MARK: Reading

    /// Reads a header from a file's first bytes.
    ///
    /// - Parameter fileSize: Bytes of the whole file, which must be the number that the header gives.
    init(header bytes: [UInt8], fileSize: Int) throws(Fault) {
        guard bytes.count >= 10, bytes.starts(with: Self.magic) else { throw .damaged("does not begin as a backup") }
        func get<T: FixedWidthInteger>(_ offset: Int, as: T.Type = T.self) -> T {
            bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
        }
        let version = Int(get(8, as: UInt16.self))
        guard version <= Self.newestVersion else { throw .newer("format \(version)") }
        let headerSize = Self.headerSize(version)
        guard version >= 1, bytes.count >= headerSize else { throw .damaged("has no whole header") }
        guard get(headerSize - 4) == ZlibStream.checksum(bytes[..<(headerSize - 4)]) else {
            throw .damaged("has a header that does not match its checksum")
        }
        let flags: UInt16 = get(10)
        let pools: UInt8 = get(12)
        checksum = get(28)
        guard flags & ~1 == 0, pools & ~BackupPools.all.rawValue == 0, bytes[13..<16].allSatisfy({ $0 == 0 }),
            version == 1 || checksum == 0
        else {
            throw .newer("format \(version) with features unknown here")
        }
        guard let size = Int(exactly: get(32, as: UInt64.self)), let stored = Int(exactly: get(40, as: UInt64.self)),
            stored == fileSize - headerSize, version == 1 || stored >= Self.tagSize
        else { throw .damaged("has another length than was written") }
        note = BackupNote(
            time: WallTime(milliseconds: get(16)), pools: BackupPools(rawValue: pools),
            day: LocalDay(number: get(24)), isPinned: flags & 1 != 0)
        (self.size, storedSize) = (size, stored)
        seal = version == 1 ? nil : Seal(keyID: Array(bytes[48..<56]), salt: Array(bytes[56..<72]))
    }

    /// The content of a whole file with this header, at most `limit` bytes.
    ///
    /// - Parameter key: The key that the header names, if it names one.
    func content(of file: [UInt8], limit: Int, key: BackupKey?) throws(Fault) -> [UInt8] {
        guard size <= limit else { throw .damaged("has another length than was written") }
        let stored = seal == nil ? Array(file[headerSize...]) : try unsealed(file, key)
        let content: [UInt8]
        do {
            content = try ZlibStream.inflated(stored, limit: size)
        } catch {
            throw .damaged("cannot be uncompressed")
        }
        guard content.count == size, seal != nil || ZlibStream.checksum(content) == checksum else {
            throw .damaged("does not match its checksum")
        }
        return content
    }

    private func unsealed(_ file: [UInt8], _ key: BackupKey?) throws(Fault) -> [UInt8] {
        guard let seal, let key, key.id == seal.keyID else { preconditionFailure("the key is looked at before") }
        let end = file.count - Self.tagSize
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: Self.nonce(), ciphertext: file[headerSize..<end], tag: file[end...])
            return Array(
                try ChaChaPoly.open(box, using: key.fileKey(salt: seal.salt), authenticating: file[..<headerSize]))
        } catch {
            throw .damaged("cannot be decrypted with its key")
        }
    }

    private static func nonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }
}
