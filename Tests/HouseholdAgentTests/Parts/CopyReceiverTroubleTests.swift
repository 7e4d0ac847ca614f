import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// What is done where copies of other devices' daily backups cannot be kept, do not match their listing, or are too many.
@Suite struct CopyReceiverTroubleTests {
    private let other = ConnectionID(rawValue: 2)
    private static let cannotKeep = "a copy of another device's backup cannot be kept"

    // MARK: Room

    @Test func theDiskKeepsItsReserve_andItIsTriedAgain() throws {
        var deck = CopyKeeping()
        deck.disk.room = DiskRoom(free: 40 << 30, total: 1 << 40)
        deck.list([copyFacts(2)])
        let why = "the disk is nearly full: 52428 MiB of it stay free for everything else"
        #expect(deck.asked.isEmpty && deck.logs == [Self.cannotKeep])
        #expect(deck.troubles() == ["\(Self.cannotKeep); it is tried again: \(why)"])
        var pauses: [Duration] = []
        for _ in 0..<9 {
            let next = try #require(deck.receiver.deadline)
            pauses.append(next - deck.now)
            deck.tick(after: (next - deck.now).wholeMilliseconds - 1)
            #expect(deck.receiver.deadline == next)
            deck.tick(after: 1)
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map { .seconds($0) })
        #expect(deck.logs.count == 1, "it is said once")
        deck.disk.room = DiskRoom(free: 60 << 30, total: 1 << 40)
        deck.tick(after: 3_600_000)
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.days() == [2] && deck.troubles() == [] && deck.receiver.deadline == nil)
    }

    @Test func oneDeviceTakesUpNoMoreThanItsShare() throws {
        let size = Int64(Liar.file(2).bytes.count)
        var deck = CopyKeeping(limit: size * 2)
        #expect(try deck.hand(Liar.file(2)) && deck.hand(Liar.file(3)))
        #expect(try !deck.hand(Liar.file(4)))
        let why = "0 MiB are kept of laptop at most; remove some of its copies from the folder copies"
        #expect(deck.troubles() == ["\(Self.cannotKeep); it is tried again: \(why)"])
        // Another device has a share of its own.
        deck.list([copyFacts(4)], by: CopyKeeping.phone, on: other)
        #expect(deck.asked[other] != nil)
        // Somebody makes room.
        deck.disk.removeCopies(of: deck.profile)
        deck.tick(after: 30_000)
        #expect(deck.asked[deck.link]?.facts == copyFacts(4))
    }

    @Test func whatCannotBeWrittenBeginsAnewLater() throws {
        var deck = CopyKeeping()
        let file = longBackup(2)
        deck.list([file.facts()])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        deck.disk.writeFault = StorageFault(.noSpace, "the disk is full")
        try deck.answer(Array(file.bytes.dropFirst(65_536).prefix(65_536)))
        #expect(deck.asked.isEmpty && deck.disk.staged.isEmpty)
        #expect(deck.logs == [Self.cannotKeep] && deck.receiver.deadline == deck.now + .seconds(30))
        deck.disk.writeFault = nil
        deck.tick(after: 29_999)
        #expect(deck.asked.isEmpty)
        deck.tick(after: 1)
        #expect(deck.asked[deck.link]?.received == 0)
        try deck.answer(file.bytes)
        #expect(deck.days() == [2] && deck.troubles() == [])
    }

    @Test func anotherReasonIsSaidAsWell() throws {
        var deck = CopyKeeping()
        for (fault, count) in [(StorageFault.Reason.noSpace, 1), (.noSpace, 1), (.other, 2)] {
            deck.disk.writeFault = StorageFault(fault, "why")
            deck.list([copyFacts(2)])
            try deck.answer(Liar.file(2).bytes)
            #expect(deck.logs.count == count)
            deck.now = deck.now + .seconds(3_600)
        }
    }

    /// What it listed is here or not to be had: nothing is left to be tried again.
    @Test func whatIsListedNoMoreIsNoTrouble() throws {
        var deck = CopyKeeping()
        deck.disk.room = DiskRoom(free: 0, total: 1 << 40)
        deck.list([copyFacts(2)])
        #expect(deck.troubles().count == 1)
        deck.list([])
        #expect(deck.troubles() == [] && deck.receiver.deadline == nil)
        deck.list([copyFacts(3)])
        #expect(deck.logs == [Self.cannotKeep, Self.cannotKeep])
        deck.close(deck.link)
        #expect(deck.troubles() == [] && deck.receiver.deadline == nil)
    }

    /// The copies of a profile cannot be read for one device; the other one is asked all the same, later both.
    @Test func aDiskThatCannotBeReadIsAskedAgainLater() {
        var deck = CopyKeeping()
        deck.disk.readFault = StorageFault(.other, "the folder cannot be read")
        deck.list([copyFacts(2)])
        deck.list([copyFacts(2)], by: CopyKeeping.phone, on: other)
        #expect(deck.asked.isEmpty && deck.logs == [Self.cannotKeep, Self.cannotKeep])
        #expect(deck.troubles() == ["\(Self.cannotKeep); it is tried again: the folder cannot be read"])
        #expect(deck.disk.questions.count == 2, "each is asked once")
        deck.disk.readFault = nil
        deck.tick(after: 30_000)
        #expect(deck.asked.count == 2)
    }

    /// One device has two links for a moment. What was listed over the first is here; the second fails, and is not
    /// tried again in the same breath.
    @Test func aDeviceWithTwoLinksFailsOnceATick() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        deck.disk.readFault = StorageFault(.other, "why")
        deck.list([copyFacts(3)], on: other)
        #expect(deck.disk.questions.count(where: { $0 == .copies(of: deck.profile) }) == 2)
        #expect(deck.asked.isEmpty && deck.logs.last == Self.cannotKeep)
    }

    // MARK: Wrong copies

    @Test func whatIsNotWhatWasListedIsGone_andIsNotAskedForAgain() throws {
        var deck = CopyKeeping()
        #expect(try deck.hand(Liar.file(2)))
        #expect(try deck.hand(Liar.file(3), as: copyFacts(3, 7)))
        #expect(deck.days() == [2] && deck.disk.staged.isEmpty && deck.receiver.isIdle)
        #expect(deck.logs.last == "a daily backup of another device is not what it said, and was not kept")
        #expect(try !deck.hand(Liar.file(3), as: copyFacts(3, 7)))
        #expect(
            deck.troubles() == [
                "a daily backup of laptop came otherwise than listed and cannot be copied; its disk may be damaged"
            ])
        // The same day with another checksum is another file.
        #expect(try deck.hand(Liar.file(3)))
        #expect(deck.days() == [2, 3] && deck.troubles() == [])
    }

    @Test func threeInARowAreEnough_andNothingMoreIsTaken() throws {
        var deck = CopyKeeping()
        for number in 2...4 { #expect(try deck.hand(Liar.file(number), as: copyFacts(number, UInt8(number)))) }
        #expect(try !deck.hand(Liar.file(5)))
        #expect(deck.logs.count == 1, "it is said once")
        let trouble = try #require(deck.troubles().first)
        #expect(trouble.hasSuffix("nothing more is copied from there until Hearth starts anew here"))
        deck.list([copyFacts(5)], by: CopyKeeping.phone, on: other)
        #expect(deck.asked[other] != nil)
    }

    @Test func aGoodOneForgivesTheWrongOnes_butNotAHundred() throws {
        var deck = CopyKeeping()
        for number in 2...6 {
            #expect(try deck.hand(Liar.file(number + 10), as: copyFacts(number + 10, UInt8(number))))
            #expect(try deck.hand(Liar.file(number)))
        }
        #expect(deck.days() == Array(2...6))
        var wrong = WrongCopies()
        for number in UInt8(0)..<100 {
            #expect(!wrong.isEnough)
            let isFirst = wrong.add(deck.profile, copyFacts(2, number))
            #expect(isFirst == (number == 0))
            wrong.goodOneCame()
        }
        #expect(wrong.isEnough)
    }

    // MARK: Too many

    @Test func fourteenOfAProfileAreFetchedInADay() throws {
        var deck = CopyKeeping()
        for number in 2...15 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(16)))
        // Another profile has its own fourteen.
        deck.list([copyFacts(16)], of: deck.arrive(2))
        #expect(deck.asked.count == 1)
        try deck.answer([])
        deck.now = deck.now + .milliseconds(24 * 3_600_000 - 1)
        #expect(try !deck.hand(Liar.file(16)))
        deck.now = deck.now + .milliseconds(1)
        #expect(try deck.hand(Liar.file(16)))
    }

    @Test func eachDeviceHasAnAllowanceOfItsOwn() {
        var allowance = CopyAllowance()
        let profile = ProfileID(high: 1, low: 1)
        let first = (0..<15).map { _ in allowance.begin(CopyKeeping.laptop, profile, now: 1_000) }
        #expect(first == [Bool](repeating: true, count: 14) + [false])
        let ofPhone = allowance.begin(CopyKeeping.phone, profile, now: 1_000)
        #expect(ofPhone)
    }
}
