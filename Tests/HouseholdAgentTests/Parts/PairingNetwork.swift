import HouseholdSimulation
import MergeCore
import SyncProtocol
import TestSupport
import Testing

@testable import HouseholdAgent

/// A device of which there is its pairing alone, and what came of it.
final class PairingDevice {
    let name: String
    let address: PeerAddress
    var pairing = Pairing()
    /// Whether its record can be written.
    var canStore = true
    fileprivate(set) var replies: [RequestID: [String]] = [:]
    fileprivate(set) var results: [PairingResult] = []
    /// Where the device of the last result was reached; `nil` where that one dialled.
    fileprivate(set) var typedAt: PeerAddress?
    fileprivate(set) var merges = 0
    fileprivate(set) var logs: [String] = []
    /// What it dialled, and when.
    fileprivate(set) var dials: [(address: PeerAddress, at: MonotonicTime)] = []
    /// How often it sent something.
    fileprivate(set) var sends = 0
    fileprivate let signer: SeededSigner
    fileprivate var roster: Roster
    fileprivate var secret: [UInt8]

    fileprivate init(_ name: String, number: UInt64) {
        self.name = name
        address = PeerAddress(host: "10.0.0.\(number)", port: 7_000)
        signer = SeededSigner(seed: number)
        roster = Roster(me: signer.key, name: name, household: HouseholdID(high: number, low: number))
        secret = [UInt8](repeating: UInt8(number), count: 32)
    }
}

/// Devices whose pairings are wired to each other: what one sends the other receives, in order. Time passes by hand.
final class PairingNetwork {
    private enum Event {
        case opened
        case bytes([UInt8])
        case closed(String)
    }

    private struct Delivery {
        let connection: ConnectionID
        let device: PairingDevice
        var event: Event
    }

    private(set) var now: MonotonicTime = 0
    /// The date at ``now``.
    private var date: WallTime { 1_700_000_000_000 + (now - 0) }
    /// What the devices' tick is told of discovery.
    var trouble: String?
    private var devices: [PairingDevice] = []
    private var lines: [ConnectionID: (dialler: PairingDevice, listener: PairingDevice)] = [:]
    private var queue: [Delivery] = []
    private var lastConnection: UInt64 = 0
    private var random = SeededRandom(seed: 1)

    func device(_ name: String) -> PairingDevice {
        devices.append(PairingDevice(name, number: UInt64(devices.count + 1)))
        return devices[devices.count - 1]
    }

    // MARK: What people do

    func show(_ code: PairingCode, on device: PairingDevice, for request: UInt64) {
        perform(
            device.pairing.show(
                code, at: [], for: RequestID(rawValue: request), now: Moment(monotonic: now, wall: date)),
            by: device)
    }

    /// - Parameter other: The device whose address is given; `nil` where it is to be found.
    func type(_ code: PairingCode, on device: PairingDevice, at other: PairingDevice? = nil, for request: UInt64) {
        let typed = TypedCode(code, at: [other?.address].compactMap { $0 }, isAddressGiven: other != nil, now: now)
        device.pairing.type(typed, for: RequestID(rawValue: request))
        tick(device)
    }

    /// Devices that show a code are seen by another.
    func find(_ found: [PairingDevice], by device: PairingDevice) {
        device.pairing.found(found.map(\.address))
        tick(device)
    }

    // MARK: Passing on

    /// Passes on what was sent until nothing is left, or until it is enough.
    func run(until isEnough: () -> Bool = { false }) {
        for _ in 0..<1_000 {
            guard !queue.isEmpty, !isEnough() else { return }
            take(queue.removeFirst())
        }
        Issue.record("the devices do not come to an end")
        queue = []
    }

    /// Lets time pass, from one deadline of the devices to the next.
    func pass(_ milliseconds: Int64) {
        let end = now + .milliseconds(milliseconds)
        for _ in 0..<100 {
            run()
            guard let next = devices.compactMap(\.pairing.deadline).min(), next <= end else {
                now = end
                return
            }
            now = max(now, next)
            devices.forEach(tick)
        }
        Issue.record("a deadline does not pass")
    }

    /// Lets time pass while everything that was sent is still under way.
    func advance(to time: MonotonicTime) {
        now = time
        devices.forEach(tick)
    }

    /// The time passes for one device alone.
    func advance(_ device: PairingDevice, to time: MonotonicTime) {
        perform(device.pairing.tick(now: time, trouble: trouble), by: device)
    }

    /// What was sent over a connection arrives in one piece.
    func joinBytes() {
        var joined: [Delivery] = []
        for delivery in queue {
            if let last = joined.last, last.connection == delivery.connection, last.device === delivery.device,
                case .bytes(let first) = last.event, case .bytes(let second) = delivery.event
            {
                joined[joined.count - 1].event = .bytes(first + second)
            } else {
                joined.append(delivery)
            }
        }
        queue = joined
    }

