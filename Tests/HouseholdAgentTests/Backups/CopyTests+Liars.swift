import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import Testing
@testable import HouseholdAgent
@testable import HouseholdSimulation

/// A member that lies.
extension CopyTests {
    func liar() throws -> (home: Home, deck: SimulatedDevice, liar: Liar, profile: ProfileID) {
        let (home, laptop, deck) = try household()
        home.household.begin(day(1), on: laptop)
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck) == ["2023-11-01"])
        let profile = try #require(laptop.record.profiles().first)
        home.household.kill(laptop)
        home.household.run(milliseconds: 60_000)
        return (home, deck, Liar(of: laptop, to: deck, now: home.household.moment(on: deck)), profile)
    }

    @Test func aCopyThatIsNotWhatWasListedIsDropped_andSaidOnce() throws {
        let (home, deck, liar, profile) = try liar()
        var asked = 0
        for number in 2...9 {
            let file = Liar.file(number)
            liar.list(profile, [file.facts(checksum: [UInt8](repeating: UInt8(number), count: 32))])
            while let question = liar.takeQuestion() {
                asked += 1
                liar.answer(Array(file.bytes.dropFirst(question.offset).prefix(65_536)))
            }
        }
        #expect(asked == 3)
        #expect(liar.logs.count { $0.message.contains("is not what it said") } == 1)
        #expect(!liar.isClosed)
        #expect(copies(home, deck) == ["2023-11-01"] && deck.files.stagedCopies.isEmpty)
    }

    /// A file that rotted at its source stays listed; all else of that device is copied on.
    @Test func oneRottenFileIsAskedForOnce_andTheOthersCome() throws {
        let (home, deck, liar, profile) = try liar()
        let rotten = Liar.file(2).facts(checksum: [UInt8](repeating: 7, count: 32))
        var asked: [[UInt8]] = []
        for number in 3...9 {
            let file = Liar.file(number)
            liar.list(profile, [rotten, file.facts()])
            while let question = liar.takeQuestion() {
                asked.append(question.checksum)
                liar.answer(question.checksum == rotten.checksum ? Liar.file(2).bytes : file.bytes)
            }
        }
        #expect(asked.count { $0 == rotten.checksum } == 1 && asked.count == 8)
        #expect(copies(home, deck) == (3...9).reversed().map { "2023-11-0\($0)" })
        let trouble =
            "a daily backup of laptop came otherwise than listed and cannot be copied; its disk may be damaged"
        #expect(try troubles(home, deck) == [trouble])
        // It is listed no more.
        liar.list(profile, [Liar.file(9).facts()])
        #expect(try troubles(home, deck) == [])
    }

    /// A good one in between: three in a row are too many, not three in a year.
    @Test func aGoodCopyForgivesTheWrongOnes() throws {
        let (home, deck, liar, profile) = try liar()
        for number in 2...6 {
            let (wrong, good) = (Liar.file(number + 10), Liar.file(number))
            for file in [wrong, good] {
                let checksum = file.day == wrong.day ? [UInt8](repeating: UInt8(number), count: 32) : nil
                liar.list(profile, [file.facts(checksum: checksum)])
                #expect(liar.takeQuestion() != nil, "\(number)")
                liar.answer(file.bytes)
            }
        }
        #expect(copies(home, deck).first == "2023-11-06" && copies(home, deck).count == 6)
    }

    @Test func aProfileThatNobodyKnowsIsNotAskedFor() throws {
        let (home, deck, liar, _) = try liar()
        for number in 2...5 {
            liar.list(ProfileID(high: 7, low: UInt64(number)), [Liar.file(number).facts()])
            #expect(liar.takeQuestion() == nil)
        }
        #expect(liar.logs.count { $0.message.contains("a profile that it does not have") } == 1)
        #expect(copies(home, deck) == ["2023-11-01"] && !liar.isClosed)
    }

    /// New days without end: each is sound, and they cannot all be days.
    @Test func endlessDaysEnd() throws {
        let (home, deck, liar, profile) = try liar()
        var asked = 0
        for number in 2...28 {
            let file = Liar.file(number)
            liar.list(profile, [file.facts()])
            while liar.takeQuestion() != nil {
                asked += 1
                liar.answer(file.bytes)
            }
        }
        // Fourteen in a day of the keeper's, of which one was the laptop's own.
        #expect(asked == 13)
        #expect(copies(home, deck).count == 7)
        // The next day goes on.
        liar.now = liar.now + .seconds(25 * 3_600)
        liar.list(profile, [Liar.file(29).facts()])
        #expect(liar.takeQuestion() != nil)
    }

    @Test func whatIsGoneIsNotWaitedFor() throws {
        let (home, deck, liar, profile) = try liar()
        liar.list(profile, [Liar.file(2).facts(), Liar.file(3).facts()])
        #expect(liar.takeQuestion()?.checksum == Liar.file(2).facts().checksum)
        liar.answer([])
        #expect(deck.files.stagedCopies.isEmpty)
        #expect(liar.takeQuestion()?.checksum == Liar.file(3).facts().checksum)
        liar.answer(Liar.file(3).bytes)
        #expect(liar.takeQuestion() == nil)
        #expect(copies(home, deck) == ["2023-11-03", "2023-11-01"])
    }

    /// Gone in the middle of it: what came before is not left on the disk.
    @Test func whatEndsInTheMiddleIsSwept() throws {
        let (_, deck, liar, profile) = try liar()
        let facts = CopyFacts(day: day(2).number, size: 100_000, checksum: [UInt8](repeating: 2, count: 32))
        liar.list(profile, [facts])
        #expect(liar.takeQuestion()?.offset == 0)
        liar.answer([UInt8](repeating: 2, count: 65_536))
        #expect(deck.files.stagedCopies.values.first == 65_536)
        #expect(liar.takeQuestion()?.offset == 65_536)
        liar.answer([])
        #expect(deck.files.stagedCopies.isEmpty && liar.takeQuestion() == nil)
    }

    // MARK: A keeper that lies

    @Test func aKeeperThatAsksForWhatNobodyKnowsGrowsNothing() throws {
        let (_, laptop, keeper, profile, facts) = try lyingKeeper()
        for number in UInt64(1)...50 {
            #expect(keeper.ask(ProfileID(high: 7, low: number), facts) == [])
            keeper.now = keeper.now + .milliseconds(number % 2 * 30)
        }
        let known = laptop.machine!.copySender.lookedAt
        #expect(known == [profile])
        #expect(laptop.machine!.copySender.deadline == nil)
        #expect(keeper.ask(profile, facts)?.count == facts.size)
    }

    /// It asks, and keeps copies no more before the answer is there.
    @Test func aQuestionThatIsTakenBackIsAnsweredWithNothing_andTheNextOneCounts() throws {
        let (_, _, keeper, profile, facts) = try lyingKeeper()
        try #require(keeper.askAndStop(profile, facts) == [])
        keeper.keep(true)
        #expect(keeper.ask(profile, facts)?.count == facts.size)
        #expect(!keeper.isClosed)
    }
}
