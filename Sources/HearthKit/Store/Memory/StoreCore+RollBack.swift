import AgentClients
import DiskStore
import HouseholdAgent
import LosslessJSON
import Synchronization

/// Going back to an earlier version of the game, on this device.
extension StoreCore {
    /// Takes the file back to the earlier version. This store saves nothing afterwards.
    func rollBack(to version: String) async throws -> ProfileMigration {
        try checkOpen()
        do { try saveSession.codec.versions.checkEarlier(version) } catch { throw StoreError.of(error) }
        return connection.hasAgents ? try await rollBackHeld(version) : try await rollBackAlone(version)
    }

    private func rollBackHeld(_ version: String) async throws -> ProfileMigration {
        let link = try await holding()
        return try await mutex.withLock {
            let profile = try await pulledProfile(link)
            var outcome = try await migrated(link, profile, to: version, by: "newest")
            if case .failure(let failure) = outcome, failure.code == .failed,
                let copy = try await stagedCopy(of: version)
            {
                // The agent may have no backup of that version any more, or none from that time. The game's own may be
                // older.
                defer { copy.remove() }
                let second = try await migrated(link, profile, to: version, by: copy.path)
                if case .success = second { outcome = second }
            }
            let summary: MigrationSummary
            switch outcome {
            case .success(let migrated): summary = migrated
            case .failure(let failure):
                let refusal = StoreError(failure)
                throw refusal.code == .agent ? StoreError(.migration, refusal.message) : refusal
            }
            state.withLock { $0.hasLeft = true }
            return ProfileMigration(summary, from: Subject.version)
        }
    }

    private func migrated(
        _ link: AgentConnection.Link, _ profile: String, to version: String, by backup: String
    ) async throws -> Result<MigrationSummary, AgentFailure> {
        do {
            return .success(try await link.send(MigrateRequest(profile: profile, to: version, backup: backup)))
        } catch let failure as AgentFailure {
            return .failure(failure)
        } catch {
            // The agent may still write the file.
            connection.renew()
            throw error
        }
    }

    /// The newest backup of a version from any folder, copied to where the agent can read it.
    private func stagedCopy(of version: String) async throws -> StagedFile? {
        guard let home = connection.home else { return nil }
        return try await DiskQueue.shared.run { [self] in
            try file.newestBackup(of: version).map { try StagedFile($0.bytes, home: home) }
        }
    }

    private func rollBackAlone(_ version: String) async throws -> ProfileMigration {
        try await mutex.withLock {
            try await DiskQueue.shared.run { [self] in
                do {
                    if let step = try saveSession.reload() { publish([step], nil) }
                    try saveNow()
                    let migration = try saveSession.leave { document in
                        let back = try file.rolledBack(document, to: version)
                        try file.keepForGood(document.bytes)
                        return (back.text, back.migration)
                    }
                    state.withLock { $0.hasLeft = true }
                    return migration
                } catch {
                    throw StoreError.of(error, at: saveSession.file.path)
                }
            }
        }
    }
}
