import DiskStore
import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// The block puzzle: synced and local fields, times and choices, backups, export and restore.
@Suite struct BlockPuzzleTests {
    private func puzzle(_ device: Device, _ words: String..., input: String = "") async throws -> [String] {
        let outcome = try await device.start("BlockPuzzle", words, input: input).outcome()
        guard outcome.code == 0 else { throw Failure("BlockPuzzle \(words): \(outcome)") }
        return outcome.lines
    }

    private static let offer = "laptop has your progress: see 'restore'"

    /// The line of the status that starts with this text.
    private func line(_ start: String, of device: Device) async throws -> String {
        try await puzzle(device).first { $0.hasPrefix(start) } ?? ""
    }

    /// The id of the profile on a device.
    private func profile(of device: Device) throws -> ProfileID {
        let book = try JSONValue(parsing: Array(Disk.text(device.saves + "/profiles.json").utf8))
        guard case .string(let text)? = book["block-puzzle/player"]?["id"], let id = ProfileID(hex: text.string) else {
            throw Failure("no id: \(book)")
        }
        return id
    }

    /// Two devices that got the same progress while their agents ran.
    private func shared(_ body: (Household) async throws -> Void) async throws -> Household {
        let household = try Household()
        try await household.together(pairing: true) {
            _ = try await puzzle(household.laptop, "win", "3", "--stars", "3", "--score", "400")
            try #require(try await eventually { try await puzzle(household.deck).last == Self.offer })
            _ = try await puzzle(household.deck, "restore", "--yes")
            try await body(household)
        }
        return household
    }

