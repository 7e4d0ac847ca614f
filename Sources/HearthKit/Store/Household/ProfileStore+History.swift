import HouseholdAgent

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One step of a profile's history: what a save, a merge or an act of the player changed.
public struct ProfileHistoryStep: Sendable, Hashable, Identifiable {
    /// One place that changed.
    public struct Change: Sendable, Hashable {
        /// The place.
        public let path: String
        /// JSON text of what it held before; `nil` for nothing.
        public let old: String?
        /// JSON text of what it held after; `nil` for nothing.
        public let new: String?
    }

    /// What ``ProfileStore/undo(_:)`` takes.
    public let id: Int
    /// When it happened on this device.
    public let date: Date
    /// `save`, `merge`, `reset`, `restore`, `undo`, `adopt`, `decision` or `rules`.
    public let origin: String
    /// Whose writes it is made of, the one with the most first.
    public let devices: [String]
    /// What changed.
    public let changes: [Change]
    /// How many more places changed.
    public let more: Int

    init(_ report: HistoryReport) {
        (id, origin, devices, more) = (report.number, report.origin, report.devices, report.more)
        date = Date(timeIntervalSince1970: Double(report.time) / 1_000)
        changes = report.changes.map { Change(path: $0.place, old: $0.old, new: $0.new) }
    }
}

/// What taking a step of the history back would change.
public struct ProfileUndo: Sendable, Hashable {
    /// The step, as ``ProfileHistoryStep/id`` names it.
    public let step: Int
    /// The places that would change: what they hold now, and what they would hold.
    public let changes: [ProfileHistoryStep.Change]
    /// How many more places would change.
    public let more: Int
    /// How many places of the step show something else by now, and stay.
    public let staying: Int

    init?(_ report: PreviewReport) {
        guard let step = report.step else { return nil }
        (self.step, more, staying) = (step, report.more, report.movedOn)
        changes = report.changes.map { .init(path: $0.place, old: $0.old, new: $0.new) }
    }
}

/// One backup of the profile on this device: one that was made here, or a copy of another device's daily one.
public struct ProfileBackup: Sendable, Hashable, Identifiable {
    /// What ``ProfileStore/restore(backup:)`` takes.
    public let id: String
    /// When it was made.
    public let date: Date
    /// What it was made for: `changes`, `sessions`, `daily`.
    public let kinds: String
    /// Whether it is kept until it is let go.
    public let isPinned: Bool
    /// Why it cannot be used, where it cannot.
    public let damage: String?
    /// The device whose daily backup this is a copy of; `nil` for one made here.
    public let device: String?

    init(_ report: BackupReport) {
        (id, kinds, isPinned, damage) = (report.name, report.pools, report.isPinned, report.damage)
        device = report.device
        date = Date(timeIntervalSince1970: Double(report.time) / 1_000)
    }
}

/// What a player can start over.
public struct ResetTarget: Sendable, Hashable {
    let name: String?

    /// Everything that the profile's resets name; the whole save where it names none.
    public static let everything = ResetTarget(name: nil)

    /// One ``ResetScope`` of the profile, by its name.
    public static func scope(_ name: String) -> ResetTarget { ResetTarget(name: name) }
}

extension ProfileStore {
    /// Starts over, on every device, now and for those that come back later. A backup is kept before.
    ///
    /// ```swift
    /// try await saves.reset(.scope("progress"))
    /// ```
    ///
    /// Where ``StoreOptions/agent`` is ``StoreOptions/AgentChoice/none`` it is this device that starts over.
    public func reset(_ target: ResetTarget = .everything) async throws {
        if core.options.agent == .none { return try await core.resetAlone(target.name) }
        try await core.act { link, profile in
            _ = try await link.ask(ResetRequest(profile: profile, scope: target.name))
        }
    }

    /// What happened on this device, the newest first.
    public func history(limit: Int = 50) async throws -> [ProfileHistoryStep] {
        try await core.ask { link, profile in
            try await link.ask(HistoryRequest(profile: profile, limit: limit)).history.map(ProfileHistoryStep.init)
        }
    }

    /// What ``undo(_:)-(ProfileHistoryStep?)`` would change; nothing is done.
    ///
    /// ```swift
    /// let undo = try await saves.previewUndo()
    /// if confirm("Take back? \(undo.changes.map { "\($0.path): \($0.new ?? "nothing")" })") {
    ///     try await saves.undo(undo)  // the step that was shown, whatever came since
    /// }
    /// ```
    ///
    /// - Parameter step: A step of ``history(limit:)``; without one the newest that was made on this device.
    public func previewUndo(_ step: ProfileHistoryStep? = nil) async throws -> ProfileUndo {
        try await core.ask { link, profile in
            let report = try await link.ask(PreviewRequest(UndoRequest(profile: profile, step: step?.id)))
            guard let undo = ProfileUndo(report) else {
                throw StoreError(.agent, "the agent did not say which step it means; is it of another version?")
            }
            return undo
        }
    }

    /// Takes a step of the history back, on every device. What shows something else by now stays. Without a step the
    /// newest that was made on this device: a save of the game, or an act of the player such as a reset. What came from
    /// another device is taken back by its step only. ``previewUndo(_:)`` says first what would change.
    public func undo(_ step: ProfileHistoryStep? = nil) async throws { try await takeBack(step?.id) }

    /// Takes back what was shown.
    public func undo(_ preview: ProfileUndo) async throws { try await takeBack(preview.step) }

    private func takeBack(_ step: Int?) async throws {
        try await core.act { link, profile in
            _ = try await link.ask(UndoRequest(profile: profile, step: step))
        }
    }

    /// Why a place holds what it holds, in one sentence: `480 = 300 + laptop earned 200 − deck spent 20`.
    ///
    /// - Parameter path: A JSON Pointer, such as `/coins`.
    public func explain(_ path: String) async throws -> String {
        try await core.ask { link, profile in
            try await link.ask(ExplainRequest(profile: profile, pointer: path)).sentence
        }
    }

    /// The same for a field: `explain(\.coins)`.
    public func explain<Value>(_ field: WritableKeyPath<Subject, Value>) async throws -> String {
        guard let path = FieldFinder.path(of: field, in: profile, core.saveSession.codec) else {
            throw StoreError(
                .value, "which place of the save that field is cannot be told; name it by its path, such as \"/coins\"")
        }
        return try await explain(path)
    }

    /// What was kept on this device, the newest first; then, by device, copies of what others kept, where this one
    /// keeps them (``StoreOptions/keepsBackupsOfOthers``) and they share them (``StoreOptions/sharesBackups``).
    public func backups() async throws -> [ProfileBackup] {
        try await core.ask { link, profile in
            try await link.ask(BackupsRequest(profile: profile)).backups.map(ProfileBackup.init)
        }
    }

    /// Puts a backup back, on every device. What is there now is kept as a backup.
    public func restore(backup: ProfileBackup) async throws {
        try await core.act { link, profile in
            _ = try await link.ask(RestoreBackupRequest(profile: profile, backup: backup.id))
        }
    }
}
