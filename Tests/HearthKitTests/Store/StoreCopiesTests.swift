import AgentRuntime
import DiskStore
import HearthKit
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// A game whose embedded agent keeps copies of the daily backups of the household's other devices.
@Suite struct StoreCopiesTests {
    @Test(.timeLimit(.minutes(5))) func anotherDevicesDayIsListedAndPutBack() async throws {
        let (a, b) = (Desk("laptop"), Desk("deck"))
        var options = a.options(.embedded, network: true)
        options.sharesBackups = ["deck"]
        let first = try await a.open(options)
        try await first.update { $0.coins = 100 }
        try #require(await first.subscribed(within: .seconds(60)))
        // A daily backup, as it would be after a day of play.
        let name = try #require(a.names(in: a.saves).first { $0.hasSuffix(".json") && $0 != "profiles.json" })
        let profile = try #require(ProfileID(hex: String(name.dropLast(5))))
        let note = BackupNote(time: 1_767_571_200_000, pools: .daily, day: LocalDay(year: 2026, month: 1, day: 5))
        let save = Array(try a.text(of: a.saves + "/" + name).utf8)
        _ = try DiskFiles(home: a.home.path).keepBackup(save, of: profile, as: note)
        try await first.update { $0.coins = 7 }

        options = b.options(.embedded, network: true)
        options.keepsBackupsOfOthers = true
        options.pairedProfile = .automatic
        let second = try await b.open(options)
        try await a.withAgent { first in
            try await b.withAgent { second in try await Household.pair(first, second) }
        }
        #expect(await eventually { second.profile.coins == 7 })
        #expect(await eventually { (try? await second.backups())?.contains { $0.id.contains("2026-01-05") } == true })
        let copy = try #require(try await second.backups().first { $0.id.contains("2026-01-05") })
        #expect(copy.device == "laptop" && copy.pools == [.daily] && copy.damage == nil)
        #expect(try await first.backups().allSatisfy { $0.device == nil })
        try await second.restore(backup: copy)
        #expect(await eventually { first.profile.coins == 100 && second.profile.coins == 100 })
        try await first.close()
        try await second.close()
    }
}
