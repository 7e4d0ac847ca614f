import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import Testing
@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Using them.
extension CopyTests {
    @Test func whatWasBegunOfADeviceIsSweptWhenItIsUnpaired() throws {
        let text = "{\"text\":\"" + String(repeating: "x", count: 400_000) + "\"}"
        let (home, laptop, deck) = try household(text)
        home.household.begin(day(21), on: laptop)
        #expect(home.household.run(until: { deck.files.stagedCopies.values.contains { $0 >= 196_608 } }, within: 5_000))
        let id = try #require(try devices(home, deck).first { $0.name == "laptop" }).id
        _ = home.household.ask(UnpairRequest(device: id), on: deck)
        home.household.run(milliseconds: 60_000)
        #expect(deck.files.stagedCopies.isEmpty)
        #expect(deck.machine!.copyReceiver.isIdle)
    }

    /// The disk of the laptop is lost; a day of it comes back on every device that is left.
    @Test func aLostDiskComesBackFromTheCopy() throws {
        let (home, laptop, deck) = try household(#"{"coins":100,"name":"Ada"}"#)
        let phone = try home.device("phone")
        try home.pair(deck, phone)
        try home.restore(path, on: phone)
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 5_000)
        home.household.kill(laptop)
        home.household.save(#"{"coins":3,"name":"Bob"}"#, to: path, on: phone)
        home.household.run(milliseconds: 60_000)
        // It is out of the household by now; its copies stay, under its name.
        let lost = try #require(try devices(home, deck).first { $0.name == "laptop" })
        _ = home.household.ask(UnpairRequest(device: lost.id), on: deck)
        home.household.run(milliseconds: 5_000)
        let copy = try #require(backups(home, deck).first { $0.device == "laptop" })

        let id = home.household.ask(RestoreBackupRequest(profile: "game", backup: copy.name), on: deck)
        guard case .response(is ProfileAnswer)? = deck.replies[id]?.last else {
            Issue.record("\(deck.replies[id] ?? [])")
            return
        }
        home.expect(#"{"coins":100,"name":"Ada"}"#, at: path, on: [phone])
        // On a new device as well, and what was there before is a backup.
        let desktop = try home.device("desktop")
        try home.pair(deck, desktop)
        try home.restore(path, on: desktop)
        home.expect(#"{"coins":100,"name":"Ada"}"# + "\n", at: path, on: [desktop])
        #expect(!backups(home, phone).isEmpty)
    }

    @Test func aDamagedCopyIsNamed_andTheNewestGoodOneFound() throws {
        let (home, laptop, deck) = try household()
        for number in 20...21 {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        let all = backups(home, deck)
        let profile = try #require(deck.files.disk.names.keys.first { $0.hasPrefix("/hearth/copies/") })
        let id = try #require(ProfileID(hex: String(profile.split(separator: "/")[2])))
        try deck.files.damageCopy(all[0].name, of: id)
        #expect(backups(home, deck).map { $0.damage != nil } == [true, false])
        func failure(_ request: any AgentRequest) -> String {
            let id = home.household.ask(request, on: deck)
            guard case .failure(_, let why)? = deck.replies[id]?.last else {
                Issue.record("no failure: \(deck.replies[id] ?? [])")
                return ""
            }
            return why
        }
        let refused = failure(RestoreBackupRequest(profile: "game", backup: all[0].name))
        #expect(refused.hasSuffix("the next good one is \(all[1].name)"), "\(refused)")
        #expect(
            failure(RestoreBackupRequest(profile: "game", backup: "copy-2023-11-01-00")).contains("there is no backup"))
        #expect(
            failure(PinBackupRequest(profile: "game", backup: all[1].name, isPinned: true)).contains("cannot be pinned")
        )
        // This device has no backup of its own. Which one it is, is said before.
        let id2 = home.household.ask(PreviewRequest(RestoreBackupRequest(profile: "game", backup: "newest")), on: deck)
        guard let preview = deck.replies[id2]?.last?.message(PreviewReport.self) else {
            throw Home.Failure("no preview: \(deck.replies[id2] ?? [])")
        }
        #expect(preview.backup == all[1].name && preview.copy == CopyReport(device: "laptop", day: "2023-11-20"))
        _ = home.household.ask(RestoreBackupRequest(profile: "game", backup: "newest"), on: deck)
        home.expect(#"{"coins":20}"#, at: path, on: [laptop])
    }

    /// The laptop's clock was days ahead for a while.
    @Test func daysAfterTodayAreTheNewestLast() throws {
        let (home, laptop, deck) = try household()
        for number in [28, 20, 21] {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        #expect(Set(copies(home, deck)) == ["2023-11-28", "2023-11-20", "2023-11-21"])
        home.household.save(#"{"coins":5}"#, to: path, on: laptop)
        home.household.run(milliseconds: 5_000)
        home.household.begin(day(21), on: deck)
        _ = home.household.ask(RestoreBackupRequest(profile: "game", backup: "newest"), on: deck)
        home.expect(#"{"coins":21}"#, at: path, on: [laptop])
    }

    @Test func devicesSayWhoKeepsCopies() throws {
        let (home, laptop, deck) = try household()
        for device in [laptop, deck] {
            let list = try devices(home, device)
            #expect(list.filter { $0.keepsBackups == true }.map(\.name) == ["deck"])
            #expect(list.filter { $0.sharesBackups == true }.map(\.name) == (device === laptop ? ["deck"] : []))
        }
    }
}
