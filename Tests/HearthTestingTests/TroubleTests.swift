import HearthKit
import HouseholdSimulation
import Testing

@testable import HearthTesting

/// Scenarios that do not do what they say, and devices that do not work: neither passes as a good run.
@Suite struct TroubleTests {
    private func troubles(_ steps: HouseholdStep...) -> [String] {
        let home = Household<Hero>(["laptop", "deck"], seed: 1)
        for step in steps { home.perform(step) }
        return home.findings.filter { $0.kind == .trouble }.map(\.message)
    }

    @Test func aFaultyEdit() {
        #expect(
            troubles(.plays("deck", [.add("coins", 30)])) == ["the game did not save: coins + 30: this is no place"])
        #expect(troubles(.overwrites("deck", [.set("/coins", "many")])).count == 1)
        #expect(
            troubles(.plays("deck", [.set("/coin", "5")]))
                == ["the game did not save: /coin = 5: the profile has no such member"])
        #expect(troubles(.plays("deck", [.set("/medals/gold", "5"), .insert("/themes", #""dark""#)])) == [])
    }

    @Test func anUnknownPart() {
        #expect(
            troubles(.resets("deck", scope: "everything"))
                == [#"there is no part "everything" to reset; there are: progress"#])
        #expect(troubles(.resets("deck", scope: "progress")) == [])
    }

    @Test func playOnADeviceThatIsOff() {
        let off = ["is off, so nobody does anything on it; let it start first"]
        let crash = HouseholdStep.crashes("deck", beforeDiskStep: nil)
        #expect(troubles(crash, .plays("deck", [.add("/coins", 30)])) == off)
        #expect(troubles(crash, .overwrites("deck", [])) == off)
        #expect(troubles(crash, .undoes("deck")) == off)
        #expect(troubles(crash, .restores("deck", backup: 0)) == off)
        #expect(troubles(crash, .starts("deck"), .plays("deck", [.add("/coins", 30)])) == [])
        #expect(troubles(crash, .settle, .plays("deck", [.add("/coins", 30)])) == [])
    }

    @Test func playOnADeviceThatSleeps() {
        let asleep = ["sleeps, so nobody does anything on it; let it wake first"]
        #expect(troubles(.sleeps("deck"), .plays("deck", [.add("/coins", 30)])) == asleep)
        #expect(troubles(.sleeps("deck"), .resets("deck", scope: nil)) == asleep)
        #expect(troubles(.sleeps("deck"), .wakes("deck"), .plays("deck", [.add("/coins", 30)])) == [])
        #expect(troubles(.sleeps("deck"), .settle, .plays("deck", [.add("/coins", 30)])) == [])
        let crash = HouseholdStep.crashes("deck", beforeDiskStep: nil)
        #expect(troubles(.sleeps("deck"), crash, .starts("deck"), .plays("deck", [.add("/coins", 30)])) == [])
    }

    /// When a planned cut comes nobody knows beforehand, so what is played after it may be left out.
    @Test(arguments: 1...6) func playAfterAPlannedCut(step: Int) {
        let plays = HouseholdStep.plays("deck", [.add("/coins", 30)])
        #expect(troubles(.crashes("deck", beforeDiskStep: step), plays, .wait(5_000), plays, .settle) == [])
    }

    /// An agent that is gone is no good run.
    @Test func anAgentThatAnswersNothing() {
        let home = Household<Hero>(["laptop", "deck"], seed: 1)
        home.stage.home.kill(home.stage.devices[1])
        home.settle()
        #expect(home.findings.contains { $0.message == "hearth status is not answered" && $0.device == "deck" })
    }

    /// A device that loses its power in the middle of an undo may have undone: both is right.
    @Test(arguments: 1...12) func anAnswerThatIsLost(step: Int) {
        let home = Household<Hero>(["laptop", "deck"], seed: 2)
        home.laptop.plays { $0.coins += 30 }
        home.settle()
        home.laptop.crashes(beforeDiskStep: step)
        home.laptop.undoes()
        home.settle()
        #expect(home.laptop.profile.coins == home.deck.profile.coins)
        #expect(home.findings.isEmpty, "\(home)")
    }
}
