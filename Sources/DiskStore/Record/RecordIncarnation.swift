import Libc
import LocalFiles
package import ProfileKeeping

/// Detects a record that was rolled back (an old copy was put back, or its write-ahead log was removed), and a record
/// that is a copy of one which may be written elsewhere (``RecordPlace``).
///
/// Every start writes a new token into the record and into `record.token` beside it. If the record holds another token
/// than the file, it is not the record that was written last. If the write-ahead log is missing although the last start
/// had no clean end, writes were lost with it. The file gets the next token before the record does, so that a crash
/// between the two is not mistaken for one of these two cases.
///
/// After a clean end the file also says how the record's own file looked: inode, size and times. A start that finds it so
/// need not read all of it to know that it is undamaged.
package struct RecordIncarnation: Sendable {
    /// The tokens that the record may hold; empty where there is no file.
    private let known: [[UInt8]]
    private let lacksLog: Bool
    /// Whether the record was undamaged when it was closed, and nobody has written to its file since.
    package let isAtRest: Bool
    private let path: String
    private let folder: String

    private static let note = RecordNotes.space.key("token")
    private static let place = RecordNotes.space.key("place")
    /// Bytes of a token.
    package static let size = 16

    /// Reads the token file, and whether there is a write-ahead log, before the record is opened.
    ///
    /// - Parameter home: An existing folder whose ``HomeLock`` is held.
    package init(home: String) throws(StorageFault) {
        (path, folder) = (Self.path(home), home)
        let file = try DiskFiles(home: home).content(path, shown: path, limit: 1 + 2 * Self.size)?.bytes ?? []
        let tokens = file.dropFirst()
        known = stride(from: 0, to: tokens.count / Self.size * Self.size, by: Self.size).map {
            Array(tokens.dropFirst($0).prefix(Self.size))
        }
        let hasLog = try DiskFiles.status(home + "/hearth.sqlite-wal") != nil
        lacksLog = file.first == Self.open && !hasLog
        isAtRest =
            file.first == Self.closed && file.count == Self.restSize && !hasLog
            && Self.print(home).map { file.suffix($0.count).elementsEqual($0) } == true
    }

    /// Writes a new token into the record and the file, durably. Returns whether the record was rolled back or is a
    /// copy.
    package func begin(_ record: SQLiteRecord, token: [UInt8]) throws(StorageFault) -> Bool {
        let notes = try record.notes(in: RecordNotes.space)
        let held = notes[Self.note]
        let place = RecordPlace.bytes(of: folder + "/hearth.sqlite")
        let isCopy = place != nil && notes[Self.place] != nil && notes[Self.place] != place
        let isOther = held.map { !known.contains($0) } ?? !known.isEmpty
        // A record without profiles has no counters that could count twice.
        let isEmpty = try record.profiles().isEmpty
        // An earlier start may have noticed this, and been killed before every profile had its new replica.
        let isUnfinished = notes[RecordNotes.rolledBack] != nil
        let isRolledBack = ((isOther || lacksLog || isCopy) && !isEmpty) || isUnfinished
        try write([Self.closed] + (held ?? []) + token)
        var change = RecordChange()
        change.notes.set(Self.note, token)
        if let place { change.notes.set(Self.place, place) }
        if isRolledBack { change.notes.set(RecordNotes.rolledBack, []) }
        try record.commit(change)
        try write([Self.open] + token)
        return isRolledBack
    }

    /// Notes the end of a start that came to nothing, because the disk is full or for any other reason. It removes the log as
    /// a clean end does, for whoever closes a record last moves what is in the log into it: nothing is lost. Where the log was
    /// missing before, the next start has to see that, too. Best effort.
    package func abandoned() {
        if !lacksLog { Self.end(home: folder) }
    }

    /// Notes, durably, that the agent ended cleanly: if the log is missing from now on, nothing was lost. Best effort.
    package static func end(home: String) {
        guard let file = try? Descriptor(path(home), O_WRONLY | O_NOFOLLOW) else { return }
        _ = pwrite(file.number, [closed], 1, 0)
        try? file.sync()
    }

    /// Closes a record to which nobody writes any more, which removes its log. The end is noted before, since a log that is
    /// missing after another end tells of lost writes. If the record was found undamaged since it was opened, its file is noted
    /// as it is afterwards (``isAtRest``).
    package static func close(_ record: SQLiteRecord, home: String) {
        end(home: home)
        record.close()
        guard record.isSound, (try? DiskFiles.status(home + "/hearth.sqlite-wal")) == nil, let print = print(home),
            let file = try? Descriptor(path(home), O_WRONLY | O_NOFOLLOW)
        else { return }
        _ = pwrite(file.number, print, print.count, off_t(restSize - print.count))
    }

    /// Eight bytes that tell the record's file from another one, and from itself after any change.
    private static func print(_ home: String) -> [UInt8]? {
        guard let status = try? DiskFiles.status(home + "/hearth.sqlite") else { return nil }
        return FileIdentity(status, hasDevice: false).fingerprintBytes
    }

    private func write(_ bytes: [UInt8]) throws(StorageFault) {
        let fresh = path + ".new"
        do throws(FileFault) {
            try DurableFile.replace(path, with: bytes, draft: fresh)
        } catch {
            switch error.call {
            case .rename, .openFolder, .syncFolder: throw StorageFault(error, "replace", path)
            default: throw StorageFault(error, "create", fresh)
            }
        }
    }

    private static func path(_ home: String) -> String { home + "/record.token" }
    private static let open = UInt8(ascii: "o")
    private static let closed = UInt8(ascii: "c")
    /// Bytes of the file where it also says how the record's file looked.
    private static let restSize = 1 + size + 8
}
