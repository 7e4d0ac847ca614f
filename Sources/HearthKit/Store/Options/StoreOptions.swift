/// Where and how a ``ProfileStore`` keeps its profile.
///
/// ```swift
/// var options = StoreOptions()
/// options.agent = .embedded          // this game brings its own agent
/// options.pairedProfile = .automatic // another device's progress comes in without a question
/// let saves = try await ProfileStore<Player>.open("player", options)
/// ```
public struct StoreOptions: Sendable {
    /// Who keeps the profile in step with other devices.
    public enum AgentChoice: Sendable, Hashable {
        /// The agent that runs on this machine; where none does, one inside this process.
        case automatic
        /// Only the agent that runs on this machine. While none does the game plays on its file alone.
        case running
        /// Only one inside this process.
        case embedded
        /// Nobody: the save stays on this device.
        case none
    }

    /// What happens when another device of the household has this profile and this one has it not, or has another.
    public enum PairedProfile: Sendable, Hashable {
        /// The player is asked: see ``ProfileStore/pendingPrompt``.
        case ask
        /// Its progress comes in at once, together with what is there.
        case automatic
    }

    /// What happens to a save that cannot be read.
    public enum DamagedSave: Sendable, Hashable {
        /// ``ProfileStore/open(_:_:)`` throws ``StoreError`` with ``StoreError/Code/damaged``, and the file stays.
        case refuse
        /// The newest good backup takes its place. The damaged file is kept aside.
        case restoreNewestBackup
        /// The profile begins anew. The damaged file is kept aside.
        case startFresh
    }

    /// The folder of the profile files; `nil` for `$XDG_DATA_HOME/GAME` or `~/.local/share/GAME` (on Apple systems
    /// `~/Library/Application Support/GAME`).
    public var folder: String?
    /// The save's own path, for a game that chose one; `nil` for a file in ``folder`` whose name is a UUID.
    public var file: String?
    /// Who keeps the profile in step.
    public var agent: AgentChoice = .automatic
    /// Hearth's home, as `hearth --home` takes it; `nil` for the user's own.
    public var home: String?
    /// Whether an embedded agent talks to other devices. Without, no socket is opened and nothing is published.
    public var network = true
    /// What this device is called by an embedded agent; `nil` for the machine's name.
    public var deviceName: String?
    /// Whether devices of the household that keep copies may have the daily backups of an embedded agent's home; `nil`
    /// for what `config.yaml` there says, which is no unless somebody wrote it. A backup is the whole save, with the
    /// fields that are ``Local``; `hearth backup-key create` on this device encrypts it. Ask the player.
    public var sharesBackups: Bool?
    /// Whether an embedded agent keeps copies of the daily backups of the household's other devices on this one, of
    /// those that share them (``sharesBackups``); `nil`
    /// for what `config.yaml` in Hearth's home says, which is no unless somebody wrote it.
    public var keepsBackupsOfOthers: Bool?
    /// What happens when another device has this profile.
    public var pairedProfile: PairedProfile = .ask
    /// What happens to a save that cannot be read. Ask the player before you choose anything but
    /// ``DamagedSave/refuse``.
    public var damagedSave: DamagedSave = .refuse
    /// When edits are saved by themselves.
    public var autoSave: AutoSavePolicy = .default

    /// The usual: the running agent or an embedded one, the usual folders, saved within a second.
    public init() {}

    /// Addresses for an embedded agent of a test; where nothing is set it finds its peers by itself.
    package var embedding = Embedding()

    /// How an embedded agent is set up where that is not the user's business.
    package struct Embedding: Sendable {
        /// A numeric address to listen on; all of them where nothing is given.
        package var host: String?
        /// Whether other devices are looked for.
        package var discovers = true
    }
}

/// When edits are saved by themselves. ``ProfileStore/update(_:)`` saves at once and needs none of this.
public struct AutoSavePolicy: Sendable, Hashable {
    /// How long after the first unsaved edit everything is saved; `nil` for not at all.
    public var coalesce: Duration? = .seconds(1)
    /// How long after the last edit, or after a save that failed, what is unsaved is saved; `nil` for not at all.
    public var idle: Duration? = .seconds(30)
    /// Whether what is unsaved is saved when the process ends: by `exit`, or by SIGTERM, SIGINT and SIGHUP, after which
    /// the game's own handlers run, or the system's default.
    public var onTermination = true
    /// Whether what is unsaved is saved when the system sends the app to the background.
    public var onSuspension = true

    /// Within a second, and when the game is suspended or ends.
    public static let `default` = AutoSavePolicy()
    /// Only by ``ProfileStore/update(_:)``, ``ProfileStore/save(_:)`` and ``ProfileStore/close()``.
    public static let manual: AutoSavePolicy = {
        var policy = AutoSavePolicy()
        (policy.coalesce, policy.idle, policy.onTermination, policy.onSuspension) = (nil, nil, false, false)
        return policy
    }()

    /// The default.
    public init() {}
}
