import TestSupport
import Testing

/// Universe RPG: saves of every version, damaged saves, backups, and devices with different versions.
@Suite struct UniverseRPGTests {
    private func rpg(_ device: Device, _ words: String...) async throws -> [String] {
        let outcome = try await device.start("UniverseRPG", words).outcome()
        guard outcome.code == 0 else { throw Failure("UniverseRPG \(words): \(outcome)") }
        return outcome.lines
    }

    /// Opens a save of another version, and returns the output and the save afterwards.
    private func opened(_ save: String, _ words: String...) async throws -> (outcome: Program.Outcome, text: String) {
        let device = try Device()
        let path = device.folder + "/old/save.json"
        try Disk.write(save, to: path)
        let outcome = try await device.start("UniverseRPG", ["status", "--save", path] + words).outcome()
        // The folder is removed with the device, so keep the device until the text is read.
        return withExtendedLifetime(device) { (outcome, Disk.text(path)) }
    }

    /// The same player in a save of every version.
    private static let saves = [
        "none": #"""
        {"lvl": 4, "gold": 120, "bag": "sword,potion,potion",
         "easyMode": true, "place": "3,4", "amulet": "jade"}
        """#,
        "1.0.0": #"""
        {"saveVersion": "1.0.0", "playerLevel": 4, "coins": 120, "bag": "sword,potion,potion",
         "easyMode": true, "place": "3,4", "amulet": "jade"}
        """#,
        "1.1.0": #"""
        {"saveVersion": "1.1.0", "playerLevel": 4, "coins": 120,
         "inventory": [{"id": "potion", "count": 2}, {"id": "sword", "count": 1}],
         "easyMode": true, "place": "3,4", "amulet": "jade"}
        """#,
        "1.2.0": #"""
        {"saveVersion": "1.2.0", "playerLevel": 4, "coins": 120,
         "inventory": [{"id": "potion", "count": 2}, {"id": "sword", "count": 1}],
         "difficulty": "easy", "position": {"x": 3, "y": 4}, "amulet": "jade"}
        """#,
        "2.0.0": #"""
        {"saveVersion": "2.0.0", "playerLevel": 4, "coins": 620,
         "inventory": [{"id": "potion", "count": 2}, {"id": "sword", "count": 1}],
         "difficulty": "easy", "position": {"x": 3, "y": 4}, "settings": {"volume": 7}}
        """#,
    ]

    @Test func promise12_aSaveOfThisVersionIsLeftAsItIs() async throws {
        let save = Self.saves["2.0.0"]!
        let (outcome, text) = try await opened(save)
        #expect(outcome.lines.first == "level 4, 620 coins, easy, at 3 4", "\(outcome)")
        #expect(text == save)
    }

    @Test(arguments: ["1.0.0", "1.1.0", "1.2.0"])
    func promise13And22_anOlderSaveIsMigrated(version: String) async throws {
        let (outcome, text) = try await opened(Self.saves[version]!)
        #expect(outcome.lines.first == "The save was migrated from \(version) to 2.0.0:", "\(outcome)")
        #expect(outcome.lines.contains("level 4, 620 coins, easy, at 3 4"))
        #expect(outcome.lines.contains("inventory: 1 sword, 2 potion"))
        #expect(outcome.lines.contains(#"  dropped /amulet: "jade""#) && text.contains(#""saveVersion": "2.0.0""#))
    }

    /// A migration that fails in one step changes nothing.
    @Test func promise13_aMigrationThatFailsChangesNothing() async throws {
        let save = #"{"saveVersion": "1.2.0", "coins": 120}"#
        let (outcome, text) = try await opened(save)
        #expect(outcome.code != 0 && outcome.errors.contains("playerLevel"), "\(outcome)")
        #expect(text == save)
    }

    @Test func promise14_aNewerSaveIsRefusedAndUntouched() async throws {
        let save = #"{"saveVersion": "3.1.0", "playerLevel": 80, "warp": true}"#
        let (outcome, text) = try await opened(save)
        #expect(outcome.code != 0 && outcome.errors.contains("3.1.0") && outcome.errors.contains("update the game"))
        let (old, _) = try await opened(Self.saves["2.0.0"]!, "--old")
        #expect(old.code != 0 && old.errors.contains("update the game"))
        // A fresh start does not replace it either, even where it was asked for.
        let (fresh, stays) = try await opened(save, "--recover", "fresh")
        #expect(fresh.code != 0 && text == save && stays == save)
    }

    @Test func promise15_aSaveWithoutVersionGoesTheLegacyWay() async throws {
        let (outcome, text) = try await opened(Self.saves["none"]!)
        #expect(outcome.lines.first == "The save was migrated from no version to 2.0.0:", "\(outcome)")
        #expect(outcome.lines.contains("level 4, 620 coins, easy, at 3 4"))
        #expect(outcome.lines.contains("inventory: 1 sword, 2 potion"))
        #expect(!text.contains("lvl") && !text.contains("gold"))
    }

    @Test func promise16_missingFieldsBeginAndUnknownOnesStay() async throws {
        let save = #"{"saveVersion": "2.0.0", "guild": {"name": "Owls", "rank": 1.50}, "coins": 7}"#
        let device = try Device()
        let path = device.folder + "/own/save.json"
        try Disk.write(save, to: path)
        #expect(try await rpg(device, "status", "--save", path).first == "level 1, 7 coins, normal, at 0 0")
        #expect(Disk.text(path) == save)
        _ = try await rpg(device, "play", "--coins", "5", "--save", path)
        #expect(Disk.text(path) == save.replacing(#""coins": 7"#, with: #""coins": 12"#))
    }

    @Test func promise17_aDamagedSaveIsRefusedAndABackupPutBack() async throws {
        let device = try Device()
        _ = try await rpg(device, "play", "--levels", "3", "--coins", "40")
        _ = try await rpg(device, "play", "--coins", "2")
        let path = try device.save()
        let damaged = String(try device.text().prefix(60))
        try Disk.write(damaged, to: path)
        let refused = try await device.run("UniverseRPG", "status")
        #expect(refused.code != 0 && refused.errors.contains(path) && refused.errors.contains("put a backup back"))
        #expect(Disk.text(path) == damaged)
        let back = try await rpg(device, "status", "--recover", "backup")
        #expect(back.first?.hasPrefix("level 4, 4") == true, "\(back)")
        // Progress that the household knows beyond the backup comes in as well.
        #expect(try await eventually { try await rpg(device).first == "level 4, 42 coins, normal, at 0 0" })
        #expect(Disk.names(in: device.saves + "/quarantine").count == 1)
    }

    @Test func promise17_withoutABackupThePlayerDecides() async throws {
        let device = try Device()
        let path = device.folder + "/own/save.json"
        try Disk.write(#"{"saveVersion": "2.0.0", "coins": 7"#, to: path)
        let refused = try await device.run("UniverseRPG", "status", "--save", path, "--recover", "backup")
        #expect(refused.code != 0 && refused.errors.contains("no backup of it can be used"), "\(refused)")
        #expect(Disk.text(path) == #"{"saveVersion": "2.0.0", "coins": 7"#)
        let fresh = try await rpg(device, "status", "--save", path, "--recover", "fresh")
        #expect(fresh.first == "level 1, 0 coins, normal, at 0 0")
        #expect(Disk.names(in: device.folder + "/own/quarantine").count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func promise17_aFreshStartIsNeverPublishedOverData() async throws {
        try await withHousehold { laptop, deck in
            _ = try await rpg(laptop, "play", "--levels", "3", "--coins", "40")
            #expect(try await eventually { try await rpg(deck).first == "level 4, 40 coins, normal, at 0 0" })
            try Disk.write("", to: try deck.save())
            _ = try await deck.run("UniverseRPG", "play", "--coins", "1", "--recover", "fresh")
            // Whether the last coin counts is not tested here.
            #expect(try await eventually { try await rpg(deck).first?.hasPrefix("level 4, 4") == true })
            #expect(try await rpg(laptop).first?.hasPrefix("level 4, 4") == true)
        }
    }

    @Test(.timeLimit(.minutes(5))) func promise18_aDeviceThatIsBehindStillCounts() async throws {
        try await withHousehold { laptop, deck in
            _ = try await rpg(laptop, "play", "--old", "--levels", "3", "--coins", "40")
            let start = "level 4, 40 coins, normal, at 0 0"
            #expect(try await eventually { try await rpg(deck, "status", "--old").first == start })
            // The laptop is updated, the deck is not, and both play.
            let migrated = try await rpg(laptop, "play", "--coins", "5", "--find", "potion")
            #expect(migrated.first == "The save was migrated from 1.2.0 to 2.0.0:")
            _ = try await rpg(deck, "play", "--old", "--coins", "100")
            #expect(try await eventually { try await rpg(laptop).first == "level 4, 145 coins, normal, at 0 0" })
            let behind = try deck.text()
            #expect(behind.replacing(" ", with: "").contains(#""saveVersion":"1.2.0""#), "\(behind)")
            // After its update the deck has everything.
            _ = try await rpg(deck)
            let all = ["level 4, 145 coins, normal, at 0 0", "inventory: 1 potion"]
            #expect(try await eventually { try await Array(rpg(deck).prefix(2)) == all })
        }
    }

    @Test func promise18_anOlderBuildGoesOnAfterAWayBack() async throws {
        let device = try Device()
        _ = try await rpg(device, "play", "--old", "--levels", "3", "--coins", "40")
        _ = try await rpg(device, "play", "--coins", "5", "--find", "potion")
        #expect(try await device.run("UniverseRPG", "status", "--old").code != 0)
        #expect(try await rpg(device, "back").first == "The save went back from 2.0.0 to 1.2.0:")
        // What was played since the update stays, and both builds continue from there.
        _ = try await rpg(device, "play", "--old", "--coins", "100")
        let all = ["level 4, 145 coins, normal, at 0 0", "inventory: 1 potion"]
        #expect(try await Array(rpg(device, "status", "--old").prefix(2)) == all)
        _ = try await rpg(device)
        #expect(try await eventually { try await Array(rpg(device).prefix(2)) == all })
    }

    /// A step that dropped something cannot be undone, so the backup from before the update is restored.
    @Test func promise18_whatCannotBeTakenBackIsAsBeforeTheUpdate() async throws {
        let device = try Device()
        let path = device.folder + "/own/save.json"
        try Disk.write(Self.saves["1.2.0"]!, to: path)
        #expect(try await rpg(device, "status", "--old", "--save", path).first == "level 4, 120 coins, easy, at 3 4")
        _ = try await rpg(device, "play", "--coins", "5", "--save", path)
        let back = try await rpg(device, "back", "--save", path)
        #expect(back.last == "  it is what it was before the update")
        #expect(Disk.text(path).contains(#""amulet": "jade""#) == true)
        #expect(try await rpg(device, "status", "--old", "--save", path).first == "level 4, 120 coins, easy, at 3 4")
        // Nothing that was played since the update is lost.
        #expect(
            try await eventually {
                try await rpg(device, "status", "--save", path).contains("level 4, 625 coins, easy, at 3 4")
            })
    }

    @Test func promise19And20_fiveBackupsAndAnyCanBePutBack() async throws {
        let device = try Device()
        for _ in 0..<8 { _ = try await rpg(device, "play", "--coins", "1") }
        let list = try await rpg(device, "backups").filter { $0.contains("changes") }
        #expect(list.count == 5, "\(list)")
        // Each backup is the save before a change: 7, 6, 5, 4, 3 coins.
        _ = try await rpg(device, "backups", "--restore", "5")
        #expect(try await rpg(device).first == "level 1, 3 coins, normal, at 0 0")
        _ = try await rpg(device, "backups", "--restore", "1")
        #expect(try await rpg(device).first == "level 1, 8 coins, normal, at 0 0")
    }

    @Test func promise21_theMigrationIsLogged() async throws {
        let (outcome, text) = try await opened(Self.saves["1.1.0"]!)
        for step in ["rename /easyMode: 1", "map /difficulty: 1", "split /position/at: 1", "compensate /coins: 1"] {
            #expect(outcome.lines.contains("  \(step) changed"), "\(outcome)")
        }
        #expect(outcome.lines.last?.hasSuffix(": from 1.1.0 to 2.0.0, 1 dropped") == true)
        #expect(text.contains(#""migrationLog": ["#) && text.contains(#""from": "1.1.0""#))
    }

    @Test func promise22_noSaveAtAll() async throws {
        let device = try Device()
        #expect(try await rpg(device).first == "level 1, 0 coins, normal, at 0 0")
        #expect(Disk.names(in: device.saves) == ["profiles.json"])
    }

    @Test func promise23_aDamagedBackupIsNamedAndTheNextOneGood() async throws {
        let device = try Device()
        for _ in 0..<3 { _ = try await rpg(device, "play", "--coins", "1") }
        let folder = device.home + "/backups"
        let profile = try #require(Disk.names(in: folder).first)
        let newest = try #require(Disk.names(in: "\(folder)/\(profile)").last)
        try Disk.flip("\(folder)/\(profile)/\(newest)")
        let list = try await rpg(device, "backups")
        #expect(list.first?.contains(": ") == true, "\(list)")
        let refused = try await device.run("UniverseRPG", "backups", "--restore", "1")
        #expect(refused.code != 0, "\(refused)")
        #expect(try await rpg(device).first == "level 1, 3 coins, normal, at 0 0")
        _ = try await rpg(device, "backups", "--restore", "2")
        #expect(try await rpg(device).first == "level 1, 1 coins, normal, at 0 0")
    }
}
