import DiskStore
import HouseholdAgent
import LosslessJSON

/// What an import changed.
public struct ImportResult: Sendable, Hashable {
    /// A change of one place.
    public struct Change: Sendable, Hashable {
        /// The place that changed, such as `/coins`.
        public let path: String
        /// The value before as JSON text; `nil` for none.
        public let old: String?
        /// The value now as JSON text; `nil` for none.
        public let new: String?
    }

    /// The device that exported the file.
    public let device: String?
    /// The changes on this device, at most 100, numbers first.
    public let changes: [Change]
    /// The number of changes that ``changes`` does not list.
    public let more: Int

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
    ///   - path: The file to write; an existing file is replaced.
    ///   - passphrase: Encrypts the file, 1 to 1,024 bytes of UTF-8. Without the passphrase the file can be neither
    ///     read nor imported. `nil` for a file that is not encrypted.
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached.
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

    /// Merges an exported file into the profile; nothing that is here is lost. On a device on which nothing was played
    /// yet, the profile continues from the file, and the player is not asked again.
    ///
    /// ```swift
    /// let result = try await saves.importFile("/media/stick/player.hearth", passphrase: "correct horse")
    /// for change in result.changes { show("\(change.path): \(change.new ?? "")") }
    /// ```
    ///
    /// The file may hold another profile of the same name, for example from a device that was never paired. Then the
    /// two profiles become one, for good. A file of another game or slot is refused with ``StoreError/Code/name``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - passphrase: The passphrase it was exported with, where it is encrypted.
    ///   - trusting: Whether the player agreed to import from a device that was never in the household.
    /// - Throws: ``StoreError``: ``StoreError/Code/passphrase`` for a wrong or missing passphrase,
    ///   ``StoreError/Code/needsDecision`` for a file of a device that was never in the household, unless `trusting`,
    ///   ``StoreError/Code/name`` for a file of another game or slot, ``StoreError/Code/damaged`` for a file that is no
    ///   valid export, ``StoreError/Code/newer`` for one of a later Hearth, ``StoreError/Code/noAgent`` where no agent
    ///   can be reached.
    @discardableResult
    public func importFile(
        _ path: String, passphrase: String? = nil, trusting: Bool = false
    ) async throws -> ImportResult {
        try core.checkOpen()
        guard let home = core.connection.home else { throw core.noAgent }
        let bytes = try await ExportedFile.opened(StorePlace.absolute(path), passphrase)
        let staged = try await DiskQueue.shared.run { try StagedFile(bytes, home: home) }
        defer { staged.remove() }
        return try await core.importFile(staged.path, trusting: trusting)
    }
}
