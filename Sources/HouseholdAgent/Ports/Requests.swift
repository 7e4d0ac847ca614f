package import MergeCore

/// The id of a request at the control socket, until its last reply.
package struct RequestID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A request of a person or program to the agent.
package enum AgentRequest: Sendable {
    /// Adopt the save at `path` (absolute) as a profile.
    case add(path: String, name: String, rules: RuleSet?)
    /// Take up a profile of the household at a path. Where a save stands there, it may be a copy of the profile, so a
    /// counter becomes the larger of both totals. With `apart` the save was played separately, and the totals are
    /// added.
    case restore(profile: String, path: String, apart: Bool = false)
    /// Stop keeping the profile's file on this device; the file stays.
    case remove(profile: String)
    /// The user has moved the save's file to another path on this device.
    case move(profile: String, path: String)
    /// Forget a profile on every device, for good; files and backups stay.
    case forget(profile: String)
    /// Show a pairing code and wait for the other device.
    case pair
    /// Pair with the device that shows this code. An address is given where discovery finds nothing.
    case join(code: String, address: PeerAddress?)
    case unpair(device: String)
    /// Bring one profile, or all, in step with every device that can be reached.
    case sync(profile: String?)
    /// Leave one profile's file, or all files, to the game for a while.
    case pause(profile: String?)
    /// End the pause of ``pause(profile:)``.
    case resume(profile: String?)
    /// Bring a profile in step, then leave its file alone while this request stays open, because `game` runs. `since`
    /// says when the game started (milliseconds since 1970) where it runs already. `mark` finds the game's processes if
    /// the client is killed before they end.
    case play(profile: String, game: String, since: Int64?, mark: PlayMark? = nil)
    /// The game of an open ``play(profile:game:since:mark:)`` has ended. The answer comes once the other devices have
    /// its last save.
    case endPlay(RequestID)
    /// A game holds a profile's file open while this request stays open. The file is written only by
    /// ``bring(_:hurry:)`` during that time.
    case attach(Attaching)
    /// Take up what the game of an open ``attach(_:)`` saved, and write what other devices changed into its file. With
    /// `hurry` the devices of the household are dialled at once.
    case bring(RequestID, hurry: Bool)
    /// The game of an open ``attach(_:)`` has read what the last ``bring(_:hurry:)`` wrote.
    case taken(RequestID)
    case status
    case devices
    case show(profile: String, pointer: String?)
    /// Reset a scope of a profile. Without a scope: all scopes that the rules name, or everything.
    case reset(profile: String, scope: String?)
    /// Explain why a place shows its value.
    case explain(profile: String, pointer: String)
    /// List the backups of a profile on this device.
    case backups(profile: String)
    /// Put a backup back, for the whole household.
    case restoreBackup(profile: String, backup: String)
    /// Take the file on this device to another version of its game; without one to the version of the rules. With a
    /// backup, its save is put into the file instead of taking steps back; with "newest" this is done only where the
    /// steps have no way back. A path stands for a copy that the game kept.
    case migrate(profile: String, to: String?, backup: String?, dryRun: Bool)
    /// List the choices that wait for the player, of one profile or of all.
    case conflicts(profile: String?)
    /// Decide a waiting choice: `choice` counts the values from 1.
    case resolve(profile: String, pointer: String, choice: Int)
    /// Export the whole profile as a signed transfer file; with `bare` only its document.
    case export(profile: String, bare: Bool)
    /// Take up the signed transfer file at a path; see ``HouseholdAgent``'s transfers.
    case importTransfer(path: String, to: String?, trusting: Bool, dryRun: Bool)
    /// Merge the plain document at a path into a profile.
    case importDocument(path: String, profile: String, dryRun: Bool)
    /// Pin a backup, so that it is kept until it is unpinned; or unpin it.
    case pinBackup(profile: String, backup: String, isPinned: Bool)
    /// List the newest steps in a profile's history on this device; with a pointer only those of one place.
    case history(profile: String, pointer: String?, limit: Int)
    /// Undo a step of the history; without a number the newest step that was done on this device.
    case undo(profile: String, step: Int?, force: Bool)
    /// Accept the last save: it counts on every device, though it held less than before. Where amounts of a purse are
    /// asked about, they count as from a game that had read what came in; with `apart` as from one that had not.
    case accept(profile: String, apart: Bool)
    /// Keep the household's state: this settles what is asked and said about the last saves.
    case keep(profile: String)
    /// Show what `reset`, `restoreBackup`, `undo` or `accept` would change, or both sums of the counters for a
    /// `restore`; nothing is changed.
    indirect case preview(AgentRequest)
    /// A short summary of a profile.
    case summary(profile: String)
}

