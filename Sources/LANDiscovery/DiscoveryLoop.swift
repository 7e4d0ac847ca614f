import HouseholdAgent
import Libc
import Logging

/// The work of the discovery thread: it keeps one backend running, feeds the table of instances, and reports what
/// changes in it.
///
/// All its state belongs to the thread that calls `run`.
final class DiscoveryLoop {
    private let mode: DiscoveryMode
    let interfaces: [String]
    private let logger: Logger
    private let mailbox: Mailbox
    private let ask: SlowQuestion.Ask
    let around: Surroundings
    private let report: @Sendable (DiscoveryEvent) -> Void

    var table = InstanceTable()
    var schedule: Schedule
    var backend: (any DiscoveryBackend)?
    /// The question to the system's responder that was asked last, until its answer is dealt with. Only in `auto`.
    private var probe: SlowQuestion?
    var published: ServiceAnnouncement?
    var network = NetworkInterfaces()
    var lastTrouble: String?
    /// The name under which this device was announced last; nil once the browse has shown it.
    var unseen: String?
    /// The name under which the responder shows this device; nil while nothing is published.
    var shownAs: String?
    /// Gives the answer to whether multicast brings this device its own announcement now; nil while that is not asked.
    var echo: Surroundings.Answer?

    init(
        mode: DiscoveryMode,
        interfaces: [String],
        logger: Logger,
        mailbox: Mailbox,
        ask: @escaping SlowQuestion.Ask,
        surroundings: Surroundings? = nil,
        report: @escaping @Sendable (DiscoveryEvent) -> Void
    ) {
        self.mode = mode
        self.interfaces = interfaces
        self.logger = logger
        self.mailbox = mailbox
        self.ask = ask
        self.report = report
        around = surroundings ?? .real(interfaces: interfaces, mailbox: mailbox)
        schedule = Schedule(now: around.now(), awake: around.awake())
        network = around.network()
    }

    /// Works until the mailbox asks it to end, then frees everything.
    func run() {
        while !mailbox.isCancelled {
            work()
            let pause = schedule.milliseconds(from: around.now(), atMost: backend?.deadline)
            if let backend {
                backend.poll(milliseconds: pause)
            } else {
                mailbox.sleep(milliseconds: pause)
            }
        }
        finish()
    }

    /// Does all that is due, and waits for the network no longer than that.
    func step(milliseconds: Int32 = 0) {
        work()
        backend?.poll(milliseconds: milliseconds)
        tellChanges(around.now())
    }

    /// Frees everything.
    func finish() {
        backend?.stop()
        // The backend holds a reference to this object.
        backend = nil
    }

    private func work() {
        let (isNews, now) = (mailbox.drain(), around.now())
        if isNews { schedule.heardOfNetwork(now) }
        keepRunning(now)
        publish(now)
        takeEcho(now)
        watch(now)
        tellChanges(now)
    }

    // MARK: Keeping a backend

    private func keepRunning(_ now: ContinuousClock.Instant) {
        if let failure = backend?.failure {
            end(now)
            if mode == .auto { logger.notice("discovery changes over", metadata: ["why": "\(failure.sentence)"]) }
            schedule.failed(now, isAuto: mode == .auto)
            if mode == .system || mode == .embedded { trouble(failure) }
        }
        if schedule.takeDue(\.retry, now), backend == nil { start(now) }
        #if os(Linux)
            if mode == .auto { lookForSystem(now) }
        #endif
    }

    private func start(_ now: ContinuousClock.Instant) {
        #if os(Linux)
            if mode == .auto { return askSystem(now) }
        #endif
        do {
            try run(makeBackend(now), now)
        } catch {
            schedule.failed(now, isAuto: false)
            trouble(error)
        }
    }

    private func makeBackend(_ now: ContinuousClock.Instant) throws(BackendError) -> any DiscoveryBackend {
        switch mode {
        case .embedded: try around.embedded(network, self)
        case .system, .auto, .off: try around.system(self)
        }
    }

    private func run(_ new: any DiscoveryBackend, _ now: ContinuousClock.Instant) {
        backend = new
        table.markStale()
        schedule.started(now)
        lastTrouble = nil
        tell(.running(backend: new.name, interfaces: interfaces))
    }

    private func end(_ now: ContinuousClock.Instant) {
        backend?.stop()
        backend = nil
        (published, shownAs, unseen, echo) = (nil, nil, nil, nil)
        schedule.stopped()
    }

    // MARK: The system's responder or the embedded one

    #if os(Linux)
        /// Asks whether the system's responder answers. Until it does, discovery goes on with the embedded one.
        private func askSystem(_ now: ContinuousClock.Instant) {
            if probe == nil { probe = SlowQuestion(mailbox, ask) }
            schedule.systemPatience = now + Schedule.systemPatienceLimit
        }

