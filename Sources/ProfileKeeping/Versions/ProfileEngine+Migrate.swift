import LosslessJSON
package import MergeCore

/// The result of a migration of a profile's file.
package struct FileMigration: Sendable {
    package var report: MigrationReport
    /// The name of the backup that holds the file as it was before; `nil` where nothing was written.
    package var backup: String?
    /// A backup of the wanted version from before the migration, offered where a roll back is not possible.
    package var offered: String?
}

/// Migrations of a profile's file to another version, because a person who knows the game on this device asks for it.
extension ProfileEngine {
    /// Takes the file on this device to another version of its game. The state of the profile is not changed.
    ///
    /// A file upcast to the version of the rules is kept in step again. A file taken back to an earlier version is not
    /// written any more, and play in it still counts. There is a backup from before, which stays until it is unpinned,
    /// and one of the result.
    ///
    /// - Parameters:
    ///   - target: The wanted version; `nil` for that of the rules.
    ///   - backup: The name of a backup, or the absolute path of a copy, to put into the file instead of taking steps
    ///     back. It must be of the wanted version.
    ///   - dryRun: Whether to make only the report.
    ///   - tag: Makes the name of the temporary file unique.
    package mutating func migrate(
        _ id: ProfileID, to target: String?, from backup: String? = nil, dryRun: Bool = false, tag: UInt64, now: Moment
    ) throws(AdoptFault) -> FileMigration {
        do {
            return try migrateFile(id, target, backup, dryRun, tag, now)
        } catch let fault as StorageFault {
            throw AdoptFault(fault.message)
        } catch let fault as AdoptFault {
            throw fault
        } catch {
            throw AdoptFault("\(error)")
        }
    }

    private mutating func migrateFile(
        _ id: ProfileID, _ target: String?, _ backup: String?, _ dryRun: Bool, _ tag: UInt64, _ now: Moment
    ) throws -> FileMigration {
        // The game's changes are read first, so that none of them is mistaken for the steps' work.
        _ = try ingest(id, now: now)
        makePendingBackups(id, now: now)
        guard var profile = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        guard let path = profile.file.path else {
            throw AdoptFault(
                "\(profile.name) has no file on this device; to take it up: hearth restore \(word(id)) --to FILE")
        }
        let rules = profile.state.rules
        guard let own = rules.version, rules.versionAt != nil else {
            throw AdoptFault(
                "the rules of \(profile.name) name no version; they need 'version', 'versionAt' and 'migrations'")
        }
        if let held = profile.state.rulesHeld {
            throw AdoptFault(
                "the rules of \(profile.name) come from a newer Hearth (\(held)); update Hearth on this device")
        }
        if let why = profile.file.status.complaint { throw AdoptFault(why) }
        guard let content = try files.read(path, limit: Self.fileLimit), let newest = profile.baseHistory.newest,
            Bytes.equal(content.bytes, newest.bytes), let document = profile.document(newest)
        else { throw AdoptFault("nothing that can be used is at \(path) just now; try again") }

        // A roll back also keeps the progress of other devices that was not written into the file yet.
        let start = profile.file.versionStatus == .current ? profile.merged ?? document : document
        var result = try migrated(id, start, rules, to: target ?? own, from: backup)
        guard result.outcome.report.errors.isEmpty, let text = result.text, !dryRun else { return result.outcome }
        // At the version of the rules the file shows the progress of all devices. At another version only its own
        // game can read it.
        var bytes = text
        let upcasted = try JSONDocument(parsing: text)
        if SaveVersion.detect(upcasted, rules) == .same {
            bytes = try upcasted.patched(Projection(of: profile.state, onto: upcasted).edits)
        } else {
            profile.file.compareAll()
        }
        guard !Bytes.equal(bytes, content.bytes) else { return result.outcome }
        // This backup exists before the file is touched, and stays whatever is played afterwards.
        result.outcome.backup = try keepBeforeMigration(content.bytes, of: id, now: now.wall)
        guard try replace(&profile, path, content.bytes, with: bytes, tag: tag, now: now) else {
            throw AdoptFault("the game saved \(path) just now; try again")
        }
        profile.noteVersionStatus()
        profiles[id] = profile
        makePendingBackups(id, now: now)
        try keepBackup(bytes, of: id, now: now.wall)
        return result.outcome
    }

    /// The text that the steps, or a backup, make of the file, and the report.
    private func migrated(
        _ id: ProfileID, _ document: JSONDocument, _ rules: RuleSet, to target: String, from backup: String?
    ) throws -> (text: [UInt8]?, outcome: FileMigration) {
        guard case .newer(let version) = SaveVersion.detect(document, rules, target: target),
            VersionOrder(rules).index(of: version) != nil, VersionOrder(rules).index(of: target) != nil
        else {
            guard backup == nil else {
                throw AdoptFault(
                    "a backup is put into the file only where it goes back to an earlier version; leave --backup out")
            }
            let result = Migration.run(document, rules: rules, to: target)
            return (result.text, FileMigration(report: result.report))
        }
        if let backup {
            let bytes = try bytes(of: backup, id)
            let former = try JSONDocument(parsing: bytes)
            guard SaveVersion.detect(former, rules, target: target) == .same else {
                throw AdoptFault(
                    "backup \(backup) is not of version \(target); to list them: hearth backups \(word(id))")
            }
            return (bytes, FileMigration(report: Migration.run(former, rules: rules, to: target, dryRun: true).report))
        }
        let former = try former(id, rules, of: target)
        let result = Migration.rollBack(document, rules: rules, to: target, former: former?.document)
        return (result.text, FileMigration(report: result.report, offered: result.text == nil ? former?.name : nil))
    }

    /// The content of a backup.
    ///
    /// - Parameter backup: The name of a backup, or the path of a copy that the game kept.
    private func bytes(of backup: String, _ id: ProfileID) throws -> [UInt8] {
        guard backup.hasPrefix("/") else { return try backupContent(backup, of: id) }
        if let content = try files.read(backup, limit: Self.fileLimit) { return content.bytes }
        throw AdoptFault("nothing is at \(backup)")
    }

    /// The newest backup of a version: the save from before its migration; `nil` where there is none.
    private func former(
        _ id: ProfileID, _ rules: RuleSet, of version: String
    ) throws -> (name: String, document: JSONDocument)? {
        for backup in try files.backups(of: id).reversed() where backup.condition == .good {
            guard let bytes = try? files.readBackup(backup.name, of: id, limit: Self.fileLimit),
                let document = try? JSONDocument(parsing: bytes),
                SaveVersion.detect(document, rules, target: version) == .same
            else { continue }
            return (backup.name, document)
        }
        return nil
    }

    private func keepBeforeMigration(_ bytes: [UInt8], of id: ProfileID, now: WallTime) throws -> String {
        let stored = try files.backups(of: id)
        if let kept = stored.last(where: { $0.note.isPinned && $0.condition == .good }),
            files.backup(kept.name, of: id, holds: bytes)
        {
            return kept.name
        }
        return try files.keepBackup(bytes, of: id, as: BackupNote(time: now, pools: [], isPinned: true))
    }
}
