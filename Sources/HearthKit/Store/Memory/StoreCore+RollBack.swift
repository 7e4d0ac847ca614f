import DiskStore
import HouseholdAgent
import LosslessJSON
import Synchronization

/// Going back to an earlier version of the game, on this device.
extension StoreCore {
    /// Takes the file back. From then on nothing is saved from here.
    func rollBack(to version: String) async throws -> ProfileMigration {
        try checkOpen()
        do { try desk.codec.lifts.checkEarlier(version) } catch { throw StoreError.of(error) }
        return options.agent == .none ? try await rollBackAlone(version) : try await rollBackHeld(version)
    }

    private func rollBackHeld(_ version: String) async throws -> ProfileMigration {
        let link = try await holding()
        return try await turn.take {
            let profile = try await broughtProfile(link)
            var reply = try await migrated(link, profile, to: version, by: "newest")
            if case .failure(.failed, _) = reply, let copy = try await stagedCopy(of: version) {
                // The agent came later, or kept it no longer.
                defer { copy.remove() }
                let second = try await migrated(link, profile, to: version, by: copy.path)
                if case .migrated = second { reply = second }
            }
            guard case .migrated(let summary) = reply else {
                let refusal = refusal(reply)
                throw refusal.code == .agent ? StoreError(.migration, refusal.message) : refusal
            }
            state.withLock { $0.hasLeft = true }
            return ProfileMigration(summary, from: Subject.version)
        }
    }

    private func migrated(
        _ link: AgentTie.Link, _ profile: String, to version: String, by backup: String
    ) async throws -> AgentReply {
        do {
            return try await link.ask(.migrate(profile: profile, to: version, backup: backup, dryRun: false))
        } catch {
            // It may write yet.
            tie.renew()
            throw error
        }
    }

    /// The newest save of a version that was kept anywhere, where the agent can read it.
    private func stagedCopy(of version: String) async throws -> StagedFile? {
        try await DiskQueue.shared.run { [self] in
            try file.newestBackup(of: version).map { try StagedFile($0.bytes, home: tie.home) }
        }
    }

    private func rollBackAlone(_ version: String) async throws -> ProfileMigration {
        try await turn.take {
            try await DiskQueue.shared.run { [self] in
                do {
                    if let step = try desk.reload() { publish([step], nil) }
                    try saveNow()
                    let migration = try desk.leave { document in
                        let back = try file.rolledBack(document, to: version)
                        try file.keepForGood(document.bytes)
                        return (back.text, back.migration)
                    }
                    state.withLock { $0.hasLeft = true }
                    return migration
                } catch {
                    throw StoreError.of(error, at: desk.file.path)
                }
            }
        }
    }
}
