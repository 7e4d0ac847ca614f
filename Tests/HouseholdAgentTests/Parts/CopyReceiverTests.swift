import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// What is fetched of other devices' daily backups, and what is done where that fails.
@Suite struct CopyReceiverTests {
    private let other = ConnectionID(rawValue: 2)
    private static let copied = "a daily backup of another device was copied"

    // MARK: Fetching

    @Test func whatIsListedIsFetchedAndKept() throws {
        var deck = CopyKeeping()
        deck.list([copyFacts(2)])
        #expect(deck.asked[deck.link]?.facts == copyFacts(2) && deck.asked[deck.link]?.received == 0)
        #expect(deck.asked[deck.link]?.profile == deck.profile && !deck.receiver.isIdle)
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.days() == [2] && deck.disk.staged.isEmpty)
        #expect(deck.logs == [Self.copied] && deck.receiver.isIdle && deck.asked.isEmpty)
        #expect(deck.disk.copies[deck.profile]?.first?.checksum == copyFacts(2).checksum)
    }

    @Test func aLongOneIsFetchedPartByPart() throws {
        var deck = CopyKeeping()
        let file = longBackup(2)
        deck.list([file.facts()])
        var offsets: [Int] = []
        while let intake = deck.asked[deck.link], offsets.count < 10 {
            offsets.append(intake.received)
            #expect(deck.days() == [])
            try deck.answer(Array(file.bytes.dropFirst(intake.received).prefix(65_536)))
        }
        #expect(offsets == [0, 65_536, 131_072])
        #expect(deck.days() == [2])
    }

    @Test func itGoesOnOverTheNextLink() throws {
        var deck = CopyKeeping()
        let file = longBackup(2)
        deck.list([file.facts()])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        deck.close(deck.link)
        deck.tick(after: 60_000)
        #expect(deck.asked.isEmpty && deck.disk.staged.values.first?.count == 65_536)
        deck.list([file.facts()], on: other)
        #expect(deck.asked[other]?.received == 65_536)
        try deck.answer(Array(file.bytes.dropFirst(65_536)), on: other)
        #expect(deck.days() == [2])
    }

    @Test func oneAfterTheOtherIsFetched_theOldestFirst() throws {
        var deck = CopyKeeping()
        deck.list([copyFacts(2), copyFacts(3)])
        #expect(deck.asked[deck.link]?.facts == copyFacts(2))
        deck.tick(after: 60_000)
        deck.list([copyFacts(4)], of: deck.arrive(2))
        #expect(deck.asked[deck.link]?.facts == copyFacts(2))
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.asked[deck.link]?.facts == copyFacts(3))
        try deck.answer(Liar.file(3).bytes)
        #expect(deck.asked[deck.link]?.facts == copyFacts(4))
        #expect(deck.days() == [2, 3])
    }

    @Test func eachDeviceHasItsOwn() throws {
        var deck = CopyKeeping()
        deck.list([copyFacts(2)])
        deck.list([copyFacts(2)], by: CopyKeeping.phone, on: other)
        #expect(deck.asked.count == 2)
        try deck.answer(Liar.file(2).bytes, on: other)
        #expect(deck.days() == [])
        #expect(deck.days(of: CopyKeeping.phone) == [2])
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.days() == [2])
    }

    /// The link of a search ends before the disk has answered: the other devices have their turn all the same.
    @Test func aSearchWhoseLinkIsGoneHoldsUpNobody() {
        var deck = CopyKeeping()
        for (owner, link) in [(CopyKeeping.laptop, deck.link), (CopyKeeping.phone, other)] {
            _ = deck.receiver.listed(
                deck.profile, [copyFacts(2)], by: owner, on: link, isKnown: true, name: CopyKeeping.name)
        }
        #expect(deck.receiver.tick(deck.around, now: deck.now).count == 1)
        deck.receiver.closed(deck.link)
        let next = deck.receiver.found(.copies([]), deck.around, now: deck.now)
        guard case .find(.copies)? = next.first else {
            Issue.record("the other device was not asked about")
            return
        }
    }

    @Test func aDayThatIsHereIsNotFetchedAgain() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        // What its device says of that day later changes nothing.
        #expect(try !deck.hand(longBackup(2)))
        #expect(deck.days() == [2])
    }

    /// A device's folder was put back to what it had been a month ago.
    @Test func sevenNewerDaysAreNotDrivenOutByAnOlderOne() throws {
        var deck = CopyKeeping()
        for number in 10...16 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(3)))
        #expect(try deck.hand(Liar.file(17)))
        #expect(deck.days() == Array(11...17))
    }

    /// A clock that was wrong had made backups of days to come: they are no reason to leave out what is made now.
    @Test func aDayAfterTodayIsNoReasonToLeaveOneOut() throws {
        var deck = CopyKeeping()
        for number in 20...26 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(5)))
        deck.today = Liar.file(5).day
        #expect(try deck.hand(Liar.file(5)))
        #expect(deck.days() == Array(21...26) + [5])
    }

    @Test func aNewListTakesThePlaceOfTheFormer() throws {
        var deck = CopyKeeping()
        deck.paused = [deck.profile]
        deck.list([copyFacts(2), copyFacts(3)])
        deck.list([copyFacts(4)])
        deck.paused = []
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == copyFacts(4))
        deck.list([])
        try deck.answer([])
        #expect(deck.asked.isEmpty && deck.receiver.isIdle)
    }

    @Test func whatIsNoDayIsNotFetched() throws {
        var deck = CopyKeeping()
        deck.list([CopyFacts(day: 20_231_301, size: 10, checksum: copyFacts(2).checksum)])
        #expect(deck.asked.isEmpty)
    }

    // MARK: Which profiles

    @Test func whatIsPausedIsNotFetched_untilThePauseEnds() throws {
        var deck = CopyKeeping()
        deck.paused = [deck.profile]
        deck.list([copyFacts(2)])
        #expect(deck.asked.isEmpty && deck.receiver.deadline == nil)
        deck.paused = []
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == copyFacts(2))
    }

    @Test func aProfileThatHasNotComeYetIsWaitedFor_andTheOthersComeFirst() throws {
        var deck = CopyKeeping()
        let second = ProfileID(high: 1, low: 2)
        deck.list([copyFacts(2)], of: second)
        deck.list([copyFacts(3)])
        #expect(deck.asked[deck.link]?.facts == copyFacts(3))
        try deck.answer(Liar.file(3).bytes)
        #expect(deck.asked.isEmpty)
        deck.profiles.insert(second)
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == copyFacts(2))
    }

    @Test func aProfileThatNobodyKnowsIsNotAskedFor_andThatIsSaidOnceOfADevice() throws {
        var deck = CopyKeeping()
        for number in UInt64(10)...12 {
            deck.list([copyFacts(2)], of: ProfileID(high: 9, low: number), isKnown: false)
        }
        #expect(deck.asked.isEmpty)
        #expect(deck.logs == ["a device lists backups of a profile that it does not have"])
        deck.list([copyFacts(2)], of: ProfileID(high: 9, low: 10), by: CopyKeeping.phone, on: other, isKnown: false)
        #expect(deck.logs.count == 2)
    }

    @Test func atMost10000ProfilesOfADeviceAreRemembered() {
        var listed = ListedCopies()
        #expect(!listed.wasAnyListed)
        for number in 0..<10_001 { listed.list([copyFacts(2)], of: ProfileID(high: 1, low: UInt64(number))) }
        let last = CopyIntake(profile: ProfileID(high: 1, low: 9_999), facts: copyFacts(2))
        let beyond = CopyIntake(profile: ProfileID(high: 1, low: 10_000), facts: copyFacts(2))
        #expect(listed.contains(last) && !listed.contains(beyond) && listed.profiles.count == 10_000)
        listed.done(last)
        listed.list([copyFacts(2)], of: beyond.profile)
        #expect(!listed.contains(last) && listed.contains(beyond) && listed.wasAnyListed)
    }

    // MARK: What is asked of the disk

    /// The bytes of a device's copies are measured once, and counted from then on.
    @Test func theDiskIsAskedForNoMoreThanIsNeeded() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        #expect(deck.disk.questions == [.copies(of: deck.profile), .room, .size(of: CopyKeeping.laptop)])
        #expect(try deck.hand(Liar.file(3)))
        #expect(deck.disk.questions.dropFirst(3) == [.copies(of: deck.profile), .room])
        // A part that goes on is asked for without a look at the disk.
        deck.list([longBackup(4).facts()])
        let count = deck.disk.questions.count
        try deck.answer(Array(longBackup(4).bytes.prefix(65_536)))
        #expect(deck.asked[deck.link]?.received == 65_536 && deck.disk.questions.count == count)
    }

    /// Two profiles have nothing that is missing; the third has. All are looked at in one go, and then the next device.
    @Test func theSearchGoesOnWithTheNextProfile_andTheNextDevice() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        let (second, third) = (deck.arrive(2), deck.arrive(3))
        deck.list([copyFacts(2)], of: second)
        try deck.answer(Liar.file(2).bytes)
        deck.paused = [deck.profile, second, third]
        for profile in [deck.profile, second] { deck.list([copyFacts(2)], of: profile) }
        deck.list([copyFacts(3)], of: third)
        deck.list([copyFacts(2)], of: third, by: CopyKeeping.phone, on: other)
        deck.paused = []
        deck.tick()
        #expect(deck.asked[deck.link]?.profile == third && deck.asked[other]?.profile == third)
    }

    @Test func anAnswerThatNobodyAskedForIsNotTaken() {
        var deck = CopyKeeping()
        deck.list([copyFacts(2)])
        let asked = deck.asked
        deck.found(.room(DiskRoom(free: 0, total: 0)))
        #expect(deck.asked == asked && deck.logs == [] && deck.troubles() == [])
    }

    // MARK: Answers

    @Test func whatIsGoneIsNotWaitedFor_andWhatWasThereOfItIsSwept() throws {
        var deck = CopyKeeping()
        let file = longBackup(2)
        deck.list([file.facts(), copyFacts(3)])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        #expect(!deck.disk.staged.isEmpty)
        try deck.answer([])
        #expect(deck.disk.staged.isEmpty && deck.asked[deck.link]?.facts == copyFacts(3))
        try deck.answer([])
        #expect(deck.asked.isEmpty && deck.receiver.isIdle && deck.logs == [])
    }

    @Test func anAnswerToAnotherQuestionIsNotTaken_andTheQuestionIsAskedAgain() throws {
        var deck = CopyKeeping()
        deck.list([copyFacts(2)])
        // The answer names a part that begins at byte 10.
        deck.asked[deck.link]?.received = 10
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.days() == [] && deck.asked[deck.link]?.received == 0)
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.days() == [2])
    }

    // MARK: Whether this device keeps any

    @Test func whoKeepsNoCopiesAsksForNothing() throws {
        var deck = CopyKeeping(keeps: false)
        deck.list([copyFacts(2)])
        #expect(deck.asked.isEmpty && deck.receiver.deadline == nil && deck.troubles() == [])
        deck.keep(true)
        #expect(deck.announced == [true])
        deck.list([copyFacts(2)])
        #expect(deck.asked.count == 1)
    }

    @Test func whoIsToldToKeepNoMoreSweepsWhatIsHalfHere_andKeepsWhatIsWhole() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        let file = longBackup(3)
        deck.list([file.facts(), copyFacts(4)])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        deck.keep(false)
        deck.keep(false)
        #expect(deck.announced == [false])
        #expect(deck.disk.staged.isEmpty && deck.receiver.isIdle)
        try deck.answer(Array(file.bytes.dropFirst(65_536)))
        #expect(deck.days() == [2] && deck.asked.isEmpty && deck.disk.staged.isEmpty)
        // What was listed before does not count any more; a new list does.
        deck.keep(true)
        deck.tick()
        #expect(deck.asked.isEmpty)
        deck.list([file.facts()])
        #expect(deck.asked[deck.link]?.received == 0)
    }

    // MARK: Members

    @Test func whatADeviceBeganIsSweptWhenItIsRemoved_andItsCopiesStay() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        for (owner, link) in [(CopyKeeping.laptop, deck.link), (CopyKeeping.phone, other)] {
            deck.list([longBackup(3).facts()], by: owner, on: link)
            try deck.answer(Array(longBackup(3).bytes.prefix(65_536)), on: link)
        }
        #expect(deck.disk.staged.count == 2)
        deck.close(deck.link)
        deck.forget(allBut: [CopyKeeping.phone])
        #expect(deck.disk.staged.count == 1 && !deck.receiver.isIdle)
        try deck.answer(Array(longBackup(3).bytes.dropFirst(65_536)), on: other)
        #expect(deck.days() == [2])
        #expect(deck.days(of: CopyKeeping.phone) == [3] && deck.receiver.isIdle)
    }

    @Test func aDeviceThatComesBackBeginsAnew() throws {
        var deck = CopyKeeping()
        for number in 2...4 { #expect(try deck.hand(Liar.file(number), as: copyFacts(number, UInt8(number)))) }
        #expect(try !deck.hand(Liar.file(5)))
        deck.forget(allBut: [])
        #expect(deck.troubles() == [])
        #expect(try deck.hand(Liar.file(5)))
    }
}
