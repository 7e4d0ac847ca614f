import DiskStore
import HouseholdAgent
import LosslessJSON

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
    /// What changed here: numbers first.
    public let changes: [Change]
    /// How many more places changed than ``changes`` lists.
    public let more: Int

    /// Places that are listed at most.
    private static let limit = 100

    init(_ report: ImportReport, _ changes: [ProfileChange]) {
        let numbers = changes.filter(\.isNumber) + changes.filter { !$0.isNumber }
        device = report.device
        more = max(0, numbers.count - Self.limit)
        self.changes = numbers.prefix(Self.limit).map { Change(path: $0.path, old: $0.oldText, new: $0.newText) }
    }
}

extension ProfileChange {
    fileprivate var isNumber: Bool { if case .number? = new { true } else { false } }
}

extension ProfileStore {
    /// Writes the whole profile into one signed file, for a backup or another device.
    ///
    /// ```swift
    /// try await saves.export(to: "/media/stick/player.hearth", passphrase: "correct horse")
    /// ```
    ///
    /// - Parameters:
    ///   - path: Where; what stands there is replaced.
    ///   - passphrase: Encrypts the file: nobody can read it, or import it, without. `nil` for a plain one.
    public func export(to path: String, passphrase: String? = nil) async throws {
        let path = StorePlace.absolute(path)
        var bytes = try await core.ask { link, profile in
            try await link.ask(ExportRequest(profile: profile)).data.bytes
        }
        if let passphrase { bytes = try await ExportedFile.sealed(bytes, passphrase) }
        try await DiskQueue.shared.run { [bytes] in
            do {
                let file = SaveFile(path: path)
                guard case .changed = try file.write(bytes, over: file.mark()) else { return }
                throw StoreError(.disk, "\(path) is written by another program; choose another name")
            } catch {
                throw StoreError.of(error)
            }
        }
    }

    /// Merges an exported file into the profile: nothing that is here is lost. On a device where nothing was played yet
    /// the profile goes on from the file; nobody is asked once more.
    ///
    /// ```swift
    /// let result = try await saves.importFile("/media/stick/player.hearth", passphrase: "correct horse")
    /// for change in result.changes { show("\(change.path): \(change.new ?? "")") }
    /// ```
    ///
    /// A file of another profile that goes by the same name, as of a device that was never paired, becomes one with the
    /// profile here, for good. One of another game or slot is not taken.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - passphrase: The one it was exported with, where there was one. A wrong one, or none where it takes one,
    ///     throws ``StoreError/Code/passphrase``.
    ///   - trusting: Whether the player said yes to a file of a device that was never in the household; otherwise such
    ///     a file throws ``StoreError/Code/needsDecision``.
    @discardableResult
    public func importFile(
        _ path: String, passphrase: String? = nil, trusting: Bool = false
    ) async throws -> ImportResult {
        try core.checkOpen()
        guard core.options.agent != .none else { throw core.noAgent }
        let bytes = try await ExportedFile.opened(StorePlace.absolute(path), passphrase)
        let staged = try await DiskQueue.shared.run { [home = core.connection.home] in try StagedFile(bytes, home: home)
        }
        defer { staged.remove() }
        return try await core.importFile(staged.path, trusting: trusting)
    }
}
