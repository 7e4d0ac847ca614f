import DiskStore
import HouseholdAgent
import LosslessJSON
import MergeCore

/// Importing an exported file.
extension StoreCore {
    /// Merges the signed file at a path into the profile. Where this device has no profile yet, the file's profile
    /// becomes its own.
    func importFile(_ path: String, trusting: Bool) async throws -> ImportResult {
        let link = try await holding()
        let before = saveSession.document
        let (report, own) = try await mutex.withLock {
            let own = try await pullLocked(link, hurry: false).profile
            // A dry run first: it shows which profile the file holds before anything is changed.
            let found = try await imported(link, path, to: nil, trusting: trusting, dryRun: true)
            guard found.id == own || found.profile == place.name else {
                throw StoreError(
                    .name,
                    "the file holds \"\(found.profile)\" and this is \"\(place.name)\"; open that slot to import it")
            }
            let target = found.id == own ? nil : saveSession.file.path
            let report = try await imported(link, path, to: target, trusting: trusting, dryRun: false)
            if report.id == own { try await pullLocked(link, hurry: false) }
            return (report, own)
        }
        if report.id != own {
            // The save belongs to the imported profile from now on, so the store must subscribe to it under that id.
            connection.renew()
            try await ask { _, _ in }
        }
        let changes = saveSession.document.map {
            ProfileChange.list(from: before, to: $0, saveSession.codec.rules) { _ in .merge }
        }
        return ImportResult(report, changes ?? [])
    }

    private func imported(
        _ link: AgentConnection.Link, _ path: String, to target: String?, trusting: Bool, dryRun: Bool
    ) async throws -> ImportReport {
        let request = ImportTransferRequest(path: path, to: target, anyway: true, trusting: trusting, dryRun: dryRun)
        // The agent waits for other games to finish writing, so this takes longer than other requests.
        return try await link.ask(request, within: .seconds(15))
    }
}
