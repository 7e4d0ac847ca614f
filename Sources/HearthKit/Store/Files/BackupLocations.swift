import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// Where backups of a profile are: the game's own, and those of the agent in Hearth's home, which are only read.
struct BackupLocations {
    /// One folder of backups.
    private struct Location {
        let files: DiskFiles
        let id: ProfileID
    }

    private let own: Location
    private let others: [Location]

    /// - Parameters:
    ///   - id: The profile's, as the game minted it.
    ///   - folder: Of the game's profiles.
    ///   - home: Hearth's; `nil` where the save stays on this device.
    ///   - household: What the household calls the profile, where that is another id: two profiles became one.
    init(_ id: ProfileID, folder: String, home: String?, household: ProfileID?) {
        own = Location(files: DiskFiles(home: folder), id: id)
        let agents = home.map { DiskFiles(home: $0) }
        let ids = [id] + [household].compactMap { $0 }.filter { $0 != id }
        others = agents.map { files in ids.map { Location(files: files, id: $0) } } ?? []
    }

    // MARK: Keeping

    /// Keeps what is there, before it changes. One for each time the game is opened is enough: an agent makes more.
    func keep(_ bytes: [UInt8], now: WallTime) throws {
        let stored = try own.files.backups(of: own.id)
        let plan = BackupPlan(.change, stored: stored, now: now, day: nil) {
            own.files.backup($0.name, of: own.id, holds: bytes)
        }
        guard !plan.pools.isEmpty, !plan.marksNewest else { return }
        _ = try own.files.keepBackup(bytes, of: own.id, as: BackupNote(time: now, pools: plan.pools))
        own.files.removeBackups(plan.removals, of: own.id)
    }

    /// Keeps what no later backup is to push out.
    func keepForGood(_ bytes: [UInt8], now: WallTime) throws {
        let stored = try own.files.backups(of: own.id)
        let kept = stored.last { $0.note.isPinned && $0.condition == .good }
        if let kept, own.files.backup(kept.name, of: own.id, holds: bytes) { return }
        _ = try own.files.keepBackup(bytes, of: own.id, as: BackupNote(time: now, pools: [], isPinned: true))
    }

    // MARK: Looking

    /// What the newest backup gives that gives something. Damaged ones, and those whose key is not here, are passed
    /// over.
    func newest<Result>(_ use: (JSONDocument) throws -> Result?) rethrows -> Result? {
        // Each location in the order in which they were made, whatever the clock said; one beside the other by the
        // clock.
        var rest = ([own] + others).map { location in
            (
                location: location,
                backups: ((try? location.files.backups(of: location.id)) ?? []).filter { $0.condition == .good }
            )
        }
        while let index = rest.indices.filter({ !rest[$0].backups.isEmpty })
            .max(by: { rest[$0].backups.last!.note.time < rest[$1].backups.last!.note.time })
        {
            let (location, backup) = (rest[index].location, rest[index].backups.removeLast())
            guard let bytes = try? location.files.readBackup(backup.name, of: location.id, limit: SaveFile.limit),
                let document = try? JSONDocument(parsing: bytes)
            else { continue }
            if let result = try use(document) { return result }
        }
        return nil
    }
}
