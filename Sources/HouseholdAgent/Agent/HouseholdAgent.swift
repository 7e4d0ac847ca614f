import MergeCore
package import ProfileKeeping
package import SyncProtocol

/// Every decision of an agent as one synchronous machine: events and the time in, actions out.
///
/// Files and record are ports that do their work at once; network, timers and people are events and actions. Time,
/// randomness and keys are handed in. So a household of these runs in one process, in virtual time, byte for byte the
/// same for the same seed.
package struct HouseholdAgent<Files: ProfileFiles, Store: Record>: ~Copyable {
    /// What an agent is started with.
    package struct Settings: Sendable {
        /// What people call this device; at most 64 bytes.
        package var deviceName: String
        /// Addresses the user named.
        package var peers: [PeerAddress]
        /// The program that plays a profile, by the profile's name or id.
        package var processes: [String: String]
        /// The record is not the one that was written last: an old copy was put back, or writes were lost.
        package var recordWentBack = false
        /// Whether this device's daily backups may be copied by devices of the household that keep copies.
        package var sharesBackups = false
        /// Whether this device keeps copies of the daily backups of the household's other devices.
        package var keepsBackupsOfOthers = false
        /// Bytes that the copies of one other device may take up.
        package var copiesLimit = CopyPlan.ownerLimit
        /// A clock that only grows, to say how long something took. No decision looks at it.
        package var uptime: @Sendable () -> Duration

        package init(
            deviceName: String, peers: [PeerAddress] = [], processes: [String: String] = [:],
            uptime: @escaping @Sendable () -> Duration = { .zero }
        ) {
            self.deviceName = deviceName
            self.peers = peers
            self.processes = processes
            self.uptime = uptime
        }
    }

    let settings: Settings
    let signer: any DeviceSigner
    var random: any RandomNumberGenerator
    var keeper: Keeper<Files, Store>
    var household: Household
    var certificates: [ReplicaID: ReplicaCertificate]

    var port: UInt16?
    var discovery = ServiceDiscovery()

    var plan = DialPlan()
    var links = Links()
    var refusals = RefusalLog()

    var pairing = Pairing()
    var watches: [ProfileID: Watch] = [:]
    /// The files that are watched.
    var watchedFiles: [ProfileID: String] = [:]
    var syncs: [RequestID: WaitingSync] = [:]
    var restores: [RequestID: WaitingRestore] = [:]
    var games: GameSessions
    let processTable: any ProcessTable
    let openWatch: any OpenWatch
    /// Which programs write the profiles' files.
    var writers: Writers
    /// When the agent started.
    var started: Int64 = .min
    var transfers: [RequestID: WaitingTransfer] = [:]
    var copySender: CopySender
    var copyReceiver: CopyReceiver
    /// The day here, once it is known.
    var today: LocalDay?
    var formSender = FormSender()
    var firstFiles = FirstFiles()
    var awaitedFiles: [RequestID: AwaitedFile] = [:]
    var lastSync: [ProfileID: Int64] = [:]
    /// The same as the record has it.
    var storedSync: [ProfileID: Int64] = [:]
    /// Profiles whose file may stand otherwise than the other devices were told.
    var untold: Set<ProfileID> = []
    /// Whose words were wanted, and which may have to be passed on.
    var words = WordState()
    var recovered: [ProfileID] = []
    var nextRescan: Int64 = 0
    var recordTrouble: String?
    /// Profiles whose file belongs to its game alone for now.
    var paused: Set<ProfileID> = []
    /// Where the files stand of profiles that another device has forgotten, until the player has heard of it.
    var letGo: [ProfileID: String] = [:]

    var actions: [AgentAction] = []

    /// Loads record and household. Nothing else happens before ``AgentEvent/started(port:)``.
    package init(
        settings: Settings, signer: any DeviceSigner, random: any RandomNumberGenerator, files: Files, store: Store,
        processTable: (any ProcessTable)? = nil, openWatch: (any OpenWatch)? = nil
    ) throws(StorageFault) {
        // All that can fail comes first: a noncopyable value is made whole or not at all.
        var generator = random
        let fresh = HouseholdID(high: generator.next(), low: generator.next())
        let loaded = try Loaded(settings, signer, fresh, files, store)
        self.init(
            settings: settings, signer: signer, random: generator, loaded: loaded,
            processTable: processTable ?? NoProcesses(), openWatch: openWatch ?? NoOpenWatch())
    }

    private init(
        settings: Settings, signer: any DeviceSigner, random: any RandomNumberGenerator, loaded: Loaded,
        processTable: any ProcessTable, openWatch: any OpenWatch
    ) {
        self.settings = settings
        self.signer = signer
        self.random = random
        self.processTable = processTable
        self.openWatch = openWatch
        copySender = CopySender(shares: settings.sharesBackups)
        copyReceiver = CopyReceiver(keeps: settings.keepsBackupsOfOthers, limit: settings.copiesLimit)
        keeper = loaded.keeper
        household = loaded.household
        certificates = loaded.certificates
        paused = loaded.paused
        letGo = loaded.letGo
        games = loaded.games
        writers = loaded.writers
        lastSync = loaded.lastSync
        storedSync = loaded.lastSync
    }

    /// What record and disk held at the start.
    private struct Loaded {
        let keeper: Keeper<Files, Store>
        let household: Household
        let certificates: [ReplicaID: ReplicaCertificate]
        let paused: Set<ProfileID>
        let letGo: [ProfileID: String]
        let lastSync: [ProfileID: Int64]
        let games: GameSessions
        let writers: Writers

        init(
            _ settings: Settings, _ signer: any DeviceSigner, _ fresh: HouseholdID, _ files: Files, _ store: Store
        ) throws(StorageFault) {
            keeper = try Keeper(files: files, store: store)
            household = try Household(
                notes: try store.notes(prefix: Household.prefix),
                me: signer.key,
                name: settings.deviceName,
                fresh: fresh
            )
            certificates = try HouseholdAgent.certificates(try store.notes(prefix: "replica/"))
            paused = HouseholdAgent.paused(try store.notes(prefix: HouseholdAgent.pausedPrefix))
            letGo = HouseholdAgent.letGo(try store.notes(prefix: HouseholdAgent.letGoPrefix))
            games = GameSessions(
                lines: settings.processes, games: try store.notes(prefix: GameNote.prefix),
                reading: try store.notes(prefix: GameSessions.readingPrefix))
            writers = Writers(try store.notes(prefix: Writers.prefix))
            lastSync = HouseholdAgent.lastSync(try store.notes(prefix: HouseholdAgent.lastSyncPrefix))
        }
    }

    /// Takes one event in. `now` is milliseconds since 1970.
    package mutating func handle(_ event: AgentEvent, now: Int64) -> [AgentAction] {
        actions = []
        switch event {
        case .started(let port): start(port, now: now)
        case .file(let path, let event): fileHappened(path, event, now: now)
        case .writer(let path, let process): wrote(path, process, now: now)
        case .transport(let event): transportHappened(event, now: now)
        case .discovery(let event): discoveryHappened(event, now: now)
        case .request(let id, let request):
            // People see what was kept, and decide by it.
            for profile in keeper.ids { keeper.makeDueBackup(profile, now: now) }
            requested(id, request, now: now)
        case .abandoned(let id): abandoned(id, now: now)
        case .configured(let processes, let sharesBackups, let keepsBackupsOfOthers):
            configured(processes, now: now)
            configureCopies(sharesBackups: sharesBackups, keepsBackupsOfOthers: keepsBackupsOfOthers, now: now)
        case .timer: break
        case .day(let day): dayBegan(day, now: now)
        case .stopping:
            for profile in keeper.ids { keeper.makeDueBackup(profile, now: now) }
            stop()
        }
        settle(now: now)
        tick(now: now)
        settle(now: now)
        defer { actions = [] }
        return actions
    }

    /// When to send ``AgentEvent/timer``, at the latest.
    package var deadline: Int64? {
        var times: [Int64?] = [nextRescan, plan.deadline(connected: links.connectedKeys), pairing.deadline]
        times += watches.map { fileDeadline($0.key, $0.value) }
        for id in keeper.ids { times += [keeper.displacedDeadline(id), keeper.backupDeadline(id), oddDeadline(id)] }
        times.append(links.deadline)
        times += syncs.values.map(\.nextLook) + restores.values.map(\.deadline)
        times += games.plays.values.map(\.deadline) + games.attachments.values.map(\.quietUntil) + [games.nextLook]
        times += transfers.values.map(\.deadline) + [copySender.deadline, copyReceiver.deadline]
        times.append(firstFiles.deadline)
        return times.compactMap { $0 }.min()
    }

    /// Names of profiles whose file or record a crash had left half way, since the start.
    package var recoveredNames: [String] {
        let profiles = keeper.profiles
        return recovered.compactMap { profiles[$0]?.name }
    }

    /// This device, as others know it.
    package var identity: DeviceReport {
        DeviceReport(id: signer.key.id.description, name: settings.deviceName, isThisDevice: true, connected: true,
            sharesBackups: copySender.shares ? true : nil, keepsBackups: copyReceiver.keeps ? true : nil)
    }

    private mutating func start(_ port: UInt16?, now: Int64) {
        self.port = port
        started = now
        nextRescan = now + Watch.rescanInterval
        if settings.recordWentBack { recordWentBack() }
        recovered = keeper.recover(now: now)
        keeper.files.sweepCopies()
        for id in recovered {
            log(.notice, "finished what a crash cut short", ["profile": keeper.profiles[id]!.name])
        }
        for id in keeper.ids {
            watches[id, default: Watch()].settling.happened(.unsure, now: now)
        }
        watchFiles()
        lookAtProcesses(now: now)
        lookAtLeftGames(now: now)
        for address in settings.peers { plan.want(address, .named, now: now) }
        for address in household.addresses.values { plan.want(address, .remembered, now: now) }
    }

    /// What time alone brings about.
    private mutating func tick(now: Int64) {
        if nextRescan <= now {
            nextRescan = now + Watch.rescanInterval
            storeLastSync()
            watchFiles()  // finds folders that were exchanged higher up
            for id in keeper.ids { noteOpens(id) }
            for id in keeper.ids where !paused.contains(id) && needsLook(id) {
                watches[id]?.settling.happened(.written, now: now)
            }
        }
        tickGames(now: now)
        tickForgotten(now: now)
        tickFirstFiles(now: now)
        tickFiles(now: now)
        tickLinks(now: now)
        tickWaiting(now: now)
        perform(pairing.tick(now: now, trouble: discovery.trouble), now: now)
        dialDue(now: now)
        tickRequests(now: now)
        tickAwaitedFiles(now: now)
        tickPlays(now: now)
        tickAttachments(now: now)
        tellFileStates(now: now)
        tellWords(now: now)
        // Forms and copies come last: whatever else there is to say is said by now.
        tickFormsOut(now: now)
        tickCopies(now: now)
    }

    /// After the last event: the next start finds nothing to finish.
    package mutating func end() { keeper.writeEnds() }

    private mutating func stop() {
        storeLastSync()
        for (id, _) in links.all {
            tell(id, now: 0) { $0.goodbye("the agent stops") }
            actions.append(.transport(.close(id)))
        }
        links.closeAll()
        let open = [Array(games.plays.keys), Array(games.attachments.keys), Array(awaitedFiles.keys)].flatMap { $0.sorted() }
        let waiting = open + [Array(syncs.keys), Array(restores.keys), Array(transfers.keys)].flatMap { $0.sorted() }
        for id in waiting + pairing.waiting {
            reply(id, .failure(.failed, "the agent stopped"))
        }
    }

    // MARK: Small helpers

    mutating func log(_ level: LogLine.Level, _ message: String, _ metadata: [String: String] = [:]) {
        actions.append(.log(LogLine(level, message, metadata)))
    }

    mutating func reply(_ id: RequestID, _ reply: AgentReply) { actions.append(.reply(id, reply)) }

    mutating func freshBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in random.next() } }

    mutating func freshReplica() -> ReplicaID { ReplicaID(high: random.next(), low: random.next()) }

    /// Says why the record failed, once; the next success clears it.
    mutating func note(_ fault: StorageFault) {
        if recordTrouble != fault.message { log(.error, "the record cannot be written", ["why": fault.message]) }
        recordTrouble = fault.message
    }
}
