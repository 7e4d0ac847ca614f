import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Homes in which nobody lies. What came through others is confirmed once its writer is linked; after that nobody asks,
/// nothing is written, and the player is told nothing.
@Suite struct QuietHearsayTests {
    private let path = "/saves/player.json"

    /// Devices of one save; in a line only those side by side can reach each other.
    private func devices(_ count: Int, isLine: Bool, _ home: Home) throws -> [SimulatedDevice] {
        let devices = try ["laptop", "hub", "deck", "tv"].prefix(count).map { try home.device($0) }
        for (one, two) in zip(devices, devices.dropFirst()) { try home.pair(one, two) }
        for one in devices.indices {
            for two in devices.indices where isLine && two > one + 1 {
                home.household.part(devices[one], devices[two])
            }
        }
        try home.add(
            path, #"{"coins":100}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), on: devices[0])
        home.household.run(milliseconds: 5_000)
        for device in devices.dropFirst() { try home.restore(path, on: device) }
        home.household.run(milliseconds: 60_000)
        return devices
    }

    @Test(arguments: [(2, false), (3, false), (3, true), (4, true)])
    func aSaveEndsInQuiet(_ count: Int, _ isLine: Bool) throws {
        let home = Home(seed: 31)
        let devices = try devices(count, isLine: isLine, home)
        for (round, device) in devices.enumerated() {
            let text = #"{"coins":\#(110 + 10 * round)}"#
            home.household.save(text, to: path, on: device)
            home.expect(text, at: path, on: devices, within: 30_000)
            home.household.run(milliseconds: 60_000)
            let commits = devices.map { $0.record.power.operations.count }
            home.household.run(milliseconds: 300_000)
            #expect(devices.map { $0.record.power.operations.count } == commits, "after a save on \(device.name)")
        }
        for device in devices {
            for writer in devices where writer !== device {
                let isLinked = device.machine?.links.answeringLink(to: writer.signer.key) != nil
                let isHeard = device.machine?.hearsay.profiles(of: writer.signer.key.id).isEmpty == false
                // What comes of a device through others stays hearsay where the two never meet, and only there.
                #expect(isLinked != isHeard, "\(device.name) of \(writer.name)")
            }
            try expectNoWord(on: device, home)
        }
    }

    /// Two devices that meet by a stick alone hear of a third one's writes, and are asked nothing.
    @Test func whatComesByAStickNagsNobody() throws {
        let home = Home(seed: 32)
        let devices = try devices(3, isLine: true, home)
        let (laptop, hub, deck) = (devices[0], devices[1], devices[2])
        home.household.part(laptop, hub)
        home.household.part(hub, deck)
        home.household.save(#"{"coins":130}"#, to: path, on: deck)
        home.household.run(milliseconds: 5_000)
        try carry(from: deck, to: hub, home)
        try carry(from: hub, to: laptop, home)
        home.expect(#"{"coins":130}"#, at: path, on: [laptop, hub], within: 30_000)
        #expect(laptop.machine?.hearsay.profiles(of: deck.signer.key.id).isEmpty == false)
        home.household.run(milliseconds: 600_000)
        for device in [laptop, hub] { try expectNoWord(on: device, home) }
    }

    /// Nothing is said of what came through others.
    private func expectNoWord(on device: SimulatedDevice, _ home: Home) throws {
        guard let status = try answer(StatusRequest(), home, device).message(StatusReport.self) else {
            throw Home.Failure("no status: \(device.replies)")
        }
        #expect(!status.troubles.contains { $0.contains("came of") }, "on \(device.name): \(status.troubles)")
        let remark = status.profiles.first?.remark
        #expect(remark?.contains("come through") != true, "on \(device.name): \(remark ?? "")")
    }

    /// Exports the save into a file, and imports it on another device.
    private func carry(from: SimulatedDevice, to: SimulatedDevice, _ home: Home) throws {
        let stick = "/stick/game.hearth"
        guard let export = try answer(ExportRequest(profile: "game"), home, from).message(ExportedTransfer.self) else {
            throw Home.Failure("not exported: \(from.replies)")
        }
        to.files.saveByRename(export.data.bytes, at: stick)
        let request = ImportTransferRequest(path: stick, to: nil, trusting: false, dryRun: false)
        guard try answer(request, home, to).message(ImportReport.self) != nil else {
            throw Home.Failure("not imported: \(to.replies)")
        }
        home.household.run(milliseconds: 5_000)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 10_000)
        return try #require(device.replies[id]?.last)
    }
}
