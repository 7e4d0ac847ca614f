import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// What of the roster goes from agent to agent: all hold the same in the end, and what is held is not sent again.
@Suite struct HouseholdRosterTests {
    private let home = Home(seed: 21)

    private func roster(_ device: SimulatedDevice) throws -> Roster {
        try #require(device.machine?.household.roster)
    }

    private func expectSame(_ devices: [SimulatedDevice], _ members: Int) throws {
        let first = try roster(devices[0])
        #expect(first.members.count == members)
        for device in devices.dropFirst() {
            let statements = try roster(device).statements
            #expect(statements == first.statements, "\(device.name)")
        }
    }

    /// The bytes that a new link of two devices costs until both are quiet.
    private func reconnect(_ a: SimulatedDevice, _ b: SimulatedDevice) -> Int {
        home.household.part(a, b)
        home.household.run(milliseconds: 30_000)
        let before = home.household.traffic.bytes
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        return home.household.traffic.bytes - before
    }

    @Test func whoHoldTheSameSendNothingOfItAtAReconnect() throws {
        let devices = try ["laptop", "deck", "tv", "phone"].map { try home.device($0) }
        for other in devices.dropFirst() { try home.pair(devices[0], other) }
        home.household.run(milliseconds: 120_000)
        try expectSame(devices, 4)
        let statements = try roster(devices[0]).statements
        #expect(statements.count >= 12)
        let cost = reconnect(devices[0], devices[1])
        #expect(cost > 0 && cost < 500, "each statement alone has some 200 bytes")
    }

    /// A third device is paired while one is away; the one that was away takes it in when it comes back, and links to it.
    @Test func whoWasAwayHearsOfAThirdDevice() throws {
        let (laptop, deck, phone) = (try home.device("laptop"), try home.device("deck"), try home.device("phone"))
        try home.pair(laptop, deck)
        home.household.run(milliseconds: 10_000)
        home.household.part(laptop, deck)
        home.household.part(deck, phone)
        try home.pair(laptop, phone)
        home.household.run(milliseconds: 10_000)
        let isKnown = try roster(deck).contains(phone.signer.key)
        #expect(!isKnown)
        for other in [laptop, phone] { home.household.part(deck, other, false) }
        home.household.run(milliseconds: 180_000)
        try expectSame([laptop, deck, phone], 3)
        let cost = reconnect(laptop, deck)
        #expect(cost > 0 && cost < 500)
    }

    /// Of a removal that one missed it hears before anything else; the removed device is told by nobody that it is let in.
    @Test func aRemovalReachesWhoWasAway() throws {
        let (laptop, deck, lost) = (try home.device("laptop"), try home.device("deck"), try home.device("lost"))
        try home.pair(laptop, deck)
        try home.pair(laptop, lost)
        home.household.run(milliseconds: 60_000)
        for other in [laptop, lost] { home.household.part(deck, other) }
        let id = home.household.ask(UnpairRequest(device: "lost"), on: laptop)
        guard case .response(is RemovedDevice)? = laptop.replies[id]?.last else { throw Home.Failure("not removed") }
        home.household.run(milliseconds: 60_000)
        let isStillIn = try roster(deck).contains(lost.signer.key)
        #expect(isStillIn)
        let isTold = try roster(lost).isRemoved(lost.signer.key)
        #expect(isTold, "it was linked when it was removed")
        // Its player is told why nothing comes, at once, and not that the others should be switched on.
        guard case .failure(_, let why) = try home.reply(to: SyncRequest(), on: lost) else {
            throw Home.Failure("synced")
        }
        #expect(why.hasPrefix("this device was removed from its household"))
        home.household.part(deck, laptop, false)
        home.household.run(milliseconds: 120_000)
        try expectSame([laptop, deck], 2)
        let secrets = (laptop.machine?.household.secret, deck.machine?.household.secret)
        #expect(secrets.0 == secrets.1 && lost.machine?.household.secret != secrets.0)
    }

    /// After a pairing each device confirms it, and passes on what all others confirm: together, and not one by one.
    @Test func manyDevicesComeTogetherWithFewMessages() throws {
        let devices = try (1...12).map { try home.device("device \($0)") }
        for other in devices.dropFirst() {
            try home.pair(devices[0], other)
            home.household.run(milliseconds: 1_000)
        }
        home.household.run(milliseconds: 120_000)
        try expectSame(devices, devices.count)
        let statements = try roster(devices[0]).statements.count
        let (messages, bytes) = home.household.traffic
        // Each device is told each statement once, and each pairing at once; with what keeps the links up besides.
        #expect(messages < 10 * devices.count * devices.count)
        #expect(bytes < 2 * statements * devices.count * 250, "\(bytes) bytes for \(statements) statements")
    }
}
