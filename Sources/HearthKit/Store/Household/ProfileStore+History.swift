import HouseholdAgent
import LosslessJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One step of a profile's history: the changes by one save, one merge or one action of the player.
public struct ProfileHistoryStep: Sendable, Hashable, Identifiable {
    /// What makes a step of the history.
    public enum Origin: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// A save on this device, by the game or by a person.
        case save
        /// Writes of other devices came in.
        case merge
        /// A reset, on this device or another one.
        case reset
        /// A backup was restored, or an exported file imported.
        case restore
        /// A step was undone.
        case undo
        /// The save was found, and is in the household since.
        case adopt
        /// The player decided something.
        case decision
        /// New rules came in, and with them a migration.
        case rules
        /// What an agent of a later version than this library reports.
        case unknown

        /// The name, such as `save`.
        public var description: String { rawValue }
    }

    /// A change of one place.
    public struct Change: Sendable, Hashable {
        /// The place that changed, such as `/coins`.
        public let path: String
        /// The value before as JSON text; `nil` for none.
        public let old: String?
        /// The value after as JSON text; `nil` for none.
        public let new: String?
    }

    /// The number of the step on this device.
    public let id: Int
    /// When it happened on this device.
    public let date: Date
    /// What made the step.
    public let origin: Origin
    /// The devices whose writes the step brought, the one with the most writes first.
    public let devices: [String]
    /// The changes; a long step lists only some of them.
    public let changes: [Change]
    /// The number of changes that are not listed.
    public let more: Int

    init(_ report: HistoryReport) {
        (id, devices, more) = (report.number, report.devices, report.more)
        origin = Origin(rawValue: report.origin) ?? .unknown
        date = Date(timeIntervalSince1970: Double(report.time) / 1_000)
        changes = report.changes.map { Change(path: $0.place, old: $0.old, new: $0.new) }
    }
}

/// What undoing a step of the history would change.
public struct ProfileUndo: Sendable, Hashable {
    /// The step, by its ``ProfileHistoryStep/id``.
    public let step: Int
    /// The places that would change: `old` is the value now, `new` the one after the undo.
    public let changes: [ProfileHistoryStep.Change]
    /// The number of places that would change and are not listed.
    public let more: Int
    /// The number of places of the step that have changed again since, and so would stay as they are.
    public let staying: Int

    init?(_ report: PreviewReport) {
        guard let step = report.step else { return nil }
        (self.step, more, staying) = (step, report.more, report.movedOn)
        changes = report.changes.map { .init(path: $0.place, old: $0.old, new: $0.new) }
    }
}

/// A backup of the profile on this device: made here, or a copy of another device's daily backup.
public struct ProfileBackup: Sendable, Hashable, Identifiable {
    /// The pools of backups. In each the oldest one goes when a new one comes.
    public enum Pool: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// Made before a change.
        case changes
        /// Made at the end of an evening of play.
        case sessions
        /// Made for a day.
        case daily

        /// The name, such as `daily`.
        public var description: String { rawValue }
    }

    /// The name of the backup.
    public let id: String
    /// When it was made.
    public let date: Date
    /// The pools that hold it; empty where only the pin keeps it.
    public let pools: [Pool]
    /// Whether it is pinned: kept until it is unpinned.
    public let isPinned: Bool
    /// Why it cannot be used, where that is so.
    public let damage: String?
    /// The device whose daily backup this is a copy of; `nil` for a backup made here.
    public let device: String?

    init(_ report: BackupReport) {
        (id, isPinned, damage) = (report.name, report.isPinned, report.damage)
        let words = report.pools.split { $0 == "," || $0 == " " }.map(String.init)
        pools = Pool.allCases.filter { words.contains($0.rawValue) }
        device = report.device
        date = Date(timeIntervalSince1970: Double(report.time) / 1_000)
    }
}

/// What to reset.
public struct ResetTarget: Sendable, Hashable {
    let name: String?

    /// Everything that ``Profile/resets`` of the profile name; the whole save where there are none.
    public static let everything = ResetTarget(name: nil)

    /// One ``ResetScope`` of the profile, by its name.
    public static func scope(_ name: String) -> ResetTarget { ResetTarget(name: name) }
}

extension ProfileStore {
    /// Sets a part of the save, or all of it, back to its defaults, on every device. Devices that are away follow when
    /// they come back. A backup is made before.
    ///
    /// ```swift
    /// try await saves.reset(.scope("progress"))
    /// ```
    ///
    /// With ``StoreOptions/AgentChoice/none`` only this device is reset.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/agent`` for a name that is no reset of the profile.
    public func reset(_ target: ResetTarget = .everything) async throws {
        guard core.connection.hasAgents else { return try await core.resetAlone(target.name) }
        try await core.act { link, profile in
            _ = try await link.ask(ResetRequest(profile: profile, scope: target.name))
        }
    }

