import DiskStore
import Libc
import LosslessJSON
import MergeCore
import ProfileKeeping

/// Opens the file of a profile: reads it, migrates it, and restores a backup if the game asked for that.
struct StoreFile<Subject: Profile> {
    let codec: ProfileCodec<Subject>
    let file: any SaveStorage
    let id: ProfileID
    let locations: BackupLocations

    /// The file that was found at the path, ready for the session.
    struct Opened {
        var snapshot: ProfileSnapshot<Subject>?
        var mark: FileIdentity?
        var migration: ProfileMigration?
    }

    /// - Parameter locations: The folders with backups of the profile.
    init(_ codec: ProfileCodec<Subject>, _ file: any SaveStorage, _ id: ProfileID, _ locations: BackupLocations) {
        (self.codec, self.file, self.id, self.locations) = (codec, file, id, locations)
    }

    func open(damaged: StoreOptions.DamagedSave) throws -> Opened {
        guard let content = try file.read() else { return Opened() }
        do {
            return try open(content.bytes, content.mark)
        } catch {
            let fault = StoreFile<Subject>.fault(error, file.path)
            guard fault.code == .damaged else { throw fault }
            switch damaged {
            case .refuse: throw fault
            case .restoreNewestBackup: return try restored(content.bytes, content.mark, fault)
            case .startFresh:
                _ = try Self.quarantine(content.bytes, file)
                forgetRestored()
                try remove(content.mark)
                return Opened()
            }
        }
    }

    /// Keeps the present save before it changes.
    func backUp(_ bytes: [UInt8]) throws { try locations.keep(bytes, now: Moment.now.wall) }

    private func open(_ bytes: [UInt8], _ mark: FileIdentity) throws -> Opened {
        let document = try JSONDocument(parsing: bytes)
        let migrated = try codec.migrated(document)
        // Decode the whole save before a byte is written: a save that cannot be read is not replaced.
        let snapshot = try codec.snapshot(migrated.document)
        guard !Bytes.equal(migrated.document.bytes, bytes) else { return Opened(snapshot: snapshot, mark: mark) }
        // The save before the migration is the only way back to the older version, so no later backup may push it out.
        try keepForGood(bytes)
        switch try file.write(migrated.document.bytes, over: mark) {
        case .written(let mark), .unconfirmed(let mark, _):
            return Opened(
                snapshot: snapshot, mark: mark, migration: ProfileMigration(migrated, to: Subject.version))
        case .changed: throw StoreError(.disk, "\(file.path) was changed while it was opened; open it again")
        }
    }

    /// Restores the newest backup that is a readable save of this game.
    private func restored(_ damaged: [UInt8], _ mark: FileIdentity, _ fault: StoreError) throws -> Opened {
        let opened = try locations.newest { document -> Opened? in
            guard let migrated = try? codec.migrated(document), let snapshot = try? codec.snapshot(migrated.document)
            else {
                return nil
            }
            _ = try Self.quarantine(damaged, file)
            try keepRestored(migrated.document.bytes)
            switch try file.write(migrated.document.bytes, over: mark) {
            case .written(let mark), .unconfirmed(let mark, _): return Opened(snapshot: snapshot, mark: mark)
            case .changed:
                forgetRestored()
                throw StoreError(.disk, "\(file.path) was changed while it was opened; open it again")
            }
        }
        if let opened { return opened }
        throw StoreError(.damaged, "\(fault.message); no backup of it can be used")
    }

    /// Notes the restored bytes beside the file. Without the note the agent would take the restored save for play.
    private func keepRestored(_ bytes: [UInt8]) throws {
        forgetRestored()
        let files = DiskFiles(home: Self.folder(of: file))
        var random = SystemRandomNumberGenerator()
        try files.stage(bytes, as: RestoredCopy.name(beside: file.path, tag: random.next()), beside: file.path)
        // Durable before the save is, so that a crash leaves no restored save without its note.
        try files.syncFolder(of: file.path)
    }

    private func forgetRestored() {
        let files = DiskFiles(home: Self.folder(of: file))
        for name in RestoredCopy.names(beside: file.path, files) { try? files.removeStaged(name, beside: file.path) }
    }

    private func remove(_ mark: FileIdentity) throws {
        guard try file.mark() == mark, unlink(file.path) == 0 else {
            throw StoreError(.disk, "\(file.path) cannot be moved out of the way; do that by hand")
        }
    }

}

extension StoreFile {
    /// Copies a file that is no readable save into the folder `quarantine` beside it. Returns the copy's path.
    static func quarantine(_ bytes: [UInt8], _ file: any SaveStorage) throws -> String {
        let name = file.path.split(separator: "/").last.map(String.init)
        return try DiskFiles(home: folder(of: file)).quarantine(
            bytes, of: ProfileID(high: 0, low: 0), named: name ?? "save")
    }

    private static func folder(of file: any SaveStorage) -> String {
        "/" + file.path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The error for a save that cannot be used.
    static func fault(_ error: any Error, _ path: String) -> StoreError {
        guard let error = error as? JSONSyntaxError else { return .of(error, at: path) }
        return StoreError(
            .damaged,
            "\(path):\(error); the file stays as it is: put a backup back, or start anew (StoreOptions.damagedSave)")
    }
}
