import HouseholdAgent
import MergeCore
import Testing

@testable import HouseholdSimulation

/// A household in which everybody is linked with everybody: what one edit, and one device that leaves, cost all of them.
@Suite struct MeshTests {
    private let path = "/saves/player.json"

    private func household(of count: Int, seed: UInt64, files: Int) throws -> (home: Home, devices: [SimulatedDevice]) {
        let home = Home(seed: seed)
        let devices = try (0..<count).map { try home.household.addDevice("machine\($0)", findsOthers: true) }
        for device in devices.dropFirst() { try home.pair(devices[0], device) }
        home.household.run(milliseconds: 120_000)
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        try home.add(path, #"{"coins":100,"text":""}"#, rules: rules, on: devices[0])
        home.household.run(milliseconds: 10_000)
        for device in devices[1..<files] { try home.restore(path, on: device) }
        home.household.run(milliseconds: 60_000)
        return (home, devices)
    }

    /// Everybody learns of it at another moment. Nobody passes on what others said of it to those who were told as well:
    /// with 16 devices that were tens of thousands of messages.
    @Test func aDeviceThatLeavesIsNotLookedForAlongEveryWay() throws {
        let (home, devices) = try household(of: 12, seed: 5, files: 2)
        let before = home.household.traffic.messages
        home.household.kill(devices[11])
        home.household.run(milliseconds: 30_000)
        let messages = home.household.traffic.messages - before
        #expect(messages < 12 * 12 * 12, "\(messages) messages")
        // And what is said is still true.
        home.play(#"{"coins":130,"text":""}"#, at: path, on: devices[0])
        let report = try #require(
            try home.reply(to: SyncRequest(profile: nil), on: devices[0]).message(SyncReport.self))
        #expect(report.behind == ["machine11"] && report.inStep.count == 10, "\(report)")
        home.expect(#"{"coins":130,"text":""}"#, at: path, on: [devices[1]])
        try home.household.start(devices[11])
        home.household.run(milliseconds: 60_000)
        #expect(try home.profile(on: devices[0]).behind ?? [] == [])
    }

    /// Not once from each to each.
    @Test func anEditIsSentOnceToEach() throws {
        let (home, devices) = try household(of: 8, seed: 6, files: 8)
        var random = SimulatedRandom(seed: 1)
        // Random, with 64 characters: what is packed keeps three quarters of it.
        let characters = (0..<20_000).map { _ in UInt8(ascii: "?") + UInt8(random.next() % 64) }
        let text = String(decoding: characters, as: UTF8.self).replacing("\\", with: "!")
        let before = home.household.traffic.bytes
        home.household.save(#"{"coins":130,"text":"\#(text)"}"#, to: path, on: devices[0])
        home.expect(#"{"coins":130,"text":"\#(text)"}"#, at: path, on: devices)
        home.household.run(milliseconds: 5_000)
        let bytes = home.household.traffic.bytes - before
        #expect(bytes < 8 * text.count, "\(bytes) bytes: seven copies are five times the text")
        for device in devices { #expect(try home.profile(on: device).behind ?? [] == []) }
    }

    /// Its link seems to stand, and nothing comes through it.
    @Test func whatTheWriterCannotTellComesFromAnother() throws {
        let (home, devices) = try household(of: 3, seed: 7, files: 3)
        home.household.mute(devices[0], devices[2])
        home.household.save(#"{"coins":130,"text":""}"#, to: path, on: devices[0])
        home.expect(#"{"coins":130,"text":""}"#, at: path, on: devices, within: 2_000)
    }
}
