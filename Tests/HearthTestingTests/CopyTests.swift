import HouseholdSimulation
import TestSupport
import Testing

@testable import HearthTesting

/// The whole disk of a device is copied onto another one: two devices have one key and one record from then on, and both
/// are played on.
@Suite struct CopyTests {
    private static func household(seed: UInt64) -> Household<Hero> {
        var rich = Hero()
        rich.coins = 100
        return Household<Hero>(["laptop", "deck", "desktop"], seed: seed, beginning: rich)
    }

    /// What each copy plays counts once, on all of them.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func bothCopiesArePlayedOn(seed: UInt64) {
        let home = Self.household(seed: seed)
        home.deck.plays { $0.coins += 5 }
        home.settle()
        home.desktop.becomesCopy(of: "deck")
        home.settle()
        #expect(home.stage.devices[1].id == home.stage.devices[2].id)
        for round in 1...3 {
            home.deck.plays { $0.coins += 10 }
            home.desktop.plays { $0.coins += 20 }
            home.laptop.plays { $0.level = round + 3 }
            home.settle()
            #expect(home.devices.map(\.profile.coins) == Array(repeating: 105 + 30 * round, count: 3), "\(home)")
            #expect(home.devices.map(\.profile.level) == Array(repeating: round + 3, count: 3), "\(home)")
        }
        // Where two play at once, a device may say that it guessed, and that round is not judged.
        #expect(home.stage.judgedRests >= 3, "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// Both were played before anybody knew of the copy: it has what the disk held, and what was there alone is gone.
    @Test func aCopyOfADeviceWithNews() {
        let home = Self.household(seed: 5)
        home.partition("laptop", "deck")
        home.partition("deck", "desktop")
        home.deck.plays { $0.coins += 5 }
        home.wait(.seconds(10))
        home.desktop.becomesCopy(of: "deck")
        home.deck.plays { $0.coins += 10 }
        home.desktop.plays { $0.coins += 20 }
        home.settle()
        home.heal()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [135, 135, 135], "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// Two copies of one device never meet, so a third one has to be there.
    @Test func twoCopiesAloneAreRefused() {
        let home = Household<Hero>(["laptop", "deck"], seed: 6)
        home.deck.becomesCopy(of: "laptop")
        #expect(
            home.findings.map(\.message) == [
                "cannot become a copy of laptop: a third device has to be there, and both must be able to save"
            ])
    }

    @Test func itIsPrintedAsCode() {
        let scenario = Scenario(
            devices: ["laptop", "deck", "desktop"], seed: 1, steps: [.becomesCopy("desktop", of: "deck")])
        let line = ScenarioCode(scenario, .typed("Hero")).lines.last
        #expect(line == #"home.desktop.becomesCopy(of: "deck")"#)
    }

    /// Random play has copies, and finds nothing.
    @Test func randomPlayHasThem() async {
        var weights = StepWeights()
        (weights.copy, weights.play) = (12, 60)
        let result = await Household<Hero>.explore(seeds: 1...40, weights: weights)
        #expect(result.isClean, "\(result)")
        #expect(result.faults.contains { $0.kind == "became a copy" && $0.count >= 20 }, "\(result)")
    }
}
