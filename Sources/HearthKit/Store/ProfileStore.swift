import AgentRuntime
import DiskStore
import LANDiscovery
public import Observation
import ProfileKeeping
import Synchronization

/// Keeps one profile of a game: in memory, in its file, and in step with the player's other devices.
///
/// ```swift
/// let saves = try await ProfileStore<Player>.open("player")
/// print(saves.profile.coins)
/// try await saves.update { $0.coins += 5 }          // on the disk for good when it returns
/// saves.edit { $0.score += 10 }                     // at once in memory, saved within a second
/// for await change in saves.changes { print(change) } // from here and from other devices
/// try await saves.close()
/// ```
///
/// 1. The file is the truth, and plain JSON. Opening reads it and waits for no agent and no network.
/// 2. Nothing is written before the first edit: a fresh start never takes the place of anything.
/// 3. What other devices did comes in by itself, merged under the rules of the fields. ``profile`` shows it at once,
///    and ``changes`` says what it was.
/// 4. While no agent can be reached everything is saved all the same, and goes out later.
/// 5. Reading ``profile`` is tracked by Observation, so that views follow it.
public final class ProfileStore<Subject: Profile>: Sendable, Observable {
    let core: StoreCore<Subject>
    private let tasks: StoreTasks

    init(_ core: StoreCore<Subject>, _ tasks: StoreTasks) { (self.core, self.tasks) = (core, tasks) }

    /// A store that nobody holds any more saves what is unsaved, and lets go of the agent.
    deinit {
        tasks.cancel()
        DiskQueue.shared.soon { [core, tasks] in
            try? core.saveNow()
            core.noteEnd()
            tasks.forget()
        }
    }

    // MARK: Opening

    /// Opens a slot of this game; the game goes by the name of its program.
    public static func open(_ slot: String, _ options: StoreOptions = StoreOptions()) async throws -> ProfileStore {
        try await open(game: nil, slot: slot, options, clock: ContinuousClock())
    }

    /// Opens a slot of a game. Devices of one household that open the same game and slot play one profile.
    ///
    /// - Parameters:
    ///   - game: 1 to 64 bytes without a slash, such as "universe-rpg".
    ///   - slot: The same, such as "player".
    /// - Throws: ``StoreError``, and the save stays as it is.
    public static func open(
        game: String, slot: String, _ options: StoreOptions = StoreOptions()
    ) async throws -> ProfileStore {
        try await open(game: game, slot: slot, options, clock: ContinuousClock())
    }

    /// - Parameter clock: Tells the auto-saver when.
    static func open(
        game: String?, slot: String, _ options: StoreOptions, clock: some Clock<Duration>
    ) async throws -> ProfileStore {
        do {
            let codec = try ProfileCodec<Subject>()
            let place = try StorePlace(game: game, slot: slot, folder: options.folder)
            let home = try Self.home(options, place)
            return try await DiskQueue.shared.run {
                let slotIndex = SlotIndex(folder: place.folder)
                let entry = try slotIndex.entry(place.name) ?? slotIndex.mint(place.name)
                let path = options.file.map(StorePlace.absolute) ?? "\(place.folder)/\(entry.id).json"
                let locations = BackupLocations(
                    entry.id, folder: place.folder, home: options.agent == .none ? nil : home.path,
                    household: entry.household)
                let file = StoreFile(codec, SaveFile(path: path), entry.id, locations)
                let isNothingThere = try file.file.mark() == nil
                let opened = try file.open(damaged: options.damagedSave)
                let saveSession = SaveSession(codec, file.file, snapshot: opened.snapshot, mark: opened.mark)
                var configuration = AgentConfiguration(home: home)
                configuration.usesNetwork = options.network
                configuration.deviceName = options.deviceName
                configuration.sharesBackups = options.sharesBackups
                configuration.keepsBackupsOfOthers = options.keepsBackupsOfOthers
                configuration.host = options.embedding.host
                if !options.embedding.discovers { configuration.discovery = .off }
                let connection = AgentConnection(options.agent, configuration)
                let core = StoreCore(place, options, saveSession, file, slotIndex, entry, connection, opened)
                try core.noteBeginning(entry, isNothingThere: isNothingThere)
                return ProfileStore(core, StoreTasks(core, clock))
            }
        } catch {
            throw StoreError.of(error)
        }
    }

