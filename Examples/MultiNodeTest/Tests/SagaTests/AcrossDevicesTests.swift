import HearthKit
import HearthTesting
import Saga
import Testing

/// What becomes of a hero that is played on several devices.
@Suite struct AcrossDevicesTests {
    /// Coins of both devices count, though one lost its power and the other one saved from memory.
    @Test func coinsOfBothDevicesCount() {
        let home = Household<Hero>(["laptop", "deck"], seed: 1)
        home.laptop.plays { $0.opens(chest: 100) }
        home.settle()
        home.partition("laptop", "deck")
        home.laptop.plays { $0.opens(chest: 30) }
        home.deck.plays { $0.buys("sword", for: 80) }
        home.deck.crashes()
        home.laptop.overwritesFromMemory()
        home.heal()
        home.settle()
        #expect(home.laptop.profile.coins == 50)
        #expect(home.deck.profile.coins == 50)
        #expect(home.laptop.profile.items == ["sword"])
        #expect(home.findings.isEmpty, "\(home)")
    }

    private static let moves = [
        Move<Hero>("opens a chest") { hero, random in hero.opens(chest: Int.random(in: 10...60, using: &random)) },
        Move<Hero>("buys a sword") { hero, _ in hero.buys("sword", for: 80) },
        Move<Hero>("buys a shield") { hero, _ in hero.buys("shield", for: 40) },
        Move<Hero>("gains a level") { hero, _ in hero.level += 1 },
    ]

    /// Random play on three devices that fail in every way; what is found is printed as a test to be pasted here.
    @Test func randomPlay() async {
        let result = await Household<Hero>.explore(
            seeds: 1...20, devices: ["laptop", "deck", "nas"], moves: Self.moves,
            invariants: [Invariant("levels begin at 1") { $0.level >= 1 }])
        #expect(result.isClean, "\(result)")
    }
}
