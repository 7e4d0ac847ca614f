package import MergeCore
package import ProfileKeeping
package import SyncProtocol

/// The agent as one synchronous state machine that takes every decision: events and the time in, actions out.
///
/// Files and the record are ports (protocols) that do their work at once; network, timers and people are events and
/// actions. Time, randomness and keys are passed in. So a whole household of agents runs in one process, in virtual
/// time, and the same seed gives the same result, byte for byte.
package struct HouseholdAgent<Files: ProfileFiles, Store: Record>: ~Copyable {
    let settings: Settings
    let signer: any DeviceSigner
    var random: any RandomNumberGenerator
    var engine: ProfileEngine<Files, Store>
    var household: Household
    var lastSeen: LastSeen
    var origins: ReplicaOrigins
    var heads: SignedHeads
    var leftOut = LeftOutReplicas()
    var begun = BegunProfiles()
    var hearsay: Hearsay
    var hearsayChecks = HearsayChecks()
    var digestAnswers = DigestAnswers()
    /// The port at which other devices reach this one; `nil` where they cannot.
    private(set) var port: UInt16?
    var discovery = ServiceDiscovery()

    var plan = DialPlan()
    var links = Links()
    /// What this device covers of each profile, as the links know it.
    var coverage = CoveredProfiles()
    var waitingDeltas = WaitingDeltas()
    var deniedDeltas = DeniedDeltas()
    var readingTurns = ReadingTurns()
    var delayedRelays = DelayedRelays()
    var refusals = RefusalLog()
    var identityCopies = IdentityCopies()
    var deviceLog = DeviceLog()

    var pairing = Pairing()
    var watches = FileWatches()
    var wholeReads = WholeReads()
    var waiting = WaitingRequests()
    var games: GameSessions
    let processTable: any ProcessTable
    let openWatch: any OpenWatch
    let trials: any MachineTrials
    /// The programs that write the profiles' files.
    var writers: Writers
    /// When the agent started.
    private(set) var started = MonotonicTime.min
    var copySender: CopySender
    var copyReceiver: CopyReceiver
    var dailyBackups = DailyBackups()
    var formSender = FormSender()
    var firstFiles = FirstFiles()
    var manyRestores = ManyRestores()
    var syncTimes: SyncTimes
    var ruleComparisons = RuleComparisons()
    var fileStates = FileStates()
    var followers = Followers()
    /// The acknowledgements of other members: which ones were asked for, and which may have to be passed on.
    var relayedAcks = RelayedAcks()
    var unsendable = UnsendableProfiles()
    private var recovered: [ProfileID] = []
    var steps = SettledSteps<Self>()
    /// The reason why the record cannot be written; `nil` while it can.
    private(set) var recordTrouble: String?
    var paused: PausedProfiles
    var releasedFiles: ReleasedFiles
    private(set) var newestLines = NewestLines()

    private var actions: [AgentAction] = []

    /// Loads the record and the household. Nothing else happens before ``AgentEvent/started(port:)``.
    package init(
        settings: Settings, signer: any DeviceSigner, random: any RandomNumberGenerator, files: Files, store: Store,
        processTable: (any ProcessTable)? = nil, openWatch: (any OpenWatch)? = nil,
        trials: (any MachineTrials)? = nil
    ) throws(StorageFault) {
        // Everything that can fail comes first: a noncopyable value is made completely or not at all.
        var generator = random
        let fresh = HouseholdID(high: generator.next(), low: generator.next())
        let loaded = try Loaded(settings, signer, fresh, files, store)
        self.init(
            settings: settings, signer: signer, random: generator, loaded: loaded,
            processTable: processTable ?? NoProcesses(), openWatch: openWatch ?? NoOpenWatch(),
            trials: trials ?? NoTrials())
    }

    private init(
        settings: Settings, signer: any DeviceSigner, random: any RandomNumberGenerator, loaded: Loaded,
        processTable: any ProcessTable, openWatch: any OpenWatch, trials: any MachineTrials
    ) {
        self.settings = settings
        self.signer = signer
        self.random = random
        self.processTable = processTable
        self.openWatch = openWatch
        self.trials = trials
        copySender = CopySender(shares: settings.sharesBackups)
        copyReceiver = CopyReceiver(keeps: settings.keepsBackupsOfOthers, limit: settings.copiesLimit)
        engine = loaded.engine
        engine.loadedLimit = settings.loadedProfiles
        household = loaded.household
        origins = loaded.origins
        heads = loaded.heads
        hearsay = loaded.hearsay
        paused = loaded.paused
        releasedFiles = loaded.releasedFiles
        games = loaded.games
        writers = loaded.writers
        syncTimes = loaded.syncTimes
        lastSeen = loaded.lastSeen
    }

    /// Takes one event and returns the actions that follow from it.
    package mutating func handle(_ event: AgentEvent, now: Moment) -> [AgentAction] {
        actions = []
        waitingDeltas.beginEvent()
        fileStates.beginEvent()
        var isTimer = false
        switch event {
        case .started(let port): start(port, now: now)
        case .file(let path, let event): fileHappened(path, event, now: now)
        case .saved(let save): saved(save, now: now)
        case .writer(let path, let process): wrote(path, process, now: now)
        case .transport(let event): transportHappened(event, now: now)
        case .discovery(let event): discoveryHappened(event, now: now)
        case .request(let id, let request):
            // Pending backups are made first, so that people see them and decide by them.
            for profile in engine.active.sorted() { engine.makePendingBackups(profile, now: now) }
            run(request, as: id, now: now)
        case .abandoned(let id): abandoned(id, now: now)
        case .configured(let processes, let sharesBackups, let keepsBackupsOfOthers):
            configured(processes, now: now)
            configureCopies(sharesBackups: sharesBackups, keepsBackupsOfOthers: keepsBackupsOfOthers, now: now)
        case .timer: isTimer = true
        case .day(let day): dayBegan(day, now: now)
        case .stopping:
            for profile in engine.active.sorted() { engine.makePendingBackups(profile, now: now) }
            stop(now: now)
        }
        settle(now: now)
        tick(now: now, isTimer: isTimer)
        settle(now: now)
        tickAnswers(now: now)
        settle(now: now)
        announce(now: now)
        settle(now: now)
        letGo(now: now)
        defer { actions = [] }
        newestLines.note(actions, at: now.wall)
        return actions
    }

    /// The time at which ``AgentEvent/timer`` must be sent at the latest.
    package var deadline: MonotonicTime? {
        var times: [MonotonicTime?] = [
            watches.rescanDeadline, dialDeadline, pairing.deadline, links.deadline, waitingDeltas.deadline,
            deniedDeltas.deadline, readingTurns.deadline, waiting.deadline, games.deadline,
            copySender.deadline, copyReceiver.deadline, firstFiles.deadline, hearsayChecks.deadline,
            digestAnswers.deadline, discovery.deadline, followers.deadline, dailyBackups.deadline,
            manyRestores.deadline, delayedRelays.deadline,
        ]
        for id in active {
            times += [
                fileDeadline(id), engine.displacedDeadline(id), engine.backupDeadline(id), invalidFileDeadline(id),
            ]
        }
        return times.compactMap { $0 }.min()
    }

    /// The name of each profile whose file or record a crash had left half done, as found at the start.
    package var recoveredNames: [String] {
        let profiles = engine.profiles
        return recovered.compactMap { profiles[$0]?.name }
    }

    /// This device, as reports show it.
    package var identity: DeviceReport {
        DeviceReport(
            id: signer.key.id.description, name: household.roster.name, isThisDevice: true, connected: true,
            keepsBackups: copyReceiver.keeps ? true : nil)
    }

    private mutating func start(_ port: UInt16?, now: Moment) {
        self.port = port
        started = now.monotonic
        openWatch.watchNothing()  // What it saw for an agent before this one says nothing about the time between.
        if settings.recordRolledBack {
            log(
                .warning,
                "this device's record is an old one or a copy; it writes as a new replica, and asks the household first"
            )
        }
        rememberWriters()
        recovered = engine.recover(now: now)
        engine.files.sweepCopies()
        for id in recovered {
            log(.notice, "finished what a crash cut short", ["profile": engine.profiles[id]!.name])
        }
        watches.lookAtAll(engine.ids.filter { engine.profiles[$0]?.file.path != nil }, now: now.monotonic)
        lookAtProcesses(now: now)
        lookAtOrphanedGames(now: now)
        for address in settings.peers { plan.want(address, .named, now: now.monotonic) }
        for address in household.addresses.values { plan.want(address, .remembered, now: now.monotonic) }
    }

    /// Does what is due because time has passed.
    private mutating func tick(now: Moment, isTimer: Bool) {
        tickRounds(now: now)
        tickGames(now: now)
        tickForgotten(now: now)
        tickFirstFiles(now: now)
        tickFiles(now: now, isTimer: isTimer)
        if isTimer { tickDailyBackups(now: now) }
        tickRestores(now: now)
        tickManyRestores(now: now, isTimer: isTimer)
        tickTransfers(now: now)
        tickLinks(now: now)
        if let next = readingTurns.take(now: now.monotonic) { act(.transport(.resume(next))) }
        tickDelayedRelays(now: now)
        tickWaiting(now: now)
        perform(pairing.tick(now: now.monotonic, trouble: discovery.trouble), now: now)
        dialDue(now: now)
    }

    /// Answers the requests and games that wait until devices are in step or a file is there, once everything before is
    /// settled.
    private mutating func tickAnswers(now: Moment) {
        tickSyncs(now: now)
        tickAwaitedFiles(now: now)
        tickPlays(now: now)
        tickDiagnoses(now: now)
    }

    /// Tells games and the other devices about the result of everything before, once that is settled.
    private mutating func announce(now: Moment) {
        tickSubscriptions(now: now)
        announceFileStates(now: now)
        relayAcks(now: now)
        tickHearsay(now: now)
        // Forms and copies come last, after everything else that there is to send.
        tickFormsOut(now: now)
        tickCopies(now: now)
        tickFollowers(now: now)
    }

    // MARK: Small helpers

    /// Adds an action for the shell, the code around this machine that does input and output.
    mutating func act(_ action: AgentAction) { actions.append(action) }

    mutating func freshBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in random.next() } }

    /// Notes why the record failed, and logs each reason once. The next success clears it.
    mutating func note(_ fault: StorageFault) {
        if recordTrouble != fault.message { log(.error, "the record cannot be written", ["why": fault.message]) }
        recordTrouble = fault.message
    }

    /// Notes that the record was written.
    mutating func recordWorks() { recordTrouble = nil }
}
