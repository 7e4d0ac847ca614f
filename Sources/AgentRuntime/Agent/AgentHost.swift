import ControlInterface
import DiskStore
import HouseholdAgent
import LANDiscovery
import LANTransport
import Logging
import MergeCore
import NIOCore
import NIOPosix
import ProfileKeeping
import RuleFile
import Synchronization

/// Runs the state machine (``HouseholdAgent``): takes events in order, lets the machine decide, and performs its
/// actions.
///
/// The machine reads and writes the disk while it handles an event. So the actor has its own executor, an event loop
/// that serves nothing else; on Swift's shared pool it would block other tasks.
actor AgentHost {
    private var machine: HouseholdAgent<DiskFiles, SQLiteRecord>
    private let transport: LANTransport
    private let watcher: FolderWatcher
    private nonisolated let inbox: AgentInbox
    nonisolated let record: SQLiteRecord
    private let home: String
    private let discovery: String
    private let logger: Logger
    private nonisolated let metrics = AgentMetrics()
    /// The function that answers a ``PageRequest``; `nil` where the agent has no page.
    private nonisolated let page = Mutex<AgentPage.Opener?>(nil)
    private nonisolated let loop: any EventLoop
    private nonisolated let nextRequest = Atomic<UInt64>(1)
    /// The number of events after which the player may be asked something else, see ``changes``.
    private nonisolated let asked = Atomic<UInt64>(0)
    /// Grows by one at the beginning and at the end of each event.
    private nonisolated let turns = Atomic<UInt64>(0)
    private nonisolated let replies = Mutex<[RequestID: AsyncStream<AgentReply>.Continuation]>([:])
    /// What this device publishes by discovery, from change to change.
    nonisolated let announcements: AsyncStream<ServiceAnnouncement>
    private let announce: AsyncStream<ServiceAnnouncement>.Continuation
    /// Opens when the machine has started. Events that come earlier wait in the inbox.
    private let gate = AsyncStream.makeStream(of: Void.self)
    /// Opens when the last event has been handled.
    private let over = AsyncStream.makeStream(of: Void.self)
    /// The day that the machine was last told.
    private var day: LocalDay?
    private var timer: (at: MonotonicTime, scheduled: Scheduled<Void>)?
    /// The deadline of the last timer that has come.
    private var served: MonotonicTime?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(
        configuration: AgentConfiguration, credentials: DeviceCredentials, transport: LANTransport,
        watcher: FolderWatcher, openWatch: any OpenWatch, inbox: AgentInbox, logger: Logger
    ) throws {
        loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        home = configuration.home.path
        let opened = try OpenedRecord(home: home, mayCheckLater: true)
        record = opened.record
        do {
            machine = try Self.machine(configuration, credentials, opened, openWatch)
        } catch {
            RecordIncarnation.end(home: home)
            throw error
        }
        self.transport = transport
        self.watcher = watcher
        self.inbox = inbox
        discovery = configuration.discovery.rawValue
        self.logger = logger
        (announcements, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    static func machine(
        _ configuration: AgentConfiguration, _ credentials: DeviceCredentials, _ opened: OpenedRecord,
        _ openWatch: any OpenWatch = NoOpenWatch()
    ) throws -> HouseholdAgent<DiskFiles, SQLiteRecord> {
        let device = try DeviceConfiguration(of: configuration.home)
        let store = opened.record
        let start = ContinuousClock.now
        var settings = HouseholdAgent<DiskFiles, SQLiteRecord>.Settings(
            deviceName: try name(configuration, store), peers: configuration.peers, processes: device.processes
        ) {
            start.duration(to: .now)
        }
        settings.recordRolledBack = opened.isRolledBack
        settings.sharesBackups = configuration.sharesBackups ?? device.sharesBackups
        settings.keepsBackupsOfOthers = configuration.keepsBackupsOfOthers ?? device.keepsBackupsOfOthers
        var machine = try HouseholdAgent(
            settings: settings,
            signer: credentials, random: SystemRandomNumberGenerator(), files: DiskFiles(home: configuration.home.path),
            store: store, processTable: SystemProcesses(), openWatch: openWatch,
            trials: SystemTrials(home: configuration.home.path, host: configuration.host))
        try machine.takeOldRecord()
        return machine
    }

    /// The configured name, which is stored in the record; otherwise the stored name; otherwise the host's.
    private static func name(_ configuration: AgentConfiguration, _ store: SQLiteRecord) throws -> String {
        let key = DeviceNameNote.key
        let kept = try store.note(key).map { String(decoding: $0, as: UTF8.self) }
        guard let given = configuration.deviceName else { return kept ?? hostName() }
        if given != kept {
            try store.commit(RecordChange(notes: NoteChange(key, Array(given.utf8))))
        }
        return given
    }

    /// Starts the machine: it recovers from a crash, reads every file, and begins to dial.
    ///
    /// - Parameter port: The port on which other devices reach this one; `nil` where the network is off.
    func start(port: UInt16?) -> AgentReady {
        handle(.started(port: port))
        gate.continuation.finish()
        let report = machine.identity
        return AgentReady(
            device: report.id, name: report.name, port: Int(port ?? 0), discovery: discovery,
            recovered: machine.recoveredNames)
    }

    nonisolated func post(_ event: AgentEvent) { inbox.post(event) }

    /// Has the page's server answer those who ask for a link.
    nonisolated func has(_ opener: @escaping AgentPage.Opener) { page.withLock { $0 = opener } }

    nonisolated var counters: [AgentCounter] { metrics.counters }

    /// Grows with each change of the record, and with each event after which the player may be asked something, or not any
    /// more, though nothing is recorded: a game that has asked ends, a file is gone. One request counts once.
    nonisolated var changes: UInt64 { asked.load(ordering: .relaxed) &+ record.changes }

    /// The number of the event that is handled now; `nil` between two events.
    nonisolated var presentEvent: UInt64? {
        let turn = turns.load(ordering: .relaxed)
        return turn % 2 == 0 ? nil : turn
    }

    /// Handles events until the inbox is closed, or the task cancelled.
    func run() async {
        for await _ in gate.stream {}
        inbox.serve { [self] in loop.execute { self.assumeIsolated { $0.takeEvents() } } }
        for await _ in over.stream {}
        inbox.end()
        machine.end()
        // One that is cancelled has still to stop, and writes then.
        if !Task.isCancelled { RecordIncarnation.close(record, home: home) }
    }

    private func takeEvents() {
        let (events, isLast) = inbox.take()
        for event in events { handle(event) }
        if isLast { over.continuation.finish() }
    }

    func stop() {
        gate.continuation.finish()
        handle(.stopping)
        timer?.scheduled.cancel()
        inbox.close()
        announce.finish()
        // The page's server holds this agent. Without it the agent goes, and its record is closed.
        page.withLock { $0 = nil }
        replies.withLock { all in
            for continuation in all.values { continuation.finish() }
            all = [:]
        }
    }

    /// Gives a request to the machine. The stream ends with the last reply; a cancelled stream cancels the request.
    nonisolated func submit(_ request: any AgentRequest) -> AsyncStream<AgentReply> {
        let id = RequestID(rawValue: nextRequest.wrappingAdd(1, ordering: .relaxed).oldValue)
        let (stream, continuation) = AsyncStream.makeStream(of: AgentReply.self)
        replies.withLock { $0[id] = continuation }
        let inbox = inbox
        continuation.onTermination = { reason in
            if case .cancelled = reason { inbox.post(.abandoned(id)) }
        }
        inbox.post(.request(id, request))
        return stream
    }

    private func handle(_ event: AgentEvent) {
        turns.wrappingAdd(1, ordering: .relaxed)
        defer { turns.wrappingAdd(1, ordering: .relaxed) }
        metrics.count(event)
        for action in machine.handle(event, now: .now) { perform(action) }
        if event.mayMoveQuestions { asked.add(1, ordering: .relaxed) }
        // The machine wakes twice a minute at least, so a new day is noticed soon, after a sleep or a flight as well.
        if let today = LocalDay(at: Moment.now.wall), today != day, event.isAfterStart {
            day = today
            for action in machine.handle(.day(today), now: .now) { perform(action) }
        }
        schedule()
    }

    private func perform(_ action: AgentAction) {
        switch action {
        case .transport(let action): transport.perform(action)
        case .watch(let paths, let gone): watcher.watch(paths, without: gone)
        case .watchAnew: watcher.refresh()
        case .announce(let announcement): announce.yield(announcement)
        case .reply(let id, let reply):
            give(reply, to: id)
        case .openPage(let id): openPage(id)
        case .log(let line):
            logger.log(level: line.level.logLevel, "\(line.message)", metadata: line.metadata.mapValues { "\($0)" })
        }
    }

    private nonisolated func give(_ reply: AgentReply, to id: RequestID) {
        let continuation = replies.withLock { reply.isFinal ? $0.removeValue(forKey: id) : $0[id] }
        continuation?.yield(reply)
        if reply.isFinal { continuation?.finish() }
    }

    private func openPage(_ id: RequestID) {
        guard let open = page.withLock({ $0 }) else {
            return give(.failure(.failed, AgentPage.absence), to: id)
        }
        open { [self] reply in give(reply, to: id) }
    }

    private func schedule() {
        guard let deadline = machine.deadline else { return }
        if let timer, timer.at == deadline { return }
        timer?.scheduled.cancel()
        // An hour at most; a deadline that is further off is asked for again then. One that stays after its timer holds
        // up no later one.
        let due = deadline == served ? .now + .seconds(1) : min(deadline, .now + .seconds(3_600))
        let delay = max(.zero, due - .now).wholeMilliseconds
        let scheduled = loop.scheduleTask(in: .milliseconds(delay)) { [weak self] in
            guard let self else { return }
            assumeIsolated { $0.timerFired(due) }
        }
        timer = (due, scheduled)
    }

    /// NIO may run a task that was cancelled in the same round. A timer that was replaced is ignored then: else `served` would
    /// name the deadline of the one that replaced it, and that would come a second late.
    private func timerFired(_ due: MonotonicTime) {
        guard timer?.at == due else { return }
        (served, timer) = (due, nil)
        inbox.post(.timer)
    }
}

extension AgentEvent {
    /// Daily backups must not be made before the files have been read, so the day is not told with the start event.
    fileprivate var isAfterStart: Bool { if case .started = self { false } else { true } }

    /// Whether the player may be asked something else after it, though nothing is recorded. What comes from other devices is.
    fileprivate var mayMoveQuestions: Bool {
        switch self {
        case .request, .abandoned, .file, .saved, .configured: true
        default: false
        }
    }
}

extension LogLine.Level {
    fileprivate var logLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}
