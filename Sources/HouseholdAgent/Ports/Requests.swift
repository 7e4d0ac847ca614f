package import MergeCore

/// Names a request of the control surface until its last reply.
package struct RequestID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a person or program asks of the agent.
package enum AgentRequest: Sendable {
    /// Adopt a save. `path` is absolute.
    case add(path: String, name: String, rules: RuleSet?)
    /// Take a profile of the household up at a path. Of a save that stands there a counter comes to the larger of both
    /// totals, since it may be a copy; `apart` says that it is none, and the sums add up.
    case restore(profile: String, path: String, apart: Bool = false)
    /// Forget the file on this device; the file stays.
    case remove(profile: String)
    /// The save's file is at another path on this device by now.
    case move(profile: String, path: String)
    /// Keep a profile no more, on every device, for good; files and backups stay.
    case forget(profile: String)
    /// Show a code and wait for the other side.
    case pair
    /// Type the other side's code; with an address where nothing can be discovered.
    case join(code: String, address: PeerAddress?)
    case unpair(device: String)
    /// Bring one profile, or all, in step with whoever can be reached.
    case sync(profile: String?)
    /// Leave a profile's file, or all, to its game for a while.
    case pause(profile: String?)
    /// Go on where ``pause(profile:)`` stopped.
    case resume(profile: String?)
    /// Bring a profile in step, then leave its file alone while this request stays open: `game` runs. Where it was
    /// started already, `since` tells when (milliseconds since 1970). By `mark` the game's processes are known, should
    /// whoever asks be killed before they end.
    case play(profile: String, game: String, since: Int64?, mark: PlayMark? = nil)
    /// The game of an open ``play(profile:game:since:mark:)`` is over; answered once its last save is with the others.
    case endPlay(RequestID)
    /// A game holds a profile's file open while this request stays open: nothing is written there but by
    /// ``bring(_:hurry:)``.
    case attach(Attaching)
    /// Takes up what the game of an open ``attach(_:)`` saved, and writes what came in into its file. With `hurry` the
    /// devices of the household are looked for at once.
    case bring(RequestID, hurry: Bool)
    /// The game of an open ``attach(_:)`` has read what the last ``bring(_:hurry:)`` wrote.
    case taken(RequestID)
    case status
    case devices
    case show(profile: String, pointer: String?)
    /// Start a scope over; without one all that the rules name, or everything.
    case reset(profile: String, scope: String?)
    /// Why a place shows what it shows.
    case explain(profile: String, pointer: String)
    /// What was kept of a profile on this device.
    case backups(profile: String)
    /// Put a backup back, for the whole household.
    case restoreBackup(profile: String, backup: String)
    /// Take the file on this device to another version of its game; without one to that of the rules. With a backup its
    /// save is put there in place of steps taken back; with "newest" that is done where they have no way
    /// back. A path stands for a copy that the game kept.
    case migrate(profile: String, to: String?, backup: String?, dryRun: Bool)
    /// Choices that wait for the player, of one profile or of all.
    case conflicts(profile: String?)
    /// Take one of the values that wait; `choice` counts from 1.
    case resolve(profile: String, pointer: String, choice: Int)
    /// The whole profile as a signed transfer file; with `bare` its document alone.
    case export(profile: String, bare: Bool)
    /// Take up the signed transfer file at a path; see ``HouseholdAgent``'s transfers.
    case importTransfer(path: String, to: String?, trusting: Bool, dryRun: Bool)
    /// Merge the plain document at a path into a profile.
    case importDocument(path: String, profile: String, dryRun: Bool)
    /// Keep a backup until it is let go, or let it go.
    case pinBackup(profile: String, backup: String, isPinned: Bool)
    /// What happened to a profile on this device, the newest first; of one place where a pointer is given.
    case history(profile: String, pointer: String?, limit: Int)
    /// Take a step of the history back; without a number the newest that was done on this device.
    case undo(profile: String, step: Int?, force: Bool)
    /// What the game saved last counts on every device, though it held less than before. Where amounts of a purse are
    /// asked about, they count as of a game that had read what came in; `apart` as of one that had not.
    case accept(profile: String, apart: Bool)
    /// What the household has stays: settles what is asked and said about the last saves.
    case keep(profile: String)
    /// What `reset`, `restoreBackup`, `undo` or `accept` would change, or the sums of both sides that a `restore` would
    /// join; nothing is done.
    indirect case preview(AgentRequest)
    /// A profile at a glance.
    case summary(profile: String)
}

/// How a request failed; the raw values are the command's exit codes.
package enum FailureCode: Int, Codable, Sendable {
    case failed = 1
    case usage = 2
    /// The player has to choose (which of two profiles of one name, which device).
    case needsDecision = 3
    case agentNotRunning = 4
    /// A newer version is needed.
    case tooOld = 5
}

/// What a game that keeps its profile open says of it.
package struct Attaching: Hashable, Sendable {
    /// What to do where the household has a profile of this name that has no file here.
    package enum Twin: String, Hashable, Sendable {
        /// Say so, and leave everything as it is.
        case ask
        /// It is this one: its progress comes into the file, together with what is there.
        case join
        /// It is another player's: the file becomes a profile of its own.
        case apart
    }

    /// Where the profile's file is, or will be. Absolute.
    package var path: String
    /// The id of the profile, where it is new.
    package var id: ProfileID?
    /// What the profile is called in the household.
    package var name: String
    /// What status calls the game.
    package var game: String
    package var rules: RuleSet
    /// Whether the rules are to be in force where others are, that are not of a later version.
    package var changesRules: Bool
    package var twin: Twin
    /// Whether the file, where it is new to the household, began empty under the eyes of the game: what its counters
    /// hold was earned on this device and counts in full. What is found counts up to the larger total only.
    package var beganEmpty: Bool

    package init(
        path: String, id: ProfileID? = nil, name: String, game: String, rules: RuleSet, changesRules: Bool = false,
        twin: Twin = .ask, beganEmpty: Bool = false
    ) {
        (self.path, self.id, self.name, self.game, self.rules) = (path, id, name, game, rules)
        (self.changesRules, self.twin, self.beganEmpty) = (changesRules, twin, beganEmpty)
    }
}

/// What the agent answers. All but ``code(_:expires:)``, ``playing(_:)``, ``attached(_:)``, ``news`` and
/// ``standing(_:)`` end the request.
package enum AgentReply: Sendable {
    case profile(ProfileReport, note: String?)
    case profiles([ProfileReport])
    /// A pairing code; the request stays open until somebody used it or it expired.
    case code(String, expires: Int64)
    case paired(DeviceReport)
    case removed(DeviceReport)
    case forgotten(ProfileReport)
    case synced(SyncReport)
    /// The game may start; its file is left alone while the request stays open.
    case playing(PlayReport)
    case played(PlayedReport)
    /// The file is the game's alone while the request stays open.
    case attached(AttachmentReport)
    /// There is something for ``AgentRequest/bring(_:hurry:)``.
    case news
    /// Things are otherwise than was reported last, and there is nothing to be brought for it.
    case standing(AttachmentReport)
    case brought(AttachmentReport)
    case done
    case status(StatusReport)
    case devices([DeviceReport])
    /// JSON text.
    case document([UInt8])
    case explained(ExplainReport)
    case conflicts([ConflictReport])
    /// The newest first.
    case backups([BackupReport])
    /// A signed transfer file.
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
