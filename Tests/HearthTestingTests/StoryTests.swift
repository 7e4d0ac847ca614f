import HearthKit
import HearthTesting
import LosslessJSON
import Testing

/// Scenarios as a developer writes them.
@Suite struct StoryTests {
    /// The story of the documentation, word for word.
    @Test func apartCrashedAndFromMemory() {
        let home = Household<Hero>(["laptop", "deck"], seed: 1)
        home.laptop.plays { $0.coins += 30 }
        home.partition("laptop", "deck")
        home.deck.plays { $0.coins -= 80 }
        home.deck.crashes()
        home.laptop.overwritesFromMemory()
        home.heal()
        home.settle()
        #expect(home.laptop.profile.coins == home.deck.profile.coins)
        #expect(home.findings.isEmpty, "\(home)")
    }

    @Test func whatIsPlayedApartAddsUp() {
        let home = Household<Hero>(["laptop", "deck", "nas"], seed: 2, beginning: Self.rich)
        home.partition("laptop", "deck")
        home.partition("laptop", "nas")
        home.laptop.plays {
            $0.coins += 30
            $0.level = 7
            $0.themes.insert("dark")
        }
        home.deck.plays {
            $0.coins -= 80
            $0.tutorialDone = true
            $0.friends.insert("Bo")
        }
        home.heal()
        home.settle()
        for device in home.devices {
            let hero = device.profile
            #expect(hero.coins == 50)
            #expect(hero.level == 7)
            #expect(hero.themes == ["dark"])
            #expect(hero.tutorialDone)
            #expect(hero.friends == ["Bo"])
        }
        #expect(home.findings.isEmpty, "\(home)")
        #expect(home.deck.explanation(of: "/coins")?.contains("30") == true)
    }

    static var rich: Hero {
        var hero = Hero()
        hero.coins = 100
        return hero
    }

    /// A device loses its power before each of the disk steps of taking a save up and writing one.
    @Test(arguments: 1...20) func crashesInDiskSteps(step: Int) {
        let home = Household<Hero>(["laptop", "deck"], seed: 3, beginning: Self.rich)
        home.deck.crashes(beforeDiskStep: step)
        home.deck.plays { $0.coins += 5 }
        home.laptop.plays { $0.coins += 7 }
        home.wait(.seconds(20))
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [112, 112], "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    @Test func fullDisksAndClocks() {
        let home = Household<Hero>(["laptop", "deck"], seed: 4, beginning: Self.rich)
        home.deck.setsClock(ahead: .seconds(-86_400))
        home.laptop.fillsDisk()
        home.laptop.plays { $0.coins += 1_000 }
        home.deck.plays {
            $0.coins += 7
            $0.displayName = "Bo"
        }
        home.wait(.seconds(60))
        // A game on a full disk cannot save.
        #expect(home.laptop.profile.coins == 100)
        home.laptop.freesDisk()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [107, 107])
        #expect(home.devices.map(\.profile.displayName) == ["Bo", "Bo"])
        #expect(home.findings.isEmpty, "\(home)")
    }

    @Test func undoResetAndBackup() {
        let home = Household<Hero>(["laptop", "deck"], seed: 5, beginning: Self.rich)
        home.laptop.plays { $0.coins += 30 }
        home.settle()
        home.laptop.undoes()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [100, 100], "\(home)")
        home.laptop.resets("progress")
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [0, 0], "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    @Test func anOldRecord() {
        let home = Household<Hero>(["laptop", "deck"], seed: 6, beginning: Self.rich)
        home.laptop.plays { $0.coins += 30 }
        home.wait(.seconds(30))
        home.laptop.startsWithOldRecord()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [130, 130], "\(home)")
    }

    /// What is not as the developer says is found, and told with the place where it began.
    @Test func anInvariantThatDoesNotHold() {
        var half = Hero()
        half.energy = 50
        let home = Household<Hero>(
            ["laptop", "deck"], seed: 7, beginning: half,
            invariants: [Invariant("energy is at most 100") { $0.energy <= 100 }])
        home.partition("laptop", "deck")
        home.laptop.plays { $0.energy = 100 }
        home.deck.plays { $0.energy = 100 }
        home.heal()
        home.settle()
        #expect(home.findings.map(\.kind) == [.invariant])
        #expect(home.findings.first?.place == "energy is at most 100")
    }

    @Test func plainJSON() throws {
        let rules = """
            rules:
              /coins: counter
              /crew[id]/level: max
              /themes: union
            """
        let save = #"{"coins": 5, "crew": [{"id": "oak", "level": 1}], "themes": []}"#
        let home = try PlainHousehold(["laptop", "steam deck"], rules: rules, save: save, seed: 8)
        home.partition("laptop", "steam deck")
        home.laptop.plays(.add("/coins", 30), .set(#"/crew/[id="oak"]/level"#, "4"))
        home["steam deck"].plays { $0.replacing(#""coins": 5"#, with: #""coins": 4"#) }
        home["steam deck"].plays(.add("/coins", -2), .insert("/themes", #""dark""#))
        home.heal()
        home.settle()
        for device in home.devices {
            let save = try JSONValue(parsing: Array(try #require(device.text).utf8))
            #expect(save["coins"] == 32)
            #expect(save["crew"] == [["id": "oak", "level": 4]])
            #expect(save["themes"] == ["dark"])
        }
        #expect(home.findings.isEmpty, "\(home)")
    }
}