    /// Where there is no agent there need be no home.
    private static func home(_ options: StoreOptions, _ place: StorePlace) throws -> HearthHome {
        if options.agent == .none { return HearthHome(path: place.folder) }
        do {
            return try HearthHome.resolve(option: options.home, environment: StorePlace.environment)
        } catch {
            throw StoreError(.name, error.description)
        }
    }

    // MARK: Playing

    /// The profile as it is now, with all edits.
    public var profile: Subject { core.saveSession.profile }

    /// Changes the profile and saves it: on the disk for good when it returns, whatever happens then. Calls that are
    /// made at once share a save.
    ///
    /// Where the body throws nothing is changed. Where the disk fails the change stays in memory and is tried again, so
    /// do not repeat it: the error says what to tell the player. Do not use the store inside of the body.
    ///
    /// ```swift
    /// let left = try await saves.update { player in
    ///     player.coins -= 50
    ///     player.themes.insert(.neon)
    ///     return player.coins
    /// }
    /// ```
    @discardableResult
    public func update<Result>(_ body: (inout Subject) throws -> Result) async throws -> Result {
        try core.checkOpen()
        var former = Subject()
        let (result, edit) = try core.saveSession.edit { profile in
            former = profile
            return try body(&profile)
        }
        do {
            try await core.save(upTo: edit)
        } catch let error as StoreError where error.code == .value {
            // What no save can hold would keep everything else from being saved.
            core.saveSession.takeBack(edit, to: former)
            throw error
        } catch {
            core.edited.continuation.yield()
            throw error
        }
        return result
    }

    /// Changes the profile in memory, at once. It is saved as ``StoreOptions/autoSave`` says.
    ///
    /// ```swift
    /// saves.edit { $0.score += 10 }
    /// ```
    public func edit(_ body: (inout Subject) -> Void) {
        _ = core.saveSession.edit(body)
        core.edited.continuation.yield()
    }

    /// Saves what is unsaved, now.
    ///
    /// - Parameter event: What for; games name moments that matter.
    public func save(_ event: SaveEvent = .now) async throws {
        try core.checkOpen()
        try await core.save(upTo: core.saveSession.edits)
    }

    /// Whether there are edits that are not on the disk yet.
    public var hasUnsavedEdits: Bool { core.saveSession.isUnsaved }

    /// Why the last save failed, where it did; it is tried again.
    public var saveTrouble: StoreError? { core.state.withLock { $0.saveTrouble } }

    /// What was done to the save when it was opened, where it was of an earlier version.
    public var migration: ProfileMigration? { core.migration }

    /// Where the save is.
    public var path: String { core.saveSession.file.path }

    /// Saves what is unsaved, and lets go of the agent. Opening the slot again goes on from here.
    public func close() async throws {
        defer { core.state.withLock { $0.isClosed = true } }
        let saving: (any Error)?
        do {
            try await core.save(upTo: core.saveSession.edits)
            saving = nil
        } catch {
            saving = error
        }
        await tasks.end()
        await DiskQueue.shared.run { [core] in core.noteEnd() }
        core.changes.close()
        core.records.close()
        core.prompts.close()
        if let saving { throw saving }
    }

    // MARK: Events

    /// What changes from now on, here and on other devices. Every call gives a stream of its own; whoever reads it too
    /// slowly finds ``ProfileChange/Origin/resynced`` in the place of what was lost.
    public var changes: AsyncStream<ProfileChange> { core.changes.listen() }

    /// Records that are made from now on, here and on other devices.
    public var newRecords: AsyncStream<NewRecord> { core.records.listen() }

    /// Prompts that come up from now on; see ``pendingPrompt``.
    public var prompts: AsyncStream<RestorePrompt<Subject>> { core.prompts.listen() }

    /// What the player has to say about a profile that another device has, while that is open.
    public var pendingPrompt: RestorePrompt<Subject>? { core.state.withLock { $0.prompt } }
}

/// What a save is made for.
public struct SaveEvent: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Because somebody asked.
    public static let now = SaveEvent(description: "now")

    /// A moment of the game: `.named("level finished")`.
    public static func named(_ name: String) -> SaveEvent { SaveEvent(description: name) }
}