    /// Every connection is cut; what was sent and did not arrive is lost.
    func cut() {
        queue = []
        for (id, line) in lines.sorted(by: { $0.key < $1.key }) { end(id, line, "the network is gone") }
    }

    // MARK: A hand at the other end

    /// Connects to a device and says nothing; `nil` where it closed at once.
    func knock(at device: PairingDevice, from other: PeerAddress, dialled: Bool = false) -> ConnectionID? {
        let id = freshConnection()
        let effects = open(id, device, peer: SeededSigner(seed: 1_000 + id.rawValue).key, remote: other, dialled)
        perform(effects, by: device)
        return effects.contains { if case .transport(.admit) = $0 { true } else { false } } ? id : nil
    }

    func hangUp(_ id: ConnectionID, at device: PairingDevice) {
        perform(device.pairing.ended(id, "it hung up", now: now), by: device)
    }

    // MARK: Inside

    private func tick(_ device: PairingDevice) { advance(device, to: now) }

    private func take(_ delivery: Delivery) {
        let (id, device) = (delivery.connection, delivery.device)
        switch delivery.event {
        case .opened:
            guard let (dialler, listener) = lines[id] else { break }
            let other = device === dialler ? listener : dialler
            perform(open(id, device, peer: other.signer.key, remote: other.address, device === dialler), by: device)
        case .bytes(let bytes): perform(device.pairing.received(bytes, on: id, now: now), by: device)
        case .closed(let reason): perform(device.pairing.ended(id, reason, now: now), by: device)
        }
        tick(device)
    }

    private func open(
        _ id: ConnectionID, _ device: PairingDevice, peer: DeviceKey, remote: PeerAddress, _ dialled: Bool
    ) -> [Pairing.Effect] {
        let (signer, roster, secret, now) = (device.signer, device.roster, device.secret, now)
        let nonce = (0..<32).map { _ in random.next() as UInt8 }
        let chance = random.next()
        return device.pairing.opened(id, remote: remote, dialled: dialled, chance: chance, now: now) { role, code in
            PairingMachine(
                role, signer: signer, peer: peer, code: code, roster: roster, secret: secret, nonce: nonce, now: now)
        }
    }

    private func perform(_ effects: [Pairing.Effect], by device: PairingDevice) {
        for effect in effects {
            switch effect {
            case .transport(.send(let id, let bytes)): send(bytes, over: id, from: device)
            case .transport(.close(let id)):
                if let line = lines[id] { end(id, line, "the connection was closed") }
            case .transport: break
            case .dial(let request, let address): dial(address, request, device)
            case .store(let id, let result, let address): store(result, id, address, device)
            case .merge: device.merges += 1
            case .reply(let request, let reply): device.replies[request, default: []].append(Self.text(reply))
            case .log(let line): device.logs.append(line.message)
            }
        }
    }

    private func send(_ bytes: [UInt8], over id: ConnectionID, from device: PairingDevice) {
        device.sends += 1
        guard let (dialler, listener) = lines[id] else { return }
        let other = device === dialler ? listener : dialler
        queue.append(Delivery(connection: id, device: other, event: .bytes(bytes)))
    }

    private func end(
        _ id: ConnectionID, _ line: (dialler: PairingDevice, listener: PairingDevice), _ reason: String
    ) {
        lines[id] = nil
        for device in [line.dialler, line.listener] {
            queue.append(Delivery(connection: id, device: device, event: .closed(reason)))
        }
    }

    private func dial(_ address: PeerAddress, _ request: RequestID, _ device: PairingDevice) {
        let id = freshConnection()
        device.dials.append((address, now))
        device.pairing.dialling(address, for: request, as: id)
        guard let other = devices.first(where: { $0.address == address }) else {
            return queue.append(Delivery(connection: id, device: device, event: .closed("nobody answers")))
        }
        lines[id] = (device, other)
        for end in [other, device] { queue.append(Delivery(connection: id, device: end, event: .opened)) }
    }

    private func store(_ result: PairingResult, _ id: ConnectionID, _ address: PeerAddress?, _ device: PairingDevice) {
        guard device.canStore else { return perform(device.pairing.notStored(id, now: now), by: device) }
        (device.roster, device.secret, device.typedAt) = (result.roster, result.secret, address)
        device.results.append(result)
        let report = DeviceReport(
            id: result.peer.id.description, name: result.peerName, isThisDevice: false, connected: false)
        perform(device.pairing.stored(id, as: report, now: now), by: device)
    }

    private func freshConnection() -> ConnectionID {
        lastConnection += 1
        return ConnectionID(rawValue: lastConnection)
    }

    private static func text(_ reply: AgentReply) -> String {
        switch reply {
        case .event(let shown as PairingCodeMessage): "\(shown.code) until \(shown.expires)"
        case .response(let paired as PairedDevice): "paired with \(paired.device.name)"
        case .failure(_, let why): why
        default: "\(reply)"
        }
    }
}