        private func lookForSystem(_ now: ContinuousClock.Instant) {
            if schedule.takeDue(\.systemCheck, now), backend?.name == "embedded" { askSystem(now) }
            if let probe, let answers = probe.answer {
                schedule.systemPatience = nil
                schedule.systemCheck =
                    now + (probe.isSlow ? Schedule.slowSystemCheckInterval : Schedule.systemCheckInterval)
                self.probe = nil
                // Without the interfaces that were named, the system's responder can do no more than this one.
                let hasInterfaces = interfaces.allSatisfy { if_nametoindex($0) != 0 }
                if answers, backend?.name != "system", backend == nil || hasInterfaces {
                    // The embedded responder is stopped first, because both would publish the same instance name.
                    if backend != nil { end(now) }
                    if runSystem(now) { return }
                }
                if backend == nil { runEmbedded(now) }
            } else if schedule.takeDue(\.systemPatience, now), backend == nil {
                logger.info("the system's responder does not answer yet, using the embedded one")
                runEmbedded(now)
            }
        }

        private func runSystem(_ now: ContinuousClock.Instant) -> Bool {
            do throws(BackendError) {
                run(try around.system(self), now)
                return true
            } catch {
                logger.info("no system responder, using the embedded one", metadata: ["why": "\(error.sentence)"])
                return false
            }
        }

        private func runEmbedded(_ now: ContinuousClock.Instant) {
            do throws(BackendError) {
                run(try around.embedded(network, self), now)
            } catch {
                schedule.failed(now, isAuto: false)
                trouble(error)
            }
        }
    #endif

    // MARK: Publishing and watching

    private func publish(_ now: ContinuousClock.Instant) {
        guard let backend, let announcement = mailbox.announcement, announcement != published else { return }
        if let published, announcement.looks != published.looks, announcement.instance == published.instance {
            self.published?.looks = announcement.looks
            lookForItself()
            if announcement == self.published { return }
        }
        if announcement.instance != published?.instance {
            (unseen, shownAs, echo) = (announcement.instance, announcement.instance, nil)
            schedule.ownSighting = now + Schedule.ownSightingLimit
            table.addOwn(announcement.instance)
        }
        published = announcement
        table.read(by: announcement.household)
        let tooLong = TXTStrings.strings(of: announcement.txt).tooLong
        if !tooLong.isEmpty { note("TXT strings too long to publish: \(tooLong.joined(separator: ", "))") }
        backend.publish(announcement)
    }

    private func watch(_ now: ContinuousClock.Instant) {
        if schedule.takeDue(\.networkCheck, now) { checkNetwork(now) }
        if schedule.takeDue(\.sweep, now) { table.sweep() }
        if schedule.takeDue(\.settling, now) { table.settle() }
        if schedule.takeDue(\.ownSighting, now), unseen != nil {
            let place = interfaces.isEmpty ? "any network interface" : interfaces.joined(separator: ", ")
            trouble(
                BackendError(
                    sentence: "no multicast on \(place): this device does not see its own announcement;"
                        + " check the firewall and the network, or name the other device with --peer"),
                isUnseen: true)
        }
    }

    private func checkNetwork(_ now: ContinuousClock.Instant) {
        let isAwakened = schedule.notesSleep(now, awake: around.awake())
        let present = around.network()
        schedule.networkCheck = now + Schedule.networkCheckInterval(hasNews: mailbox.hasNews)
        guard present != network || isAwakened else { return }
        logger.info("the network changed", metadata: ["interfaces": "\(present.links.keys.sorted())"])
        network = present
        if backend == nil { schedule.retry = now } else { browseAnew(now) }
    }

    /// Has the backend look for all instances again, and forgets those that it does not find.
    func browseAnew(_ now: ContinuousClock.Instant) {
        table.markStale()
        schedule.sweep = now + Schedule.confirmationTime
        backend?.refresh(network)
    }

    func tell(_ event: DiscoveryEvent) {
        mailbox.whileOpen { report(event) }
    }

    /// - Parameter isUnseen: Whether the trouble is that this device does not see its own announcement.
    private func trouble(_ error: BackendError, isUnseen: Bool = false) {
        if error.sentence != lastTrouble {
            lastTrouble = error.sentence
            tell(.trouble(error.sentence, isUnseen: isUnseen, command: error.command))
        } else if isUnseen {
            tell(.seesItself(false))
        }
    }

    private func tellChanges(_ now: ContinuousClock.Instant) {
        let evicted = table.takeEvicted()
        if !evicted.isEmpty { backend?.forget(Set(evicted)) }
        table.takeChanges().forEach(tell)
        if table.isUnsettled, schedule.settling == nil { schedule.settling = now + Schedule.settlingTime }
        for sentence in table.notes { logger.warning("\(sentence)") }
        table.notes = []
    }
}
