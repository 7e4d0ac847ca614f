import HearthKit
import HouseholdSimulation
import TestSupport
import Testing

@testable import HearthTesting

/// Faults of a network, a disk and a machine, as a developer writes them.
@Suite struct FaultTests {
    private static var rich: Hero {
        var hero = Hero()
        hero.coins = 100
        return hero
    }

    /// The laptop hears the deck, and the deck does not hear the laptop: what the deck saves comes in, what the laptop
    /// saves does not, and the deck is not called in step.
    @Test func oneWayOnly() {
        let home = Household<Hero>(["laptop", "deck"], seed: 1, beginning: Self.rich)
        home.silence("laptop", toward: "deck")
        home.deck.plays { $0.coins += 5 }
        home.wait(.seconds(5))
        #expect(home.laptop.profile.coins == 105)
        home.laptop.plays { $0.coins += 30 }
        home.wait(.seconds(5))
        #expect(home.deck.profile.coins == 105)
        // What was played is not judged while a device is not heard.
        home.settle()
        #expect(home.stage.round.plays.count == 2)
        #expect(home.deck.profile.coins == 105)
        home.heal()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [135, 135])
        #expect(home.stage.round.plays.isEmpty)
        #expect(home.findings.isEmpty, "\(home)")
        #expect(home.description.contains("laptop  deck  nothing of laptop gets through to deck"), "\(home)")
    }

    /// Nothing is written on a disk that can only be read, and what is said of its device is true: it comes in, and counts,
    /// once the disk can be written.
    @Test func aDiskThatCanOnlyBeRead() {
        let home = Household<Hero>(["laptop", "deck", "nas"], seed: 2, beginning: Self.rich)
        home.deck.makesDiskReadOnly()
        home.deck.plays { $0.coins += 1_000 }
        home.laptop.plays { $0.coins += 7 }
        home.wait(.seconds(60))
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [107, 100, 107])
        #expect(home.stage.round.plays.count == 1)
        home.deck.makesDiskWritable()
        home.deck.plays { $0.coins += 3 }
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [110, 110, 110])
        #expect(home.stage.round.plays.isEmpty)
        #expect(home.findings.isEmpty, "\(home)")
        #expect(home.description.contains("the game could not save: its disk can only be read"), "\(home)")
    }

    /// An agent that lost its power does not start on such a disk, and the household goes on without it.
    @Test func noAgentStartsOnADiskThatCanOnlyBeRead() {
        let home = Household<Hero>(["laptop", "deck"], seed: 3, beginning: Self.rich)
        home.deck.crashes()
        home.deck.makesDiskReadOnly()
        home.laptop.plays { $0.coins += 7 }
        home.settle()
        #expect(home.description.contains("does not start, because its disk can only be read"), "\(home)")
        home.deck.makesDiskWritable()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [107, 107])
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A laptop is closed, the others play on for minutes, and it is opened: what they played comes in, and what is played
    /// there then counts beside it.
    @Test func aLaptopThatSleeps() {
        let home = Household<Hero>(["laptop", "deck", "nas"], seed: 4, beginning: Self.rich)
        home.laptop.plays { $0.coins += 30 }
        home.laptop.sleeps()
        home.wait(.seconds(1))
        home.deck.plays { $0.coins += 7 }
        home.wait(.seconds(300))
        #expect(home.devices.map(\.profile.coins) == [130, 137, 137])
        home.nas.plays { $0.level = 7 }
        home.wait(.seconds(1))
        #expect(home.laptop.profile.level != 7)
        home.laptop.wakes()
        home.wait(.seconds(60))
        home.laptop.plays { $0.coins += 5 }
        home.wait(.seconds(5))
        #expect(home.devices.map(\.profile.coins) == [142, 142, 142], "\(home)")
        home.settle()
        #expect(home.devices.map(\.profile.level) == [7, 7, 7])
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A nap of seconds ends no connection; what was sent meanwhile is taken when it wakes. It wakes to be judged.
    @Test func aNap() {
        let home = Household<Hero>(["laptop", "deck"], seed: 5, beginning: Self.rich)
        home.deck.sleeps()
        home.laptop.plays { $0.coins += 7 }
        home.wait(.seconds(5))
        #expect(home.deck.profile.coins == 100)
        home.deck.wakes()
        home.wait(.seconds(5))
        #expect(home.deck.profile.coins == 107)
        home.deck.sleeps()
        home.laptop.plays { $0.coins += 1 }
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [108, 108])
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A power cut that is planned does not come while a device wakes to be judged.
    @Test func aPlannedCutBeforeSleep() {
        let home = Household<Hero>(["laptop", "deck"], seed: 990, beginning: Self.rich)
        home.deck.crashes(beforeDiskStep: 4)
        home.laptop.plays { $0.coins += 7 }
        home.deck.sleeps()
        home.wait(.seconds(1))
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [107, 107])
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// Hearth's record is gone on one device, after all was in step. It is paired again, and its save comes in: no
    /// coin counts twice, and what is played then is judged as ever.
    @Test func aRecordThatIsLost() {
        let home = Household<Hero>(["laptop", "deck", "nas"], seed: 6, beginning: Self.rich)
        home.deck.plays { $0.coins += 30 }
        home.settle()
        home.deck.losesRecord()
        home.wait(.seconds(30))
        #expect(home.devices.map(\.profile.coins) == [130, 130, 130])
        home.deck.joinsAgain()
        #expect(home.stage.round.acts.isEmpty)
        home.deck.plays { $0.coins += 7 }
        home.laptop.plays { $0.level = 7 }
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [137, 137, 137], "\(home)")
        #expect(home.devices.map(\.profile.level) == [7, 7, 7], "\(home)")
        #expect(home.stage.judgedRests == 2, "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// The same while something was played that nobody else has: what its file holds comes in, and nothing counts twice.
    @Test func aRecordThatIsLostWithNews() {
        let home = Household<Hero>(["laptop", "deck"], seed: 7, beginning: Self.rich)
        home.partition("laptop", "deck")
        home.deck.plays { $0.coins += 30 }
        home.wait(.seconds(10))
        home.deck.losesRecord()
        home.deck.plays { $0.level = 9 }
        // It reaches nobody to be paired with, so nothing is judged.
        home.settle()
        #expect(home.stage.isRecordLost == [false, true])
        home.heal()
        home.settle()
        #expect(home.devices.map(\.profile.coins) == [130, 130], "\(home)")
        #expect(home.devices.map(\.profile.level) == [9, 9], "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A household whose last record is lost has nothing to begin again from.
    @Test func theLastRecordIsNotLost() {
        let home = Household<Hero>(["laptop", "deck"], seed: 8)
        home.deck.losesRecord()
        home.laptop.losesRecord()
        #expect(
            home.findings.map(\.message) == ["cannot lose its record: no other device has one to begin again from"])
    }

    /// Random play has them, all of them, and finds nothing.
    @Test func randomPlayHasThem() async {
        var weights = StepWeights()
        (weights.silenceOneWay, weights.readOnlyDisk, weights.sleep, weights.loseRecord) = (8, 6, 8, 4)
        let count = UInt64(TestDepth.count(quick: 5, usual: 20, all: 200))
        let result = await PlainHousehold.explore(
            seeds: 1...count, rules: ExplorationTests.rules, saves: [ExplorationTests.save], weights: weights)
        #expect(result.isClean, "\(result)")
        let kinds = Set(result.kinds.map(\.kind))
        let faults = ["silence one way", "disk read-only", "sleep", "record lost"]
        #expect(kinds.isSuperset(of: faults + ["disk writable", "wake", "joined again"]), "\(result.summary)")
        #expect(Set(result.faults.map(\.kind)).isSuperset(of: faults), "\(result.summary)")
    }
}
