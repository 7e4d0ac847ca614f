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
            let reply: AgentReply
            do {
                reply = try await link.ask(.migrate(profile: profile, to: version, backup: "newest", dryRun: false))
            } catch {
                // It may write yet.
                tie.renew()
                throw error
            }
            guard case .migrated(let summary) = reply else {
                let refusal = refusal(reply)
                throw refusal.code == .agent ? StoreError(.migration, refusal.message) : refusal
            }
            state.withLock { $0.hasLeft = true }
            return ProfileMigration(summary, from: Subject.version)
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
