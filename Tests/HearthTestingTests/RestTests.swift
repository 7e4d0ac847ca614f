import HearthKit
import MergeCore
import Testing

@testable import HearthTesting

/// What is judged when all comes to rest, and what is not.
@Suite struct RestTests {
    private static var rich: Hero {
        var hero = Hero()
        hero.coins = 100
        return hero
    }

    /// What was played before a rest at which two devices had no network is judged at the next one.
    @Test func theLedgerOutlastsARestThatIsNotQuiet() {
        let home = Household<Hero>(["laptop", "deck"], seed: 1, beginning: Self.rich)
        home.partition("laptop", "deck")
        home.laptop.plays { $0.coins += 30 }
        home.settle()
        #expect(home.stage.round.plays.count == 1)
        home.deck.plays { $0.coins += 5 }
        home.heal()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [135, 135])
        #expect(home.findings.isEmpty, "\(home)")
        #expect(home.stage.round.plays.isEmpty)
    }

    /// Coins that both devices spent at once are owed. What is played on then is no fault, and is judged but for them.
    @Test func aCounterThatOwes() {
        let home = Household<Hero>(["laptop", "deck"], seed: 2, beginning: Self.rich)
        home.partition("laptop", "deck")
        for device in home.devices { device.plays { $0.coins -= 80 } }
        home.heal()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [0, 0])
        #expect(home.stage.judgedRests == 1, "\(home)")
        #expect(home.stage.round.unjudged == [.counter])
        home.laptop.plays {
            $0.coins += 10
            $0.level = 7
        }
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [0, 0])
        #expect(home.devices.map(\.profile.level) == [7, 7])
        home.deck.plays { $0.coins += 100 }
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [50, 50])
        home.deck.plays { $0.coins += 1 }
        home.settle()
        #expect(home.stage.round.unjudged.isEmpty)
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A choice that waits for the player keeps nothing else from being judged, and is made.
    @Test func anOpenChoice() throws {
        let home = try PlainHousehold(
            ["laptop", "deck"], rules: "rules:\n  /ending: choice\n  /coins: counter\n",
            save: #"{"ending": "open", "coins": 5}"#, seed: 3)
        home.partition("laptop", "deck")
        home.laptop.plays(.set("/ending", #""crown""#), .add("/coins", 30))
        home.deck.plays(.set("/ending", #""exile""#), .add("/coins", 7))
        home.heal()
        home.settle()
        #expect(home.stage.judgedRests == 1, "\(home)")
        #expect(home.timeline.entries.contains { $0.text == "to be decided: /ending" }, "\(home)")
        #expect(home.stage.round.unjudged.isEmpty, "\(home)")
        #expect(home.laptop.text == home.deck.text)
        home.laptop.plays(.set("/ending", #""both""#))
        home.settle()
        #expect(home.deck.text?.contains("both") == true)
        #expect(home.findings.isEmpty, "\(home)")
    }
}