    @Test(.timeLimit(.minutes(5))) func promise31And32_progressIsSyncedAndTheTableIsNot() async throws {
        _ = try await shared { household in
            let (laptop, deck) = (household.laptop, household.deck)
            for words in [["buy", "hammer"], ["buy", "premium"], ["place", "7"], ["mute"]] {
                #expect(try await laptop.start("BlockPuzzle", words).outcome().code == 0)
            }
            #expect(try await eventually { try await line("level", of: deck) == "level 4, xp 40, premium" })
            _ = try await puzzle(laptop, "win", "4", "--stars", "2", "--score", "500")
            _ = try await puzzle(laptop, "buy", "neon")
            _ = try await puzzle(laptop, "place", "9")
            let here = try await puzzle(laptop)
            #expect(here.contains("on the table: 9") && here.contains("sound: off"))
            #expect(here.contains("coins: 10 as a counter, 50 by the highest"), "\(here)")
            #expect(try await eventually { try await puzzle(deck).prefix(9) == here.prefix(9) })
            let there = try await puzzle(deck)
            #expect(there.contains("on the table: none") && there.contains("sound: on"))
            let text = try deck.text()
            #expect(!text.contains("game\"") && !text.contains("cache") && !text.contains("settings"), "\(text)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func promise33_apartBothGoOnAndThePlayerChooses() async throws {
        let household = try await shared { _ in }
        let (laptop, deck) = (household.laptop, household.deck)
        _ = try await puzzle(laptop, "win", "6", "--stars", "1", "--score", "900")
        _ = try await puzzle(laptop, "buy", "wood")
        _ = try await puzzle(laptop, "choose", "cat")
        _ = try await puzzle(deck, "win", "3", "--stars", "2", "--score", "100")
        _ = try await puzzle(deck, "win", "5", "--stars", "2", "--score", "100")
        _ = try await puzzle(deck, "buy", "candy")
        _ = try await puzzle(deck, "choose", "dog")
        let first = try await line("achievements", of: deck)
        let played = try JSONValue(parsing: Array(deck.text().utf8))["lastPlayed"]
        try await household.together {
            for device in [laptop, deck] {
                #expect(try await eventually { try await line("level 7", of: device) == "level 7, xp 130, free" })
                let status = try await puzzle(device)
                // 30 before; 10 earned here and 40 there; 30 spent here and 30 there. The highest value counts only one
                // of the two.
                #expect(status.contains("coins: 20 as a counter, 70 by the highest"), "\(status)")
                #expect(status.contains("themes: candy, wood"))
                #expect(status.contains("levels: 3 with 3 stars, 5 with 2 stars, 6 with 1 stars"))
                #expect(status.contains("statistics: 4 games, 15 lines"), "\(status)")
                // The earlier of two times, and the later of two others.
                #expect(status.contains(first))
                let save = try JSONValue(parsing: Array(device.text().utf8))
                #expect(save["lastPlayed"] == played)
            }
            // Until the player decides, each device uses its own value and shows the other's.
            let here = try await puzzle(laptop)
            #expect(here.contains("companion: cat") && here.contains("  deck chose dog: which one?"), "\(here)")
            let there = try await puzzle(deck)
            #expect(there.contains("companion: dog") && there.contains("  laptop chose cat: which one?"), "\(there)")
            _ = try await puzzle(laptop, "choose", "dog")
            for device in [laptop, deck] {
                #expect(
                    try await eventually {
                        let status = try await puzzle(device)
                        return status.contains("companion: dog") && !status.contains { $0.contains("which one") }
                    })
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func promise34_restoreAsksAndSumsUp() async throws {
        try await withHousehold { laptop, deck in
            _ = try await puzzle(laptop, "win", "3", "--stars", "3", "--score", "400")
            #expect(try await eventually { try await puzzle(deck).last == Self.offer })
            let no = try await puzzle(deck, "restore", input: "n\n")
            #expect(no.first?.hasPrefix("laptop has your progress, played last 20") == true, "\(no)")
            #expect(no.contains("  /level: 4") && no.contains("  /coins: 30") && no.last == "Nothing was changed.")
            #expect(Disk.names(in: deck.saves).filter { $0.hasSuffix(".json") } == ["profiles.json"])
            // What is played before the answer stays, merged with what comes in.
            _ = try await puzzle(deck, "win", "9", "--stars", "1")
            let yes = try await puzzle(deck, "restore", input: "y\n")
            #expect(yes.contains("What was played here stays, together with it."), "\(yes)")
            #expect(yes.contains("  /levels/3/stars: nothing became 3"), "\(yes)")
            #expect(yes.last?.hasSuffix("things came back.") == true && yes.last != "0 things came back.")
            let both = "levels: 3 with 3 stars, 9 with 1 stars"
            #expect(try await line("levels", of: deck) == both)
            #expect(try await eventually { try await line("levels", of: laptop) == both })
        }
    }

    @Test(.timeLimit(.minutes(5))) func promise35_syncNowAndWhenItWas() async throws {
        _ = try await shared { household in
            _ = try await puzzle(household.laptop, "win", "4")
            let sync = try await puzzle(household.laptop, "sync")
            #expect(sync.first == "deck has everything", "\(sync)")
            #expect(sync.last?.hasPrefix("last sync: 20") == true, "\(sync)")
            #expect(try await line("level", of: household.deck) == "level 5, xp 50, free")
        }
        let device = try Device()
        _ = try await puzzle(device, "win", "1")
        let alone = try await device.run("BlockPuzzle", "sync")
        #expect(alone.code != 0 && alone.errors.contains("in no household"), "\(alone)")
    }

    /// The laptop's disk is lost. The deck has a copy of one of its daily backups, which is restored on a new desktop.
    @Test(.timeLimit(.minutes(5))) func promise23_dailyBackupsAreCopiedToAnotherDevice() async throws {
        let household = try Household()
        let (laptop, deck) = (household.laptop, household.deck)
        try Disk.write("sharesBackups: [deck]\n", to: laptop.home + "/config.yaml")
        try Disk.write("keepsBackupsOfOthers: true\n", to: deck.home + "/config.yaml")
        _ = try await puzzle(laptop, "win", "3", "--stars", "2", "--score", "400")
        let levels = try await line("levels", of: laptop)
        let profile = try profile(of: laptop)
        let note = BackupNote(time: 1_767_571_200_000, pools: .daily, day: LocalDay(year: 2026, month: 1, day: 5))
        _ = try DiskFiles(home: laptop.home).keepBackup(Array(try laptop.text().utf8), of: profile, as: note)
        var copy: BackupReport?
        try await household.together(pairing: true) {
            #expect(
                await eventually {
                    // The deck must first hear of the profile.
                    copy = try? await deck.backups(of: "\(profile)").first { $0.name.hasPrefix("copy-2026-01-05-") }
                    return copy != nil
                })
            #expect(copy?.device == "laptop" && copy?.damage == nil)
            _ = try await puzzle(laptop, "win", "8", "--stars", "1")
            #expect(try await laptop.backups(of: "\(profile)").allSatisfy { $0.device == nil })
        }
        Disk.remove(laptop.folder)

        let desktop = try Device("desktop")
        try await deck.withAgent { port in
            try await desktop.withAgent(peers: [port]) { _ in
                try await deck.pair(with: desktop, port: port)
                #expect(try await eventually { try await puzzle(desktop).last?.hasSuffix("see 'restore'") == true })
                _ = try await puzzle(desktop, "restore", "--yes")
                #expect(try await line("levels", of: desktop) != levels)
                let name = try #require(copy?.name)
                try await deck.ask(RestoreBackupRequest(profile: "\(profile)", backup: name))
                #expect(try await eventually { try await line("levels", of: desktop) == levels })
            }
        }
    }

    @Test func promise36_aBackupADayAndSevenAreKept() async throws {
        let device = try Device()
        _ = try await puzzle(device)
        // The backups of nine days, as real files.
        let id = try profile(of: device)
        let files = DiskFiles(home: device.home)
        for day in 1...9 {
            let save = Array(#"{"version": "1", "level": \#(day), "coins": \#(day)}"#.utf8)
            let note = BackupNote(
                time: 1_767_225_600_000 + .seconds((day - 1) * 86_400), pools: .daily,
                day: LocalDay(year: 2026, month: 1, day: day))
            _ = try files.keepBackup(save, of: id, as: note)
        }
        _ = try await puzzle(device, "win", "3")
        _ = try await puzzle(device, "win", "4")
        let daily = try await puzzle(device, "backups").filter { $0.contains("daily") }
        #expect(daily.count == 7, "\(daily)")
        let days = daily.dropFirst().map { $0.split(separator: " ")[1].prefix(10) }
        #expect(days == (4...9).reversed().map { "2026-01-0\($0)" }, "\(daily)")
    }

    @Test func promise36_aBackupIsPutBack() async throws {
        let device = try Device()
        _ = try await puzzle(device, "win", "3", "--stars", "2")
        _ = try await puzzle(device, "win", "8", "--stars", "1")
        let before = try await puzzle(device, "backups")
        #expect(before.first?.hasPrefix("1. 20") == true)
        _ = try await puzzle(device, "backups", "--restore", "1")
        #expect(try await line("levels", of: device) == "levels: 3 with 2 stars")
        // The save before the restore is now a backup.
        _ = try await puzzle(device, "backups", "--restore", "1")
        #expect(try await line("levels", of: device) == "levels: 3 with 2 stars, 8 with 1 stars")
        let wrong = try await device.run("BlockPuzzle", "backups", "--restore", "99")
        #expect(wrong.code != 0 && wrong.errors.contains("There is no such backup."))
    }

    @Test func promise37_oneFileCarriesEverything() async throws {
        let (device, other) = (try Device(), try Device("other"))
        let file = device.folder + "/puzzle.hearth"
        _ = try await puzzle(device, "win", "3", "--stars", "3", "--score", "400")
        _ = try await puzzle(device, "export", file)
        _ = try await puzzle(device, "win", "5")
        // The file is merged: nothing that came later is lost, and nothing counts twice.
        let again = try await puzzle(device, "import", file)
        #expect(again.last?.hasPrefix("0 things came from ") == true, "\(again)")
        #expect(try await line("coins", of: device) == "coins: 40 as a counter, 40 by the highest")

        _ = try await puzzle(other, "win", "1")
        let refused = try await other.run("BlockPuzzle", "import", file)
        #expect(refused.code != 0 && refused.errors.contains("was never in this household"), "\(refused)")
        _ = try await puzzle(other, "import", file, "--trust")
        _ = try await puzzle(other, "restore", "--yes")
        #expect(try await line("levels", of: other) == "levels: 1 with 1 stars, 3 with 3 stars")
    }
}
