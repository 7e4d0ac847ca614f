package import HouseholdAgent
package import MergeCore
package import ProfileKeeping
import SyncProtocol
import TestSupport

/// A simulated household in one process, on one thread and in virtual time: real agents, with disks, records and a
/// network in memory. The same seed gives the same trace, byte for byte.
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
    /// The range of a packet's travel time, in milliseconds.
    package var delay: ClosedRange<Int64> = 1...5

    private let seed: UInt64
    private var random: SeededRandom
    private var agenda = Agenda<Item>()
    private var connections: [Int: VirtualConnection] = [:]
    private var ends: [VirtualConnection.End: Int] = [:]
    private var nextConnection = 1
    private var parted: Set<Set<Int>> = []
    private var muted: Set<Set<Int>> = []

    private enum Item {
        case event(device: Int, AgentEvent)
        case open(Int)
        case bytes(Int, to: VirtualConnection.End, [UInt8])
        case close(Int, at: VirtualConnection.End, String)
    }

    package init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    // MARK: Devices

    package func addDevice(_ name: String) throws -> SimulatedDevice {
        let index = devices.count
        let device = SimulatedDevice(
            name: name,
            host: "device-\(index)",
            signer: SeededSigner(seed: seed &+ UInt64(index)),
            files: MemoryFiles(),
            record: MemoryRecord())
        devices.append(device)
        try start(device)
        return device
    }

    /// Starts a device's agent on the content of its disk and record; also restarts it after ``kill(_:)``.
    ///
    /// - Parameter isRecordRolledBack: Whether the shell has found that the record is an old one.
    package func start(_ device: SimulatedDevice, isRecordRolledBack: Bool = false) throws {
        var settings = SimulatedDevice.Machine.Settings(deviceName: device.name, processes: device.processes)
        settings.recordRolledBack = isRecordRolledBack
        settings.quota = device.quota
        settings.sharesBackups = device.sharesBackups
        settings.keepsBackupsOfOthers = device.keepsBackupsOfOthers
        settings.copiesLimit = device.copiesLimit
        device.programs.beginWatch()
        device.machine = try SimulatedDevice.Machine(
            settings: settings, signer: device.signer,
            random: SeededRandom(seed: random.next()), files: device.files, store: device.record,
            processTable: device.programs, openWatch: device.programs)
        deliver(index(device), .started(port: Self.port))
    }

    /// Ends a device's agent without a goodbye to its peers, like SIGKILL.
    package func kill(_ device: SimulatedDevice) {
        let index = index(device)
        note(index, "killed")
        device.machine = nil
        for (number, connection) in connections.sorted(by: { $0.key < $1.key })
        where connection.dialler.device == index || connection.listener.device == index {
            let gone = connection.dialler.device == index ? connection.dialler : connection.listener
            agenda.add(.close(number, at: connection.other(gone), "reset"), at: now + transit())
            ends[gone] = nil
        }
    }

    // MARK: What happens outside

    /// Saves like a game that replaces the file by rename.
    package func save(_ text: String, to path: String, on device: SimulatedDevice) {
        device.files.setTime(date(on: device))
        device.files.saveByRename(Array(text.utf8), at: path)
        note(index(device), "saved \(path) \(text.utf8.count)")
        if device.watched.contains(path), device.isRunning { deliver(index(device), .file(path: path, .replaced)) }
    }

    package func text(of path: String, on device: SimulatedDevice) -> String? {
        device.files.bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @discardableResult
    package func ask(_ request: any AgentRequest, on device: SimulatedDevice) -> RequestID {
        let id = RequestID(rawValue: device.nextRequest)
        device.nextRequest += 1
        deliver(index(device), .request(id, request))
        return id
    }

    /// Lets the client of a request go away without waiting for the answer.
    package func abandon(_ id: RequestID, on device: SimulatedDevice) { deliver(index(device), .abandoned(id)) }

    /// Changes the device's configuration and lets the agent read it again.
    package func configure(_ processes: [String: String], on device: SimulatedDevice) {
        device.processes = processes
        deliver(
            index(device),
            .configured(
                processes: processes, sharesBackups: device.sharesBackups,
                keepsBackupsOfOthers: device.keepsBackupsOfOthers))
    }

    /// Changes which devices may copy the device's daily backups.
    package func configure(sharesBackups: [String], on device: SimulatedDevice) {
        device.sharesBackups = sharesBackups
        configure(device.processes, on: device)
    }

    /// Changes whether the device keeps copies of other devices' daily backups.
    package func configure(keepsBackupsOfOthers: Bool, on device: SimulatedDevice) {
        device.keepsBackupsOfOthers = keepsBackupsOfOthers
        configure(device.processes, on: device)
    }

    /// Starts a new local day on a device.
    package func begin(_ day: LocalDay, on device: SimulatedDevice) { deliver(index(device), .day(day)) }

    /// Cuts the network between two devices, or restores it. A cut closes the connections between them.
    package func part(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isParted: Bool = true) {
        let pair: Set<Int> = [index(a), index(b)]
        if isParted { parted.insert(pair) } else { parted.remove(pair) }
        guard isParted else { return }
        for (number, connection) in connections.sorted(by: { $0.key < $1.key })
        where pair == [connection.dialler.device, connection.listener.device] {
            for end in [connection.dialler, connection.listener] where ends[end] != nil {
                agenda.add(.close(number, at: end, "parted"), at: now + transit())
            }
        }
    }

    /// Drops everything that is sent between two devices without telling them, like a pulled cable; or ends that.
    /// Dropped bytes stay lost.
    package func mute(_ a: SimulatedDevice, _ b: SimulatedDevice, _ isMuted: Bool = true) {
        let pair: Set<Int> = [index(a), index(b)]
        if isMuted { muted.insert(pair) } else { muted.remove(pair) }
    }

    package func address(of device: SimulatedDevice) -> PeerAddress { PeerAddress(host: device.host, port: Self.port) }

    // MARK: Time

    /// The date by a device's wall clock, which may be set wrong: ``SimulatedDevice/skew``.
    package func date(on device: SimulatedDevice) -> WallTime { Self.start + (now - 0) + device.skew }

    /// The time by both clocks of a device.
    package func moment(on device: SimulatedDevice) -> Moment { Moment(monotonic: now, wall: date(on: device)) }

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
        let timers = devices.indices.compactMap { index in
            devices[index].machine?.deadline.map { (max(now, $0), index) }
        }
        let timer = timers.min { $0 < $1 }
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
        if let deadline = devices[device].machine?.deadline, deadline <= now { now = now + .milliseconds(1) }
        return true
    }

    // MARK: The network

    private func happen(_ item: Item) {
        switch item {
        case .event(let device, let event): deliver(device, event)
        case .open(let number): open(number)
        case .bytes(let number, let end, let bytes):
            guard ends[end] != nil, let connection = connections[number] else { return }
            guard !muted.contains([connection.dialler.device, connection.listener.device]) else { return }
            guard connections[number]!.admitted.contains(end) else {
                connections[number]!.held[end, default: []].append(bytes)
                return
            }
            deliver(end.device, .transport(.received(end.id, bytes)))
        case .close(let number, let end, let reason):
            // Across a muted network only the side that closed a connection notices its end.
            if reason != "closed", let connection = connections[number],
                muted.contains([connection.dialler.device, connection.listener.device])
            {
                return
            }
            guard ends.removeValue(forKey: end) != nil else { return }
            deliver(end.device, .transport(.closed(end.id, reason: reason)))
        }
    }

    private func open(_ number: Int) {
        guard let connection = connections[number] else { return }
        let (from, to) = (connection.dialler, connection.listener)
        ends[from] = number
        ends[to] = number
        deliver(
            to.device,
            .transport(
                .opened(
                    to.id, purpose: connection.purpose, peerKey: devices[from.device].signer.publicKey,
                    remote: PeerAddress(host: devices[from.device].host, port: 40_000), dialled: false)))
        deliver(
            from.device,
            .transport(
                .opened(
                    from.id, purpose: connection.purpose, peerKey: devices[to.device].signer.publicKey,
                    remote: address(of: devices[to.device]), dialled: true)))
    }

    private func dial(_ id: ConnectionID, _ address: PeerAddress, _ purpose: LinkPurpose, from device: Int) {
        let target = devices.firstIndex { $0.host == address.host }
        guard let target, devices[target].isRunning, !parted.contains([device, target]) else {
            agenda.add(.event(device: device, .transport(.dialFailed(id, reason: "unreachable"))), at: now + transit())
            return
        }
        guard !muted.contains([device, target]) else {
            agenda.add(.event(device: device, .transport(.dialFailed(id, reason: "no answer"))), at: now + .seconds(5))
            return
        }
        let number = nextConnection
        nextConnection += 1
        connections[number] = VirtualConnection(
            dialler: .init(device: device, id: id),
            listener: .init(device: target, id: ConnectionID(rawValue: 1 << 63 | UInt64(number))), purpose: purpose)
        agenda.add(.open(number), at: now + transit())
    }

    private func perform(_ action: TransportAction, from device: Int) {
        switch action {
        case .dial(let id, let address, let purpose): dial(id, address, purpose, from: device)
        case .admit(let id):
            let end = VirtualConnection.End(device: device, id: id)
            guard let number = ends[end] else { return }
            connections[number]!.admitted.insert(end)
            for bytes in connections[number]!.held.removeValue(forKey: end) ?? [] {
                agenda.add(.bytes(number, to: end, bytes), at: now)
            }
        // The network in memory delivers whatever is sent.
        case .resume: break
        case .send(let id, let bytes):
            let end = VirtualConnection.End(device: device, id: id)
            guard let number = ends[end], let connection = connections[number] else { return }
            agenda.add(.bytes(number, to: connection.other(end), bytes), at: arrival(number, connection.other(end)))
        case .close(let id):
            let end = VirtualConnection.End(device: device, id: id)
            guard let number = ends[end], let connection = connections[number] else { return }
            let other = connection.other(end)
            agenda.add(.close(number, at: other, "closed by the other side"), at: arrival(number, other))
            agenda.add(.close(number, at: end, "closed"), at: now)
        }
    }

    private func arrival(_ number: Int, _ end: VirtualConnection.End) -> MonotonicTime {
        let time = max(now + transit(), connections[number]!.free[end] ?? 0)
        connections[number]!.free[end] = time
        return time
    }

    private func transit() -> Duration { .milliseconds(Int64.random(in: delay, using: &random)) }

    // MARK: The machines

    func deliver(_ index: Int, _ event: AgentEvent) {
        let device = devices[index]
        guard device.isRunning else { return }
        note(index, Self.describe(event))
        device.files.setTime(date(on: device))
        let actions = device.machine!.handle(event, now: moment(on: device))
        for action in actions {
            switch action {
            case .transport(let action):
                note(index, "  \(Self.describe(action))")
                perform(action, from: index)
            case .watch(let paths): device.watched = paths
            case .announce: break
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

    private static func describe(_ event: AgentEvent) -> String {
        guard case .transport(.received(let id, let bytes)) = event else { return "\(event)" }
        return "received \(id) \(bytes.count) \(hash(bytes))"
    }

    private static func describe(_ action: TransportAction) -> String {
        guard case .send(let id, let bytes) = action else { return "\(action)" }
        return "send \(id) \(bytes.count) \(hash(bytes))"
    }

    /// The trace depends on every byte by this without holding them.
    private static func hash(_ bytes: [UInt8]) -> String { String(FNV1a(bytes).value, radix: 16) }
}
