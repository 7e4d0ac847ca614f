package import MergeCore

/// The plan of dialling: the wanted addresses, when to dial each, and the dials that are under way.
///
/// An address is dialled while it is wanted and there is no connection through it, with exponential back-off and jitter
/// (a random half to all of the delay, so that two devices do not dial each other in lockstep forever). A device that
/// was connected a moment ago, or was just discovered, may be back at any moment: for a minute its delay stays short. A
/// device whose links end as soon as they begin, because it breaks the protocol or removed this one, is dialled less
/// and less often.
///
/// A device is often seen at several addresses at once. They are dialled one after the other, as RFC 8305 (Happy
/// Eyeballs) does, and no longer once one of them led to a link: each further connection would replace the one before.
package struct DialPlan: Sendable {
    /// The time before the second try, and the longest time between two tries.
    package static let firstDelay = Duration.milliseconds(500)
    package static let longestDelay = Duration.seconds(30)
    /// The longest delay while a device may be back at any moment, and for how long it applies.
    package static let soonDelay = Duration.seconds(2)
    package static let soonTime = Duration.seconds(60)
    /// The time that a link must have lasted for the back-off to restart after its end.
    package static let steadyTime = Duration.seconds(5)
    /// The time that a dial has before the next address of the same instance is dialled beside it.
    package static let headStart = Duration.milliseconds(500)
    /// The largest number of remembered addresses.
    package static let limit = 1_024

    private(set) var targets: [PeerAddress: DialTarget] = [:]
    /// The dials that are under way and have neither succeeded nor failed.
    private var dials: [ConnectionID: LinkPurpose] = [:]
    private var nextConnection: UInt64 = 1
    /// Addresses at which this device reached itself.
    private(set) var ownAddresses: Set<PeerAddress> = []

    package init() {}

    package mutating func want(_ address: PeerAddress, _ source: Source, now: MonotonicTime) {
        guard targets[address] != nil || targets.count < Self.limit else { return }
        targets[address, default: DialTarget(now: now)].want(source, now: now)
    }

    /// Removes a source. An address that no other source wants is dropped.
    package mutating func forget(_ source: Source) {
        for address in targets.keys { forget(source, of: address) }
    }

    private mutating func forget(_ source: Source, of address: PeerAddress) {
        targets[address]?.forget(source)
        if targets[address]?.isOver == true { targets[address] = nil }
    }

    /// Replaces all addresses that discovery has shown for one instance.
    package mutating func replace(_ instance: String, with addresses: [PeerAddress], now: MonotonicTime) {
        let shown = targets.filter { $0.value.sources.contains(.discovered(instance)) }.keys
        for address in shown where !addresses.contains(address) { forget(.discovered(instance), of: address) }
        for address in addresses { want(address, .discovered(instance), now: now) }
    }

    /// Makes an address due at once, with the back-off at its start.
    package mutating func hurry(_ address: PeerAddress, now: MonotonicTime) { targets[address]?.hurry(now: now) }

    /// The last connection to a device is gone, whichever side dialled: its addresses are tried again soon, unless the
    /// connection ended as soon as it began.
    ///
    /// - Parameters:
    ///   - known: The remembered address of the device, which may never have been dialled.
    ///   - opened: The time when the connection was made.
    package mutating func lost(
        _ device: [UInt8], at known: PeerAddress? = nil, opened: MonotonicTime, now: MonotonicTime,
        jitter: (Duration) -> Duration
    ) {
        guard opened + Self.steadyTime <= now else { return }
        for address in targets.keys.sorted(by: { $0.description < $1.description })
        where targets[address]!.device == device || address == known {
            targets[address]!.lost(now: now, jitter: jitter)
        }
    }

    package mutating func hurryAll(now: MonotonicTime) {
        for address in targets.keys { hurry(address, now: now) }
    }

    /// Addresses to dial now, in a fixed order, at most one of each instance. Each must be followed by
    /// ``dial(_:_:now:)``.
    package func due(now: MonotonicTime, connected: [[UInt8]]) -> [PeerAddress] {
        // Mostly there is none, which is seen at once.
        guard targets.values.contains(where: { $0.connection == nil && $0.next <= now }) else { return [] }
        var taken = Set<String>()
        return waiting(connected).filter { $0.time <= now }.sorted { $0.address.description < $1.address.description }
            .filter { waiting in
                defer { taken.formUnion(waiting.instances) }
                return !isKnown(waiting.instances, in: taken)
            }.map(\.address)
    }

    package func deadline(connected: [[UInt8]]) -> MonotonicTime? { waiting(connected).map(\.time).min() }

    /// Notes that an address is dialled. Returns the id of the new connection.
    package mutating func dial(_ address: PeerAddress, _ purpose: LinkPurpose, now: MonotonicTime) -> ConnectionID {
        let connection = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        dials[connection] = purpose
        if purpose == .sync { targets[address]?.dialled(as: connection, now: now) }
        return connection
    }

    /// Whether a dial is under way (for this purpose, where one is given).
    package func isDialling(_ purpose: LinkPurpose? = nil) -> Bool {
        purpose.map { dials.values.contains($0) } ?? !dials.isEmpty
    }

    /// Whether a link may come of a dial that is under way, or that begins until a time.
    package func mayLink(until time: MonotonicTime, connected: [[UInt8]]) -> Bool {
        isDialling(.sync) || waiting(connected).contains { $0.time <= time }
    }

    /// Notes that a dial succeeded.
    package mutating func opened(_ connection: ConnectionID) { dials[connection] = nil }

    /// Notes that a dial failed. Returns its purpose; `nil` where the connection was not being dialled.
    package mutating func failed(_ connection: ConnectionID) -> LinkPurpose? { dials.removeValue(forKey: connection) }

    /// Notes that this device was reached at an address: the address is not dialled again while the agent runs.
    package mutating func foundItself(at address: PeerAddress) { ownAddresses.insert(address) }

    /// Notes that a connection reached a device.
    package mutating func reached(_ connection: ConnectionID, device: [UInt8], now: MonotonicTime) {
        guard let address = address(of: connection) else { return }
        targets[address]!.reached(device, now: now)
    }

    /// Notes how a dial ended that reached no device of the household.
    package mutating func note(_ outcome: Outcome, of connection: ConnectionID, now: MonotonicTime) {
        guard let address = address(of: connection) else { return }
        targets[address]!.note(outcome, now: now)
    }

    /// Notes that a connection is gone, or was never established, and plans the next try.
    package mutating func ended(_ connection: ConnectionID, now: MonotonicTime, jitter: (Duration) -> Duration) {
        guard let address = address(of: connection) else { return }
        targets[address]!.ended(now: now, jitter: jitter)
        if targets[address]!.isOver { targets[address] = nil }
    }

    package func address(of connection: ConnectionID) -> PeerAddress? {
        targets.first { $0.value.connection == connection }?.key
    }

    /// Whether the result of some dial is missing: of an address that is due or is being dialled, no dial has ended
    /// since a time.
    package func awaitsOutcome(since time: MonotonicTime, connected: [[UInt8]]) -> Bool {
        let dialled = targets.values.filter { $0.connection.map { dials[$0] != nil } ?? false }
        let due = waiting(connected).compactMap { targets[$0.address] }
        return (due + dialled).contains { ($0.outcome?.at ?? .min) < time }
    }

    /// The addresses that have no connection, and the time at which each is dialled. None of a device that is connected.
    private func waiting(
        _ connected: [[UInt8]]
    ) -> [(address: PeerAddress, time: MonotonicTime, instances: [String])] {
        // A few keys are compared sooner than they are hashed.
        let many = connected.count > 8 ? Set(connected) : nil
        func isConnected(_ device: [UInt8]) -> Bool { many?.contains(device) ?? connected.contains(device) }
        // Mostly each address is one of a linked device, which is seen at once.
        guard targets.values.contains(where: { $0.connection == nil && $0.device.map(isConnected) != true }) else {
            return []
        }
        var reached = Set<String>()
        var dialled: [String: MonotonicTime] = [:]
        for target in targets.values {
            if let device = target.device, isConnected(device) { reached.formUnion(target.instances) }
            guard target.isDialled, let began = target.dialledAt else { continue }
            for instance in target.instances { dialled[instance] = max(dialled[instance] ?? began, began) }
        }
        return targets.compactMap { address, target in
            let instances = target.instances
            let leadsToLink = target.device.map(isConnected) ?? isKnown(instances, in: reached)
            guard target.connection == nil, !ownAddresses.contains(address), !leadsToLink else { return nil }
            let begun = instances.compactMap { dialled[$0] }
            let waits = !begun.isEmpty && begun.count == instances.count
            return (address, waits ? max(target.next, begun.min()! + Self.headStart) : target.next, instances)
        }
    }

    /// Whether all instances of an address are among some.
    private func isKnown(_ instances: [String], in some: Set<String>) -> Bool {
        !instances.isEmpty && some.isSuperset(of: instances)
    }
}
