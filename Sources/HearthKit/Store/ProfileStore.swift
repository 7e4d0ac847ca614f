import DiskStore
public import Observation
import ProfileKeeping
import Synchronization

/// Keeps one profile of a game in memory and in its file, and in step with the player's other devices.
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
/// 1. The file is the truth, and plain JSON. Opening reads it and does not wait for an agent or the network.
/// 2. Nothing is written before the first edit, so a fresh start never replaces anything.
/// 3. Changes by other devices come in without a call of the game, merged under the rules of the fields. ``profile``
///    shows them at once, and ``changes`` lists them.
/// 4. While no agent can be reached, everything is saved, and is synced later.
/// 5. Reading ``profile`` is tracked by Observation, so views follow it.
public final class ProfileStore<Subject: Profile>: Sendable, Observable {
    let core: StoreCore<Subject>
    private let tasks: StoreTasks

    init(_ core: StoreCore<Subject>, _ tasks: StoreTasks) { (self.core, self.tasks) = (core, tasks) }

    /// A store that is no longer referenced saves unsaved edits and detaches from the agent.
    deinit {
        tasks.cancel()
        DiskQueue.shared.soon { [core, tasks] in
            try? core.saveNow()
            core.noteEnd()
            tasks.forget()
        }
    }

    // MARK: Opening

    /// Opens a slot of this game. The game's name is the file name of the running program.
    ///
    /// - Throws: ``StoreError``; the save stays as it is.
    public static func open(_ slot: String, _ options: StoreOptions = StoreOptions()) async throws -> ProfileStore {
        try await open(game: nil, slot: slot, options, clock: ContinuousClock())
    }

    /// Opens a slot of a game. Devices of one household that open the same game and slot share one profile.
    ///
    /// - Parameters:
    ///   - game: The name of the game, 1 to 64 bytes of UTF-8 without a slash, such as "universe-rpg".
    ///   - slot: The name of the slot, with the same limits, such as "player".
    /// - Throws: ``StoreError``; the save stays as it is.
    public static func open(
        game: String, slot: String, _ options: StoreOptions = StoreOptions()
    ) async throws -> ProfileStore {
        try await open(game: game, slot: slot, options, clock: ContinuousClock())
    }

    /// - Parameter clock: The auto-saver's clock; tests pass their own.
    static func open(
        game: String?, slot: String, _ options: StoreOptions, clock: some Clock<Duration>
    ) async throws -> ProfileStore {
        do {
            let codec = try ProfileCodec<Subject>()
            let place = try StorePlace(game: game, slot: slot, folder: options.folder)
            let agents = try options.agents()
            return try await DiskQueue.shared.run {
                let slotIndex = SlotIndex(folder: place.folder)
                let entry = try slotIndex.entry(place.name) ?? slotIndex.mint(place.name)
                let path = options.file.map(StorePlace.absolute) ?? "\(place.folder)/\(entry.id).json"
                let locations = BackupLocations(
                    entry.id, folder: place.folder, home: agents?.home, household: entry.household)
                let file = StoreFile(codec, SaveFile(path: path), entry.id, locations)
                return try ProfileStore(file, place, options, slotIndex, entry, agents, clock)
            }
        } catch {
            throw StoreError.of(error)
        }
    }

    convenience init(
        _ file: StoreFile<Subject>, _ place: StorePlace, _ options: StoreOptions, _ slotIndex: SlotIndex,
        _ entry: SlotIndex.Entry, _ agents: (any AgentSource)?, _ clock: some Clock<Duration>
    ) throws {
        let isNothingThere = try file.file.mark() == nil
        let opened = try file.open(damaged: options.damagedSave)
        let saveSession = SaveSession(file.codec, file.file, snapshot: opened.snapshot, mark: opened.mark)
        let core = StoreCore(place, options, saveSession, file, slotIndex, entry, AgentConnection(agents), opened)
        try core.noteBeginning(entry, isNothingThere: isNothingThere)
        self.init(core, StoreTasks(core, clock))
    }

    // MARK: Playing

