import HouseholdAgent
import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdSimulation

/// A line of devices, the ends of which never meet: what is said of the far one is true, and is its own
/// acknowledgement.
@Suite struct RelayedAckTests {
    private static let path = "/saves/player.json"
    private let path = RelayedAckTests.path
    private let start = #"{"coins":100,"grid":7}"#

    /// A household in which only devices that stand side by side can reach each other.
    private struct Line {
        let home: Home
        let devices: [SimulatedDevice]

        init(_ names: String...) throws {
            home = Home(seed: 21)
            devices = try names.map { [home] in try home.device($0) }
            for (one, two) in zip(devices, devices.dropFirst()) { try home.pair(one, two) }
            for one in devices.indices {
                for two in devices.indices where two > one + 1 { home.household.part(devices[one], devices[two]) }
            }
            let path = RelayedAckTests.path
            let rules = try home.rules([("/coins", MergeRule(.counter))])
            try home.add(path, #"{"coins":100,"grid":7}"#, rules: rules, on: devices[0])
            home.household.run(milliseconds: 5_000)
            for device in devices.dropFirst() { try home.restore(path, on: device) }
            home.household.run(milliseconds: 5_000)
        }

        func answer(_ request: any AgentRequest, _ device: SimulatedDevice) -> AgentReply? {
            let id = home.household.ask(request, on: device)
            _ = home.household.run(until: { device.replies[id] != nil })
            return device.replies[id]?.last
        }

        func sync(_ device: SimulatedDevice) throws -> SyncReport {
            let reply = answer(SyncRequest(profile: nil), device)
            guard let report = reply?.message(SyncReport.self) else { throw Home.Failure("not synced") }
            return report
        }

        /// Whom status names as behind.
        func behind(_ device: SimulatedDevice) throws -> [String]? {
            guard let report = answer(StatusRequest(), device)?.message(StatusReport.self) else {
                throw Home.Failure("no status")
            }
            return try #require(report.profiles.first).behind
        }

        /// How long a sync took, and that it found everybody in step.
        func syncTime(_ device: SimulatedDevice, sourceLocation: SourceLocation = #_sourceLocation) throws -> Duration {
            let before = home.household.now
            let report = try sync(device)
            let others = devices.filter { $0 !== device }.map(\.name).sorted()
            #expect(report.inStep.sorted() == others && report.behind == [], sourceLocation: sourceLocation)
            #expect(report.filesBehind == nil && report.troubles == nil, sourceLocation: sourceLocation)
            return home.household.now - before
        }
    }

    /// The map of the household: who is linked with whom, as far as it can be known here.
    @Test func itIsKnownWhichDeviceIsLinkedWithTheFarOne() throws {
        let line = try Line("laptop", "hub", "deck")
        func through(_ name: String) throws -> [String]? {
            let status = try #require(line.answer(StatusRequest(), line.devices[0])?.message(StatusReport.self))
            let ids = try #require(status.household.first { $0.name == name }).reachedThrough
            return ids?.map { id in status.household.first { $0.id == id }?.name ?? id }
        }
        #expect(try through("deck") == ["hub"])
        // A device of this one's own links is reached through nobody.
        #expect(try through("hub") == nil)
        line.home.household.part(line.devices[1], line.devices[2])
        line.home.household.run(milliseconds: 120_000)
        #expect(try through("deck") == nil)
    }

