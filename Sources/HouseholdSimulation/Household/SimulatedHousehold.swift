import HouseholdAgent
package import MergeCore
import ProfileKeeping
import SyncProtocol

/// A simulated household in one process, on one thread and in virtual time: real agents, with disks, records and a
/// network in memory. The same seed gives the same trace, byte for byte, but for signatures (see ``SeededSigner``).
package final class SimulatedHousehold {
    /// The date at which every simulation starts.
    package static let start: WallTime = 1_700_000_000_000
    package static let port: UInt16 = 7_000

    /// The time since the simulation began, by every device's monotonic clock.
    package private(set) var now: MonotonicTime = 0
    package private(set) var devices: [SimulatedDevice] = []
    /// Everything that has happened, one line each.
    package private(set) var trace: [String] = []
    /// Whether to keep the trace; a long simulation may switch it off to save memory.
    package var keepsTrace = true
    /// A hash of everything that has happened, also while no trace is kept; see ``TraceDigest``.
    package var digest: UInt64 { sum.value }
    /// The range of a packet's travel time, in milliseconds.
    package var delay: ClosedRange<Int64> = 1...5
    /// Whether all that a device sends over a connection in one event arrives in one piece, as it mostly does over TCP.
    package var joinsSends = false

    /// Lets devices find each other by what they announce; `nil` where they know addresses alone. A change takes effect at
    /// the devices' next starts.
    package var discovery: SimulatedDiscovery?

    private let seed: UInt64
    var sum = TraceDigest()
    private var random: SimulatedRandom
    var agenda = Agenda<Item>()
    var network = VirtualNetwork()

    enum Item {
        case event(device: Int, AgentEvent)
        case open(Int)
        case dialFailed(Int, DialFault)
        case bytes(Int, to: VirtualConnection.End, [UInt8])
        case close(Int, at: VirtualConnection.End, String)
        case discovery(DiscoveryItem)
    }

    package init(seed: UInt64) {
        self.seed = seed
        random = SimulatedRandom(seed: seed)
    }

    /// How many profiles each device keeps in memory whole; as many as ever where it is `nil`. A change takes effect at a
    /// device's next start.
    package var loadedProfiles: Int?

    // MARK: Devices

    /// - Parameters:
    ///   - sharesPower: Whether the disk and the record have one power switch, as in a real machine. A device that loses
    ///     its power in the middle of an event is killed then.
    ///   - findsOthers: Whether it finds the devices that are there already, as by discovery. Else it knows those alone
    ///     with which it was paired.
    package func addDevice(
        _ name: String, sharesPower: Bool = false, findsOthers: Bool = false
    ) throws -> SimulatedDevice {
        let others = findsOthers ? devices.map(address) : []
        let index = devices.count
        let power = PowerSwitch()
        let device = add(
            name, SeededSigner(seed: seed &+ UInt64(index)), MemoryFiles(power: power),
            MemoryRecord(power: sharesPower ? power : PowerSwitch()))
        device.peers = others
        try start(device)
        return device
    }

    /// Adds a device whose agent does not run yet.
    @discardableResult
    func add(
        _ name: String, _ signer: SeededSigner, _ files: MemoryFiles, _ record: MemoryRecord
    ) -> SimulatedDevice {
        let device = SimulatedDevice(
            name: name, host: "device-\(devices.count)", signer: signer, files: files, record: record)
        devices.append(device)
        return device
    }

    /// Starts a device's agent on the content of its disk and record; also restarts it after ``kill(_:)``.
    ///
    /// - Parameter isRecordRolledBack: Whether the shell has found that the record is an old one.
    package func start(_ device: SimulatedDevice, isRecordRolledBack: Bool = false) throws {
        var settings = SimulatedDevice.Machine.Settings(deviceName: device.name, processes: device.processes)
        settings.recordRolledBack = isRecordRolledBack
        settings.peers = device.peers
        settings.quota = device.quota
        if let loadedProfiles { settings.loadedProfiles = loadedProfiles }
        if let begunProfiles = device.begunProfiles { settings.begunProfiles = begunProfiles }
        settings.sharesBackups = device.sharesBackups
        settings.keepsBackupsOfOthers = device.keepsBackupsOfOthers
        settings.copiesLimit = device.copiesLimit
        device.programs.watchNothing()
        device.watched = []
        var machine = try SimulatedDevice.Machine(
            settings: settings, signer: device.signer,
            random: SimulatedRandom(seed: random.next()), files: device.files, store: device.record,
            processTable: device.programs, openWatch: device.programs, trials: device.trials)
        try machine.takeOldRecord()
        device.machine = consume machine
        deliver(index(device), .started(port: Self.port))
        lookForOthers(index(device))
    }

    /// Ends a device's agent without a goodbye to its peers, like SIGKILL.
    package func kill(_ device: SimulatedDevice) {
        let index = index(device)
        note(index, "killed")
        device.end()
        noteEnds(network.drop(index), "reset")
    }

    /// Ends a device's agent as a shutdown does: what it would lose is in its record then.
    package func end(_ device: SimulatedDevice) {
        device.machine?.end()
        kill(device)
    }

    /// Lets ends of connections notice, after a packet's time, that their connection is gone.
    func noteEnds(_ ends: [VirtualNetwork.Closing], _ reason: String) {
        for (number, end) in ends { agenda.add(.close(number, at: end, reason), at: now + transit()) }
    }

    /// Lets bytes arrive now, before those that are under way.
    func arrive(_ late: [(number: Int, end: VirtualNetwork.End, bytes: [UInt8])]) {
        for (number, end, bytes) in late { agenda.add(.bytes(number, to: end, bytes), at: now) }
    }

    // MARK: Time

    /// The date by a device's wall clock, which may be set wrong: ``SimulatedDevice/skew``.
    package func date(on device: SimulatedDevice) -> WallTime { Self.start + (now - 0) + device.skew }

    /// How often a timer had come and its agent left the deadline where it was. A real agent then waits a second, and
    /// with it all that is due meanwhile.
    package private(set) var timersThatStayedDue = 0

    /// The time by both clocks of a device.
    package func moment(on device: SimulatedDevice) -> Moment { Moment(monotonic: now, wall: date(on: device)) }

    /// Sets the clock before anything has happened.
    func setTime(_ time: MonotonicTime) { now = time }

    /// Runs the simulation for this time.
    package func run(milliseconds: Int64) {
        let end = now + .milliseconds(milliseconds)
        while step(until: end) {}
        now = max(now, end)
    }

    /// Runs the simulation until a condition holds. Returns false where it does not hold within the time.
    package func run(until isDone: () -> Bool, within milliseconds: Int64 = 60_000) -> Bool {
        let end = now + .milliseconds(milliseconds)
        while !isDone() {
            guard step(until: end) else { return isDone() }
        }
        return true
    }

    private func step(until end: MonotonicTime) -> Bool {
        // The earliest timer, and of several at one time that of the first device.
        var timer: (MonotonicTime, Int)?
        for index in devices.indices {
            guard !devices[index].isAsleep, let deadline = devices[index].deadline.map({ max(now, $0) }) else {
                continue
            }
            if timer.map({ deadline < $0.0 }) ?? true { timer = (deadline, index) }
        }
        if let next = agenda.nextTime, next <= (timer?.0 ?? .max) {
            guard next <= end, let (time, item) = agenda.pop() else { return false }
            now = max(now, time)
            happen(item)
            return true
        }
        guard let (time, device) = timer, time <= end else { return false }
        // An agent that does not move its deadline forward would stop time, so at least a millisecond passes.
        now = max(now, time)
        deliver(device, .timer)
        if let deadline = devices[device].deadline, deadline <= now {
            timersThatStayedDue += 1
            now = now + .milliseconds(1)
        }
        return true
    }

    func transit() -> Duration { .milliseconds(Int64.random(in: delay, using: &random)) }

    // MARK: The machines

    func deliver(_ index: Int, _ event: AgentEvent) {
        let device = devices[index]
        guard device.isRunning else { return }
        guard !device.isAsleep else { return device.missed.append(event) }
        note(index, Self.describe(event))
        sum.add(now, index, event)
        device.files.setTime(date(on: device))
        let actions = device.handle(event, now: moment(on: device))
        // A machine without power does nothing of what it was about to do.
        guard !device.files.power.isOff else { return kill(device) }
        for action in joinsSends ? Self.joiningSends(actions) : actions {
            sum.add(now, index, action)
            switch action {
            case .transport(let action):
                note(index, "  \(Self.describe(action))")
                perform(action, from: index)
            case .watch(let paths, let gone): device.watched = device.watched.union(paths).subtracting(gone)
            case .announce(let announcement): announce(announcement, from: index)
            case .openPage, .watchAnew: break
            case .reply(let id, let reply):
                note(index, "  reply \(reply)")
                device.replies[id, default: []].append(reply)
            case .log(let line):
                note(
                    index,
                    "  log \(line.message) \(line.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
                )
            }
        }
    }

    func index(_ device: SimulatedDevice) -> Int { devices.firstIndex { $0 === device }! }

    func note(_ device: Int, _ text: @autoclosure () -> String) {
        guard keepsTrace else { return }
        trace.append("\(now.milliseconds) \(devices[device].name): \(text())")
    }
}
