import HouseholdAgent
import MergeCore
import Testing

/// When an address is dialled again.
@Suite struct DialPlanTests {
    private let address = PeerAddress(host: "deck", port: 1)
    private let device: [UInt8] = [1, 2, 3]

    /// Dials whenever it is time, for a while; each connection reaches the device and stands so long. Returns the
    /// times between a link's end and the next dial.
    private func pauses(lasting: Duration, for time: Duration) -> [Duration] {
        var plan = DialPlan()
        var now: MonotonicTime = 0
        plan.want(address, .named, now: now)
        var pauses: [Duration] = []
        let end = now + time
        while now < end {
            guard let due = plan.deadline(connected: []) else { break }
            pauses.append(due - now)
            now = max(now, due)
            #expect(plan.due(now: now, connected: []) == [address])
            let connection = plan.dial(address, .sync, now: now)
            plan.opened(connection)
            plan.reached(connection, device: device, now: now)
            let opened = now
            now = now + lasting
            plan.lost(device, opened: opened, now: now) { $0 / 2 }
            plan.ended(connection, now: now) { $0 / 2 }
        }
        return pauses
    }

    /// A device that ends every link at once is dialled ever less often.
    @Test func whoEndsEveryLinkAtOnceIsDialledEverLessOften() {
        let short = pauses(lasting: .milliseconds(10), for: .seconds(5))
        #expect(short.count <= 6, "\(short)")
        let long = pauses(lasting: .milliseconds(10), for: .seconds(600))
        #expect(long.last ?? .zero > .seconds(15) && long.allSatisfy { $0 <= DialPlan.longestDelay }, "\(long)")
    }

    /// A device that was connected and goes is dialled at once when it may be back, however often.
    @Test func whoWasConnectedIsDialledSoonAgain() {
        let pauses = pauses(lasting: .seconds(20), for: .seconds(600))
        #expect(pauses.count > 20 && pauses.allSatisfy { $0 <= .milliseconds(500) }, "\(pauses)")
    }

    /// Also one that nobody dials, since another address of the instance led to the device, and one that cannot be dialled,
    /// since the device is behind a firewall and dialled this one. Anybody can announce the addresses of others: where two
    /// devices are behind the instances of an address, it is nobody's.
    @Test func anAddressBelongsToTheDeviceOfItsInstance() {
        var plan = DialPlan()
        let (v4, v6) = (PeerAddress(host: "10.0.0.2", port: 1), PeerAddress(host: "fe80::1", port: 1))
        let other = PeerAddress(host: "10.0.0.3", port: 1)
        func reach(_ address: PeerAddress, _ device: [UInt8]) {
            let connection = plan.dial(address, .sync, now: 0)
            plan.opened(connection)
            plan.reached(connection, device: device, now: 0)
        }
        plan.want(v4, .remembered, now: 0)
        plan.replace("deck", with: [v4, v6], now: 0)
        #expect(plan.known().map(\.owner) == [nil, nil])
        #expect(plan.known(linked: ["fe80::1": [device]]).map(\.owner) == [device, device])
        #expect(plan.known(linked: ["fe80::1": [device, [9]]]).map(\.owner) == [nil, nil], "two are on that host")
        reach(v4, device)
        #expect(plan.known().map(\.address) == [v4, v6] && plan.known().map(\.device) == [device, nil])
        #expect(plan.known().map(\.owner) == [device, device])
        plan.replace("forged", with: [other, v6], now: 0)
        reach(other, [9])
        #expect(plan.known().map(\.owner) == [device, [9], nil])
    }