    /// The profile as it is now, with all edits, saved or not.
    public var profile: Subject { core.saveSession.profile }

    /// Changes the profile and saves it. The change is durable when the call returns: it survives a crash and a power
    /// cut. Concurrent calls share one save.
    ///
    /// Where the body throws, nothing is changed. Where the disk fails, the change stays in memory and is saved later,
    /// as ``StoreOptions/autoSave`` says or with the next call, so do not repeat this one; the error's message is for
    /// the player. Do not use the store inside the body.
    ///
    /// ```swift
    /// let left = try await saves.update { player in
    ///     player.coins -= 50
    ///     player.themes.insert(.neon)
    ///     return player.coins
    /// }
    /// ```
    ///
    /// - Throws: The body's error, or ``StoreError``: ``StoreError/Code/value`` for a value that cannot be saved (the
    ///   change is undone), ``StoreError/Code/disk`` where the save failed, ``StoreError/Code/unconfirmed`` where it is
    ///   saved and may not survive a power cut, ``StoreError/Code/closed``.
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
            // A value that no save can hold would make every later save fail, too.
            core.saveSession.takeBack(edit, to: former)
            throw error
        } catch {
            core.edited.continuation.yield()
            throw error
        }
        return result
    }

    /// Changes the profile in memory, at once. ``StoreOptions/autoSave`` says when it is saved.
    ///
    /// ```swift
    /// saves.edit { $0.score += 10 }
    /// ```
    public func edit(_ body: (inout Subject) -> Void) {
        _ = core.saveSession.edit(body)
        core.edited.continuation.yield()
    }

    /// Saves unsaved edits now.
    ///
    /// - Parameter event: The reason, for readers of the game's source. The store does not use it.
    /// - Throws: ``StoreError`` where the save fails or the store is closed.
    public func save(_ event: SaveEvent = .now) async throws {
        try core.checkOpen()
        try await core.save(upTo: core.saveSession.edits)
    }

    /// Whether there are edits that the file does not contain yet.
    public var hasUnsavedEdits: Bool { core.saveSession.isUnsaved }

    /// Why the last save failed; `nil` where it succeeded. Edits saved automatically are tried again.
    public var saveTrouble: StoreError? { core.state.withLock { $0.saveTrouble } }

    /// What was done to a save of an earlier version when it was opened; `nil` where it had this version.
    public var migration: ProfileMigration? { core.migration }

    /// The absolute path of the save's file: of the slot's own, or of the one that the options name.
    public var path: String { core.saveSession.file.path }

    /// Saves unsaved edits and detaches from the agent. The store cannot be used afterwards; open the slot again to go
    /// on.
    ///
    /// - Throws: ``StoreError`` where the save fails. The store is closed all the same.
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
        core.fields.close()
        core.prompts.close()
        if let saving { throw saving }
    }

    // MARK: Events

    /// The changes from now on, on this device and others. Every call gives its own stream, which keeps 256 changes
    /// until they are read. A reader that is slower loses the oldest, and ``ProfileChange/Origin/resynced`` follows the
    /// newest.
    public var changes: AsyncStream<ProfileChange> { core.changes.listen() }

    /// The records from now on, on this device and others. A stream keeps 256 of them until they are read.
    public var newRecords: AsyncStream<NewRecord> { core.records.listen() }

    /// The prompts from now on; see ``pendingPrompt``.
    public var prompts: AsyncStream<RestorePrompt<Subject>> { core.prompts.listen() }

    /// The question to the player about a profile that another device has, while it is open.
    public var pendingPrompt: RestorePrompt<Subject>? { core.state.withLock { $0.prompt } }
}

/// The reason for a save.
public struct SaveEvent: Sendable, Hashable, CustomStringConvertible {
    /// The name of the reason, such as `level finished`.
    public let description: String

    /// A save that the game or the player asked for.
    public static let now = SaveEvent(description: "now")

    /// A moment of the game: `.named("level finished")`.
    public static func named(_ name: String) -> SaveEvent { SaveEvent(description: name) }
}
