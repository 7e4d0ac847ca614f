import DiskStore
import HouseholdAgent

/// What an import brought.
public struct ImportResult: Sendable, Hashable {
    /// One place that reads otherwise now.
    public struct Change: Sendable, Hashable {
        /// The place.
        public let path: String
        /// What stood there, as text; `nil` for nothing.
        public let old: String?
        /// What stands there now, as text; `nil` for nothing.
        public let new: String?
    }

    /// The device that exported it.
    public let device: String?
    /// The first places that changed.
    public let changes: [Change]
    /// How many more there are.
    public let more: Int
}

extension ProfileStore {
    /// Writes the whole profile into one signed file, for a backup or another device.
    ///
    /// - Parameter path: Where; what stands there is replaced.
    public func export(to path: String) async throws {
        let path = StorePlace.absolute(path)
        let bytes = try await core.ask { link, profile in
            let reply = try await link.ask(.export(profile: profile, bare: false))
            guard case .exported(let bytes, _) = reply else { throw core.refusal(reply) }
            return bytes
        }
        try await DiskQueue.shared.run {
            do {
                let file = SaveFile(path: path)
                guard case .changed = try file.write(bytes, over: file.mark()) else { return }
                throw StoreError(.disk, "\(path) is written by another program; choose another name")
            } catch {
                throw StoreError.of(error)
            }
        }
    }

    /// Merges an exported file into the profile: nothing that is here is lost.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - trusting: Whether the player said yes to a file of a device that was never in the household; otherwise such
    ///     a file throws ``StoreError/Code/needsDecision``.
    @discardableResult
    public func importFile(_ path: String, trusting: Bool = false) async throws -> ImportResult {
        let path = StorePlace.absolute(path)
        return try await core.act { link, _ in
            let reply = try await link.ask(
                .importTransfer(path: path, to: nil, trusting: trusting, dryRun: false))
            guard case .imported(let report) = reply else { throw core.refusal(reply) }
            return ImportResult(
                device: report.device,
                changes: report.changes.map { ImportResult.Change(path: $0.place, old: $0.old, new: $0.new) },
                more: report.more)
        }
    }
}
