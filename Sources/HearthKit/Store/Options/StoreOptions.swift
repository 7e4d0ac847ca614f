public import Logging

/// Where and how a ``ProfileStore`` keeps its profile.
///
/// ```swift
/// var options = StoreOptions()
/// options.agent = .embedded          // this game brings its own agent
/// options.pairedProfile = .automatic // another device's progress comes in without a question
/// let saves = try await ProfileStore<Player>.open("player", options)
/// ```
public struct StoreOptions: Sendable {
    /// Which agent syncs the profile with other devices.
    public enum AgentChoice: Sendable, Hashable {
        /// The agent that runs on this machine; if none runs, an embedded one inside this process.
        case automatic
        /// Only the agent that runs on this machine. While none runs, the profile is only saved.
        case running
        /// Only an embedded agent inside this process.
        case embedded
        /// No agent: the save stays on this device.
        case none
    }

    /// What happens when another device of the household has this profile, and this device has none or a different one
    /// of the same name.
    public enum PairedProfile: Sendable, Hashable {
        /// The player is asked: see ``ProfileStore/pendingPrompt``.
        case ask
        /// The two are merged at once, without a question.
        case automatic
    }

    /// What happens to a save that cannot be read.
    public enum DamagedSave: Sendable, Hashable {
        /// ``ProfileStore/open(_:_:)`` throws ``StoreError`` with ``StoreError/Code/damaged``, and the file stays.
        case refuse
        /// The newest good backup replaces it. The damaged file is copied into the folder `quarantine` beside it first.
        case restoreNewestBackup
        /// The profile begins anew. The damaged file is copied into the folder `quarantine` beside it first.
        case startFresh
    }

    /// The folder of the game's profiles; `nil` for `$XDG_DATA_HOME/GAME` or `~/.local/share/GAME` (on Apple systems
    /// `~/Library/Application Support/GAME`).
    public var folder: String?
    /// The path of the save, where the game chooses it; `nil` for a file in ``folder`` named after the profile's id.
    public var file: String?
    /// Which agent syncs the profile.
    public var agent: AgentChoice = .automatic
    /// Hearth's home folder, as with `hearth --home`; `nil` for the user's own.
    public var home: String?
    /// Whether an embedded agent connects to other devices. If not, it opens no socket and publishes nothing.
    public var network = true
    /// Whether an embedded agent talks only to programs on this machine: it listens on the loopback address, and looks
    /// for others on the loopback interface. For tests, and for two copies of a game on one machine.
    public var isLoopbackOnly = false
    /// The TCP port on which an embedded agent listens; 0 lets the system choose one. Choose one where a firewall needs
    /// a rule, or where other devices name this one in ``peers``.
    public var port: UInt16 = 0
    /// The names of the network interfaces on which an embedded agent looks for other devices, such as `eth0`; empty
    /// for all of them.
    public var interfaces: [String] = []
    /// The addresses of devices that an embedded agent reaches without looking for them, as `host:port`. For networks in
    /// which devices cannot discover each other.
    public var peers: [String] = []
    /// The name of this device, for an embedded agent; `nil` for the machine's name.
    public var deviceName: String?
    /// Where an embedded agent logs; `nil` for the file `agent.log` in Hearth's home, which is renamed to `agent.log.1`
    /// when it has 1 MiB. Of all stores that share an agent, the first one decides.
    public var logger: Logger?
    /// The names or ids of the devices of the household to which an embedded agent gives its daily backups, where they
    /// keep copies; `nil` for the setting in `config.yaml` of Hearth's home, which is none by default. A backup is the
    /// whole save, including ``Local`` fields; `hearth backup-key create` on this device encrypts it. Ask the player
    /// first.
    public var sharesBackups: [String]?
    /// Whether an embedded agent keeps copies of other devices' daily backups on this device, where those share them
    /// (``sharesBackups``); `nil` for the setting in `config.yaml` of Hearth's home, which is no by default.
    public var keepsBackupsOfOthers: Bool?
    /// What happens when another device has this profile.
    public var pairedProfile: PairedProfile = .ask
    /// What happens to a save that cannot be read. Ask the player before you set anything but ``DamagedSave/refuse``.
    public var damagedSave: DamagedSave = .refuse
    /// When edits are saved without a call of the game.
    public var autoSave: AutoSavePolicy = .default

    /// The defaults: the running agent or an embedded one, the usual folders, edits saved within a second.
    public init() {}

    /// How an embedded agent listens in tests. By default it finds its peers by itself.
    package var embedding = Embedding()

    /// Settings of an embedded agent that only tests change.
    package struct Embedding: Sendable {
        /// A numeric address to listen on; `nil` for all of them.
        package var host: String?
        /// Whether it looks for other devices.
        package var discovers = true
    }
}

/// When edits are saved without a call of the game. ``ProfileStore/update(_:)`` saves at once and does not depend on
/// this.
public struct AutoSavePolicy: Sendable, Hashable {
    /// The time from the first unsaved edit until all edits are saved; `nil` to save only after ``idle``.
    public var coalesce: Duration? = .seconds(1)
    /// The time from the last edit until edits are saved, where ``coalesce`` is `nil`; also the pause before a failed
    /// save is tried again. `nil` for no save after an idle time.
    public var idle: Duration? = .seconds(30)
    /// Whether unsaved edits are saved when the process ends: by `exit`, or by SIGTERM, SIGINT or SIGHUP. After a
    /// signal the game's own handler runs, or the system's default.
    public var onTermination = true
    /// Whether unsaved edits are saved when the system sends the app to the background.
    public var onSuspension = true

    /// Within a second, and when the game is suspended or ends.
    public static let `default` = AutoSavePolicy()
    /// Only by ``ProfileStore/update(_:)``, ``ProfileStore/save(_:)`` and ``ProfileStore/close()``.
    public static let manual: AutoSavePolicy = {
        var policy = AutoSavePolicy()
        (policy.coalesce, policy.idle, policy.onTermination, policy.onSuspension) = (nil, nil, false, false)
        return policy
    }()

    /// Makes the options of ``default``.
    public init() {}
}