    @Test func theFarDeviceIsInStepOnceItHasIt() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, c) = (line.home.household, line.devices[0], line.devices[2])
        for device in line.devices { #expect(try line.syncTime(device) < .seconds(1), "from \(device.name)") }
        household.save(start.replacing("100", with: "130"), to: path, on: a)
        #expect(try line.syncTime(a) < .seconds(3))
        #expect(household.text(of: path, on: c)?.contains("130") == true, "sync waited for the far device")
        for device in line.devices { #expect(try line.behind(device) == nil, "on \(device.name)") }
    }

    @Test func aLineOfFourIsNoOther() throws {
        let line = try Line("laptop", "hub", "desktop", "deck")
        line.home.household.save(start.replacing("100", with: "130"), to: path, on: line.devices[3])
        for device in line.devices.reversed() {
            #expect(try line.syncTime(device) < .seconds(3), "from \(device.name)")
        }
        #expect(line.home.household.text(of: path, on: line.devices[0])?.contains("130") == true)
    }

    /// It has all of it, and its game runs: its file does not show it.
    @Test func aFarFileThatLagsIsNotInStep() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, c) = (line.home.household, line.devices[0], line.devices[2])
        let play = household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: c)
        _ = household.run(until: { c.replies[play] != nil })
        household.save(start.replacing("100", with: "130"), to: path, on: a)
        household.run(milliseconds: 3_000)
        let report = try line.sync(a)
        #expect(report.inStep == ["hub"] && report.behind == [] && report.filesBehind == ["deck"])
        #expect(try line.behind(a) == ["deck"])
        household.abandon(play, on: c)
        household.run(milliseconds: 2_000)
        #expect(try line.syncTime(a) < .seconds(1))
    }

    /// A save that is new here: status does not call the far device in step before that has it, though nobody passed on an
    /// acknowledgement of this save yet.
    @Test func aFarDeviceIsBehindWithASaveThatIsNewHere() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, c) = (line.home.household, line.devices[0], line.devices[2])
        func other(_ device: SimulatedDevice) -> ProfileReport? {
            let report = line.answer(StatusRequest(), device)?.message(StatusReport.self)
            return report?.profiles.first { $0.name == "other" }
        }
        household.delay = 100...200
        try line.home.add("/saves/other.json", #"{"n":1}"#, name: "other", on: a)
        #expect(other(a)?.behind?.sorted() == ["deck", "hub"])
        let isInStep = household.run(until: { other(a).map { $0.behind == nil } ?? false }, within: 20_000)
        #expect(isInStep && other(c) != nil, "it is in step, so the far device has it")
    }

    /// Nothing is known of the far device without the one between, nor of one that is gone.
    @Test func anAckEndsWithTheLinkItCameOver() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, b, c) = (line.home.household, line.devices[0], line.devices[1], line.devices[2])
        household.kill(c)
        household.run(milliseconds: 1_000)
        #expect(try line.sync(a).behind == ["deck"])
        #expect(try line.behind(a) == nil, "nobody who is not there is called behind by status")
        try household.start(c)
        household.run(milliseconds: 5_000)
        #expect(try line.syncTime(a) < .seconds(1))
        household.kill(b)
        household.run(milliseconds: 1_000)
        #expect(try line.sync(a).behind.sorted() == ["deck", "hub"])
        try household.start(b)
        household.run(milliseconds: 5_000)
        for device in line.devices { #expect(try line.syncTime(device) < .seconds(1), "from \(device.name)") }
    }

    /// A far device that fell silent without a word is not in step for ever.
    @Test func aSilentFarDeviceIsNotInStep() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, b, c) = (line.home.household, line.devices[0], line.devices[1], line.devices[2])
        household.mute(b, c)
        household.run(milliseconds: 36_000)
        #expect(try line.sync(a).behind == ["deck"])
    }

    /// A record and a file from before: the far device has not what it once had, and says so itself.
    @Test func aFarDeviceThatWasRolledBackIsBehindUntilItHasItAgain() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, b, c) = (line.home.household, line.devices[0], line.devices[1], line.devices[2])
        let (record, file) = (c.record.copy, try #require(household.text(of: path, on: c)))
        household.save(start.replacing("100", with: "130"), to: path, on: a)
        #expect(try line.syncTime(a) < .seconds(3))
        household.kill(c)
        c.record.restore(record)
        household.save(file, to: path, on: c)
        // It comes back, and for a while nothing reaches it.
        household.delay = 400...400
        try household.start(c)
        let isBack = household.run(until: { (try? line.behind(a)) == ["deck"] }, within: 20_000)
        #expect(isBack, "its own word is what counts, and it is an older one")
        household.delay = 1...5
        household.run(milliseconds: 5_000)
        #expect(try line.syncTime(a) < .seconds(1))
        #expect(household.text(of: path, on: c)?.contains("130") == true)
        _ = b
    }

    @Test func aRemovedDeviceIsNamedNoMore() throws {
        let line = try Line("laptop", "hub", "deck")
        guard case .response(is RemovedDevice)? = line.answer(UnpairRequest(device: "deck"), line.devices[0]) else {
            throw Home.Failure("not removed")
        }
        line.home.household.run(milliseconds: 2_000)
        let report = try line.sync(line.devices[0])
        #expect(report.inStep == ["hub"] && report.behind == [])
    }

    /// Two that know a third from a fourth do not keep its acknowledgement alive between them.
    @Test func aRingKeepsNoAckAlive() throws {
        let line = try Line("laptop", "hub", "desktop", "deck")
        let (household, devices) = (line.home.household, line.devices)
        household.part(devices[0], devices[2], false)
        let asked = household.ask(PairRequest(), on: devices[0])
        guard let code = devices[0].replies[asked]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Home.Failure("no code")
        }
        household.ask(JoinRequest(code: code, address: household.address(of: devices[0])), on: devices[2])
        household.run(milliseconds: 10_000)
        for device in devices { #expect(try line.syncTime(device) < .seconds(1), "from \(device.name)") }
        household.kill(devices[3])
        household.run(milliseconds: 2_000)
        for device in devices.dropLast() {
            #expect(try line.sync(device).behind == ["deck"], "from \(device.name)")
            #expect(try line.behind(device) == nil, "on \(device.name)")
        }
    }

    // MARK: A hostile member

    /// Whoever passes on acknowledgements can lie about others; about itself, this device, and unknown devices it says
    /// nothing that way.
    @Test func acksOfNobodyWhoIsWantedAreNotTaken() throws {
        let line = try Line("laptop", "hub", "deck")
        let (household, a, b, c) = (line.home.household, line.devices[0], line.devices[1], line.devices[2])
        household.kill(b)
        household.kill(c)
        household.run(milliseconds: 1_000)
        guard let status = line.answer(StatusRequest(), a)?.message(StatusReport.self),
            let id = ProfileID(hex: status.profiles[0].id)
        else {
            throw Home.Failure("no profile")
        }
        let liar = Liar(of: b, to: a, now: household.moment(on: a))
        #expect(liar.wantedAcks == [c.signer.key.id])
        let (mine, far) = (a.signer.key.id, c.signer.key.id)
        for device in [mine, b.signer.key.id, DeviceID(high: 1, low: 2)] { liar.passEmptyAck(about: id, of: device) }
        liar.passEmptyAck(about: id, of: far, through: [mine])
        #expect(!liar.isClosed)
        #expect(try line.behind(a)?.contains("deck") != true, "a word that came through here says nothing")
        liar.passEmptyAck(about: id, of: far)
        #expect(try line.behind(a)?.contains("deck") == true)
        liar.passEmptyAck(about: id, of: far, through: Array(repeating: far, count: 63))
        #expect(liar.isClosed, "nobody can have come through so many")
    }
}