    /// What happened to the profile on this device, the newest step first.
    ///
    /// - Parameter limit: The most steps to return.
    /// - Throws: ``StoreError``: ``StoreError/Code/noAgent`` where no agent can be reached within 8 seconds,
    ///   ``StoreError/Code/needsDecision`` while nothing is saved or ``pendingPrompt`` is open.
    public func history(limit: Int = 50) async throws -> [ProfileHistoryStep] {
        try await core.ask { link, profile in
            try await link.ask(HistoryRequest(profile: profile, limit: limit)).history.map(ProfileHistoryStep.init)
        }
    }

    /// What ``undo(_:)-(ProfileHistoryStep?)`` would change. Nothing is changed.
    ///
    /// ```swift
    /// let undo = try await saves.previewUndo()
    /// if confirm("Take back? \(undo.changes.map { "\($0.path): \($0.new ?? "nothing")" })") {
    ///     try await saves.undo(undo)  // the step that was shown, also if others came since
    /// }
    /// ```
    ///
    /// - Parameter step: A step of ``history(limit:)``. By default the newest one that was made on this device.
    /// - Throws: ``StoreError``, as ``history(limit:)``; ``StoreError/Code/agent`` where there is nothing to undo.
    public func previewUndo(_ step: ProfileHistoryStep? = nil) async throws -> ProfileUndo {
        try await core.ask { link, profile in
            let report = try await link.ask(PreviewRequest(UndoRequest(profile: profile, step: step?.id)))
            guard let undo = ProfileUndo(report) else {
                throw StoreError(.agent, "the agent did not say which step it means; is it of another version?")
            }
            return undo
        }
    }

    /// Undoes a step of the history, on every device. Places that have changed again since stay as they are.
    /// ``previewUndo(_:)`` shows what would change.
    ///
    /// - Parameter step: By default the newest step that was made on this device: a save of the game, or an action of
    ///   the player such as a reset. A step that came from another device must be named.
    /// - Throws: ``StoreError``, as ``previewUndo(_:)``.
    public func undo(_ step: ProfileHistoryStep? = nil) async throws { try await takeBack(step?.id) }

    /// Undoes the step that ``previewUndo(_:)`` showed, also where newer steps came in since.
    ///
    /// - Throws: ``StoreError``, as ``previewUndo(_:)``.
    public func undo(_ preview: ProfileUndo) async throws { try await takeBack(preview.step) }

    private func takeBack(_ step: Int?) async throws {
        try await core.act { link, profile in
            _ = try await link.ask(UndoRequest(profile: profile, step: step))
        }
    }

    /// Says in one sentence why a place has its value: `480 = 300 + laptop earned 200 − deck spent 20`.
    ///
    /// - Parameter path: A JSON Pointer, such as `/coins`.
    /// - Throws: ``StoreError``, as ``history(limit:)``; ``StoreError/Code/agent`` for a place that holds nothing.
    public func explain(_ path: String) async throws -> String {
        try await core.ask { link, profile in
            try await link.ask(ExplainRequest(profile: profile, pointer: path)).sentence
        }
    }

    /// Says in one sentence why a field has its value: `explain(\.coins)`.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/value`` where the field's place cannot be found from its key
    ///   path; pass the place as text then.
    public func explain<Value>(_ field: WritableKeyPath<Subject, Value>) async throws -> String {
        try await explain(core.place(of: field, in: profile).description)
    }

    /// The backups on this device, the newest first. Then, device by device, copies of other devices' backups, where
    /// this one keeps them (``StoreOptions/keepsBackupsOfOthers``) and they share them
    /// (``StoreOptions/sharesBackups``).
    ///
    /// - Throws: ``StoreError``, as ``history(limit:)``.
    public func backups() async throws -> [ProfileBackup] {
        try await core.ask { link, profile in
            try await link.ask(BackupsRequest(profile: profile)).backups.map(ProfileBackup.init)
        }
    }

    /// Restores a backup, on every device. The present save is backed up first.
    ///
    /// - Throws: ``StoreError``, as ``history(limit:)``; ``StoreError/Code/agent`` for a backup that is gone or
    ///   damaged.
    public func restore(backup: ProfileBackup) async throws {
        try await core.act { link, profile in
            _ = try await link.ask(RestoreBackupRequest(profile: profile, backup: backup.id))
        }
    }
}
