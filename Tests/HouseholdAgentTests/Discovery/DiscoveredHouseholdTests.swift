import HouseholdAgent
import MergeCore
import Testing

@testable import HouseholdSimulation

/// Devices that know no address of each other and find each other by what they announce, of which some is lost, and some is
/// still seen when its device is gone.
@Suite struct DiscoveredHouseholdTests {
    private let path = "/saves/player.json"

    /// Devices that were paired by a code alone, each with the first one.
    private func household(seed: UInt64, lost: Int) throws -> (home: Home, devices: [SimulatedDevice]) {
        let home = Home(seed: seed)
        home.household.discovery = SimulatedDiscovery(seed: seed, lost: lost)
        let devices = try ["laptop", "deck", "nas"].map { try home.device($0) }
        for other in devices.dropFirst() { try pair(devices[0], other, in: home) }
        return (home, devices)
    }

    private func pair(_ a: SimulatedDevice, _ b: SimulatedDevice, in home: Home) throws {
        // An announcement that was lost comes with the next one, and a code is shown for ten minutes.
        for _ in 0..<8 {
            let shown = home.household.ask(PairRequest(), on: a)
            let code = try #require(a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code)
            let typed = home.household.ask(JoinRequest(code: code), on: b)
            _ = home.household.run(until: { b.replies[typed]?.last?.isFinal == true })
            if case .response? = b.replies[typed]?.last { return home.household.run(milliseconds: 1_000) }
            home.household.run(milliseconds: 60_000)
        }
        Issue.record("\(b.name) was not paired")
    }

    /// How many others each device is linked with.
    private func links(_ home: Home, _ devices: [SimulatedDevice]) throws -> [Int] {
        try devices.map { device in
            let list = try #require(try home.reply(to: DevicesRequest(), on: device).message(DeviceList.self))
            return list.devices.count { $0.connected && !$0.isThisDevice }
        }
    }

    /// The deck and the nas were never paired with each other, and nobody told them an address.
    @Test(arguments: [(1, 0), (2, 30), (3, 60), (4, 60)]) func allFindEachOther(seed: UInt64, lost: Int) throws {
        let (home, devices) = try household(seed: seed, lost: lost)
        home.household.run(milliseconds: 600_000)
        #expect(try links(home, devices) == [2, 2, 2])
        try home.add(path, #"{"coins":100}"#, on: devices[0])
        for device in devices.dropFirst() { try home.restore(path, on: device) }
        home.play(#"{"coins":130}"#, at: path, on: devices[2])
        home.expect(#"{"coins":130}"#, at: path, on: devices)
    }

    /// A device that is gone is still seen, and dialled in vain; then it is not. It starts with another name, and is found.
    @Test func aDeviceThatIsGoneIsSeenForAWhile() throws {
        let (home, devices) = try household(seed: 5, lost: 0)
        home.household.run(milliseconds: 60_000)
        let instance = try #require(devices[1].announced?.instance)
        func seen() -> [String] { home.household.discovery?.instances(seenBy: 0) ?? [] }
        #expect(seen().contains(instance) && seen().count == 2)
        home.household.kill(devices[1])
        home.household.run(milliseconds: 60_000)
        #expect(seen().contains(instance))
        #expect(try links(home, [devices[0]]) == [1])
        home.household.run(milliseconds: 120_000)
        #expect(!seen().contains(instance) && seen().count == 1)
        try home.household.start(devices[1])
        home.household.run(milliseconds: 5_000)
        #expect(devices[1].announced?.instance != instance)
        #expect(try links(home, devices) == [2, 2, 2])
    }

    /// A laptop that slept for an hour is found at once.
    @Test func aDeviceThatSleptIsFound() throws {
        let (home, devices) = try household(seed: 6, lost: 0)
        home.household.sleep(devices[0])
        home.household.run(milliseconds: 3_600_000)
        #expect(try links(home, Array(devices.dropFirst())) == [1, 1])
        home.household.wake(devices[0])
        home.household.run(milliseconds: 10_000)
        #expect(try links(home, devices) == [2, 2, 2])
    }

    @Test func equalSeedsGiveEqualRuns() throws {
        func digest(_ seed: UInt64) throws -> UInt64 {
            let (home, _) = try household(seed: seed, lost: 30)
            home.household.run(milliseconds: 300_000)
            return home.household.digest
        }
        #expect(try digest(7) == digest(7))
        #expect(try digest(7) != digest(8))
    }
}
