import HearthKit
import HouseholdSimulation
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
}
