import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// The folders with backups of a profile: the game's own, and the agent's in Hearth's home, which is only read.
struct BackupLocations {
    /// One folder with backups of one profile id.
    private struct Location {
        let files: DiskFiles
        let id: ProfileID
    }

    private let own: Location?
    private let others: [Location]

    /// - Parameters:
    ///   - id: The profile's id on this device.
    ///   - folder: The folder of the game's profiles.
    ///   - home: Hearth's home; `nil` where the store has no agent.
    ///   - household: The profile's id in the household, where that is another one because two profiles became one.
    init(_ id: ProfileID, folder: String, home: String?, household: ProfileID?) {
        own = Location(files: DiskFiles(home: folder), id: id)
        let agents = home.map { DiskFiles(home: $0) }
        let ids = [id] + [household].compactMap { $0 }.filter { $0 != id }
        others = agents.map { files in ids.map { Location(files: files, id: $0) } } ?? []
    }

    /// No folder at all: nothing is kept.
    init() { (own, others) = (nil, []) }

    // MARK: Keeping

    /// Keeps the present save before it changes. One backup for each time the game is opened is enough: an agent makes
    /// more.
    func keep(_ bytes: [UInt8], now: WallTime) throws {
        guard let own else { return }
        let stored = try own.files.backups(of: own.id)
        let plan = BackupPlan(.change, stored: stored, now: now, day: nil) {
            own.files.backup($0.name, of: own.id, holds: bytes)
        }
        guard !plan.pools.isEmpty, !plan.marksNewest else { return }
        _ = try own.files.keepBackup(bytes, of: own.id, as: BackupNote(time: now, pools: plan.pools))
        own.files.removeBackups(plan.removals, of: own.id)
    }

    /// Keeps a save that no later backup may push out.
    func keepForGood(_ bytes: [UInt8], now: WallTime) throws {
        guard let own else { return }
        let stored = try own.files.backups(of: own.id)
        let kept = stored.last { $0.note.isPinned && $0.condition == .good }
        if let kept, own.files.backup(kept.name, of: own.id, holds: bytes) { return }
        _ = try own.files.keepBackup(bytes, of: own.id, as: BackupNote(time: now, pools: [], isPinned: true))
    }

    // MARK: Looking

    /// The first result that `use` gives for a backup, from the newest one on. Backups that are damaged or whose key is
    /// missing are skipped.
    func newest<Result>(_ use: (JSONDocument) throws -> Result?) rethrows -> Result? {
        // Within one folder the order in which backups were made counts, because the clock may have been wrong;
        // between folders only the clock gives an order.
        var rest = ([own].compactMap { $0 } + others).map { location in
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