/// The kind of failure of a request; the raw values are the command's exit codes.
package enum FailureCode: Int, Codable, Sendable {
    case failed = 1
    case usage = 2
    /// The player has to choose first (one of two profiles of one name, or a device).
    case needsDecision = 3
    case agentNotRunning = 4
    /// A newer version of Hearth is needed.
    case tooOld = 5
}

/// The description that a game gives of the profile that it holds open.
package struct Attaching: Hashable, Sendable {
    /// What to do where the household has a profile of this name that has no file on this device.
    package enum Twin: String, Hashable, Sendable {
        /// Report it, and leave everything as it is.
        case ask
        /// Both are one profile: its progress is merged into the file.
        case join
        /// They are different profiles: the file becomes a profile of its own.
        case apart
    }

    /// The absolute path where the profile's file is, or will be.
    package var path: String
    /// The id for the profile, where it is new.
    package var id: ProfileID?
    /// The name of the profile in the household.
    package var name: String
    /// The game's name, as status shows it.
    package var game: String
    package var rules: RuleSet
    /// Whether these rules replace other rules that are in force, unless those are of a later version.
    package var changesRules: Bool
    package var twin: Twin
    /// Whether the file, where it is new to the household, began empty under the control of the game. Then all that its
    /// counters hold was earned on this device and counts in full. A file that was found counts only up to the larger
    /// of both totals.
    package var beganEmpty: Bool

    package init(
        path: String, id: ProfileID? = nil, name: String, game: String, rules: RuleSet, changesRules: Bool = false,
        twin: Twin = .ask, beganEmpty: Bool = false
    ) {
        (self.path, self.id, self.name, self.game, self.rules) = (path, id, name, game, rules)
        (self.changesRules, self.twin, self.beganEmpty) = (changesRules, twin, beganEmpty)
    }
}

/// A reply of the agent. All replies but ``code(_:expires:)``, ``playing(_:)``, ``attached(_:)``, ``news`` and
/// ``standing(_:)`` end the request.
package enum AgentReply: Sendable {
    case profile(ProfileReport, note: String?)
    case profiles([ProfileReport])
    /// A pairing code. The request stays open until somebody has used the code or it has expired.
    case code(String, expires: Int64)
    case paired(DeviceReport)
    case removed(DeviceReport)
    case forgotten(ProfileReport)
    case synced(SyncReport)
    /// The game may start. Its file is left alone while the request stays open.
    case playing(PlayReport)
    case played(PlayedReport)
    /// The game is attached: while the request stays open, its file is written only when the game asks for it.
    case attached(AttachmentReport)
    /// There is something that ``AgentRequest/bring(_:hurry:)`` would bring.
    case news
    /// The state differs from the last report, but there is nothing to bring.
    case standing(AttachmentReport)
    case brought(AttachmentReport)
    case done
    case status(StatusReport)
    case devices([DeviceReport])
    /// A document as JSON text.
    case document([UInt8])
    case explained(ExplainReport)
    case conflicts([ConflictReport])
    /// The newest first.
    case backups([BackupReport])
    /// A signed transfer file, and a report about it.
    case exported([UInt8], ExportReport)
    case imported(ImportReport)
    /// The newest first.
    case history([HistoryReport])
    case preview(PreviewReport)
    case summary(SummaryReport)
    case migrated(MigrationSummary)
    case failure(FailureCode, String)

    package var isFinal: Bool {
        switch self {
        case .code, .playing, .attached, .news, .standing: false
        default: true
        }
    }
}