    /// A device that is seen at two addresses is dialled at one of them, and at the other where that takes long.
    @Test func theAddressesOfAnInstanceAreDialledOneAfterTheOther() {
        var plan = DialPlan()
        let (v4, v6) = (PeerAddress(host: "10.0.0.2", port: 1), PeerAddress(host: "fe80::1", port: 1))
        let other = PeerAddress(host: "10.0.0.3", port: 1)
        let late = MonotonicTime(0) + DialPlan.headStart
        plan.replace("deck", with: [v6, v4], now: 0)
        plan.replace("nas", with: [other], now: 0)
        #expect(plan.due(now: 0, connected: []) == [v4, other])
        let first = plan.dial(v4, .sync, now: 0)
        _ = plan.dial(other, .sync, now: 0)
        #expect(plan.due(now: 0, connected: []) == [])
        #expect(plan.deadline(connected: []) == late)
        #expect(plan.due(now: late, connected: []) == [v6], "the first one takes long")

        plan.opened(first)
        plan.reached(first, device: device, now: 100)
        let open = MonotonicTime(100)
        let gone = open + .seconds(60)
        #expect(plan.due(now: gone, connected: [device]) == [], "a link to the device is there")
        plan.ended(first, now: gone) { $0 / 2 }
        plan.lost(device, opened: open, now: gone) { $0 / 2 }
        #expect(Set(plan.due(now: gone + .seconds(1), connected: [])) == [v4], "it is tried again, by one address")
    }

    /// Where an address leads nowhere, the next one is dialled at once.
    @Test func anAddressThatLeadsNowhereHoldsUpNoOther() {
        var plan = DialPlan()
        let (v4, v6) = (PeerAddress(host: "10.0.0.2", port: 1), PeerAddress(host: "fe80::1", port: 1))
        plan.replace("deck", with: [v4, v6], now: 0)
        let first = plan.dial(v4, .sync, now: 0)
        #expect(plan.failed(first) == .sync)
        plan.ended(first, now: 10) { $0 / 2 }
        #expect(plan.due(now: 10, connected: []) == [v6])
    }

    /// A stranger publishes an instance with the addresses of two devices: neither is kept from being dialled.
    @Test func anInstanceOfAStrangerHoldsUpNobody() {
        var plan = DialPlan()
        let (deck, nas) = (PeerAddress(host: "10.0.0.2", port: 1), PeerAddress(host: "10.0.0.3", port: 1))
        let trap = PeerAddress(host: "10.0.0.1", port: 1)
        plan.replace("stranger", with: [trap, nas, deck], now: 0)
        plan.replace("nas", with: [nas], now: 0)
        plan.replace("deck", with: [deck], now: 0)
        _ = plan.dial(trap, .sync, now: 0)
        #expect(plan.due(now: 0, connected: []) == [deck, nas])
        let link = plan.dial(nas, .sync, now: 0)
        plan.opened(link)
        plan.reached(link, device: device, now: 0)
        #expect(plan.due(now: 0, connected: [device]) == [deck])
    }

    // MARK: What came of it

    @Test func anOutcomeIsAwaited_untilADialHasEndedSince() {
        var plan = DialPlan()
        plan.want(address, .named, now: 0)
        #expect(plan.awaitsOutcome(since: 10, connected: []) && plan.known().map(\.outcome) == [nil])
        let connection = plan.dial(address, .sync, now: 0)
        #expect(plan.awaitsOutcome(since: 10, connected: []))
        #expect(plan.failed(connection) == .sync)
        plan.note(.failed("nothing listens there"), of: connection, now: 20)
        plan.ended(connection, now: 20) { $0 / 2 }
        #expect(!plan.awaitsOutcome(since: 10, connected: []) && plan.awaitsOutcome(since: 21, connected: []))
        #expect(plan.known().map(\.outcome) == [.failed("nothing listens there")])
    }

    @Test func whoIsConnectedIsNotAwaited() {
        var plan = DialPlan()
        plan.want(address, .discovered("deck"), now: 0)
        let connection = plan.dial(address, .sync, now: 0)
        plan.opened(connection)
        plan.reached(connection, device: device, now: 5)
        #expect(!plan.awaitsOutcome(since: 10, connected: [device]))
        #expect(plan.known() == [DialPlan.Known(address, device: device, isDiscovered: true, .reached(device))])
    }

    @Test func anAddressOfThisDeviceItselfIsNone() {
        var plan = DialPlan()
        plan.want(address, .remembered, now: 0)
        plan.foundItself(at: address)
        #expect(plan.known() == [] && !plan.awaitsOutcome(since: 10, connected: []))
    }
}
