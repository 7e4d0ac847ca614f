import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HearthTesting
@testable import HouseholdAgent

/// What is fetched of other devices' daily backups, and what is done where that fails.
@Suite struct CopyReceiverTests {
    private static let laptop = DeviceID(high: 5, low: 1)
    private static let phone = DeviceID(high: 5, low: 2)

    /// A device that keeps copies, with the links of others played by hand.
    private struct Keeping {
        let files = MemoryFiles()
        var engine: ProfileEngine<MemoryFiles, MemoryRecord>
        var receiver: CopyReceiver
        var paused: Set<ProfileID> = []
        var today: LocalDay?
        var now: MonotonicTime = 1_000
        let link = ConnectionID(rawValue: 1)
        let profile: ProfileID
        /// What was asked for and not answered yet, by link.
        var asked: [ConnectionID: CopyIntake] = [:]
        var logs: [String] = []

        init(keeps: Bool = true, limit: Int64 = CopyPlan.ownerLimit) throws {
            engine = try ProfileEngine(files: files, store: MemoryRecord())
            receiver = CopyReceiver(keeps: keeps, limit: limit)
            profile = try Self.add(1, to: &engine)
        }

        static func add(
            _ number: UInt64, to engine: inout ProfileEngine<MemoryFiles, MemoryRecord>
        ) throws -> ProfileID {
            let path = "/saves/\(number).json"
            engine.files.saveByRename(Array("{}".utf8), at: path)
            let ids = FreshIDs(profile: ProfileID(high: 1, low: number), replica: ReplicaID(high: 2, low: number))
            return try engine.add(file: path, name: "game \(number)", rules: .empty, ids: ids, now: 0)
        }

        static func name(_ device: DeviceID) -> String { device == laptop ? "laptop" : "phone" }

        /// A device lists daily backups of a profile; then it is looked what to ask for.
        mutating func list(
            _ copies: [CopyFacts], of other: ProfileID? = nil, by owner: DeviceID = laptop,
            on link: ConnectionID? = nil, isKnown: Bool = true
        ) {
            take(
                receiver.listed(
                    other ?? profile, copies, by: owner, on: link ?? self.link, isKnown: isKnown, name: Self.name))
            tick()
        }

        mutating func tick(after milliseconds: Int64 = 0) {
            now = now + .milliseconds(milliseconds)
            take(receiver.tick(engine, around, now: now))
        }

        /// What was asked for is answered over a link; then it is looked what to ask for next.
        mutating func answer(_ bytes: [UInt8], on link: ConnectionID? = nil) throws {
            let link = link ?? self.link
            let intake = try #require(asked[link])
            asked[link] = nil
            let question = CopyQuestion(
                profile: intake.profile, checksum: intake.facts.checksum, offset: intake.received)
            take(receiver.came(question, bytes, on: link, &engine, around, now: now))
            tick()
        }

        /// Lists one backup and hands it over. Returns whether it was asked for.
        mutating func hand(_ file: Liar.File, as facts: CopyFacts? = nil) throws -> Bool {
            list([facts ?? file.facts()])
            guard asked[link] != nil else { return false }
            try answer(file.bytes)
            return true
        }

        /// A link is gone, with what was asked over it.
        mutating func close(_ link: ConnectionID) {
            receiver.closed(link)
            asked[link] = nil
        }

        /// The days of a device of which there are copies, in the order in which they came.
        func days(of owner: DeviceID = laptop) throws -> [Int] {
            try files.copies(of: profile).filter { $0.owner == owner }.map(\.day.day)
        }

        func troubles() -> [String] { receiver.troubles(name: Self.name) }

        /// Every write of a copy fails, for a reason; with none they are written again.
        func failToWrite(_ fault: StorageFault?) {
            guard let fault else { return files.power.setHook(nil) }
            files.power.setHook { operation throws(StorageFault) in
                if operation.description.contains("/copies/") { throw fault }
            }
        }

        private var around: CopyReceiver.Surroundings {
            CopyReceiver.Surroundings(paused: paused, today: today, name: Self.name)
        }

        private mutating func take(_ effects: [CopyReceiver.Effect]) {
            for effect in effects {
                switch effect {
                case .ask(let link, let intake):
                    #expect(asked[link] == nil, "it is asked before the last answer is there")
                    asked[link] = intake
                case .log(let line): logs.append(line.message)
                }
            }
        }
    }

    private let other = ConnectionID(rawValue: 2)
    private static let copied = "a daily backup of another device was copied"
    private static let cannotKeep = "a copy of another device's backup cannot be kept"

    private func facts(_ number: Int, _ checksum: UInt8? = nil) -> CopyFacts {
        Liar.file(number).facts(checksum: checksum.map { [UInt8](repeating: $0, count: 32) })
    }

    /// The backup of a day that has many bytes.
    private func long(_ number: Int, _ count: Int = 150_000) -> Liar.File {
        let day = Liar.file(number).day
        let note = BackupNote(time: 1, pools: .daily, day: day)
        return Liar.File(day: day, bytes: MemoryBackup([UInt8](repeating: 32, count: count), note).bytes)
    }

    // MARK: Fetching

    @Test func whatIsListedIsFetchedAndKept() throws {
        var deck = try Keeping()
        deck.list([facts(2)])
        #expect(deck.asked[deck.link]?.facts == facts(2) && deck.asked[deck.link]?.received == 0)
        #expect(deck.asked[deck.link]?.profile == deck.profile && !deck.receiver.isIdle)
        try deck.answer(Liar.file(2).bytes)
        #expect(try deck.days() == [2] && deck.files.stagedCopies.isEmpty)
        #expect(deck.logs == [Self.copied] && deck.receiver.isIdle && deck.asked.isEmpty)
        #expect(try deck.files.copies(of: deck.profile).first?.checksum == facts(2).checksum)
    }

    @Test func aLongOneIsFetchedPartByPart() throws {
        var deck = try Keeping()
        let file = long(2)
        deck.list([file.facts()])
        var offsets: [Int] = []
        while let intake = deck.asked[deck.link], offsets.count < 10 {
            offsets.append(intake.received)
            #expect(try deck.days() == [])
            try deck.answer(Array(file.bytes.dropFirst(intake.received).prefix(65_536)))
        }
        #expect(offsets == [0, 65_536, 131_072])
        #expect(try deck.days() == [2])
    }

    @Test func itGoesOnOverTheNextLink() throws {
        var deck = try Keeping()
        let file = long(2)
        deck.list([file.facts()])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        deck.close(deck.link)
        deck.tick(after: 60_000)
        #expect(deck.asked.isEmpty && deck.files.stagedCopies.values.first == 65_536)
        deck.list([file.facts()], on: other)
        #expect(deck.asked[other]?.received == 65_536)
        try deck.answer(Array(file.bytes.dropFirst(65_536)), on: other)
        #expect(try deck.days() == [2])
    }

    @Test func oneAfterTheOtherIsFetched_theOldestFirst() throws {
        var deck = try Keeping()
        deck.list([facts(2), facts(3)])
        #expect(deck.asked[deck.link]?.facts == facts(2))
        deck.tick(after: 60_000)
        deck.list([facts(4)], of: try Keeping.add(2, to: &deck.engine))
        #expect(deck.asked[deck.link]?.facts == facts(2))
        try deck.answer(Liar.file(2).bytes)
        #expect(deck.asked[deck.link]?.facts == facts(3))
        try deck.answer(Liar.file(3).bytes)
        #expect(deck.asked[deck.link]?.facts == facts(4))
        #expect(try deck.days() == [2, 3])
    }

    @Test func eachDeviceHasItsOwn() throws {
        var deck = try Keeping()
        deck.list([facts(2)])
        deck.list([facts(2)], by: Self.phone, on: other)
        #expect(deck.asked.count == 2)
        try deck.answer(Liar.file(2).bytes, on: other)
        #expect(try deck.days() == [])
        #expect(try deck.days(of: Self.phone) == [2])
        try deck.answer(Liar.file(2).bytes)
        #expect(try deck.days() == [2])
    }

    @Test func aDayThatIsHereIsNotFetchedAgain() throws {
        var deck = try Keeping()
        #expect(try deck.hand(Liar.file(2)))
        // What its device says of that day later changes nothing.
        #expect(try !deck.hand(long(2)))
        #expect(try deck.days() == [2])
    }

    /// A device's folder was put back to what it had been a month ago.
    @Test func sevenNewerDaysAreNotDrivenOutByAnOlderOne() throws {
        var deck = try Keeping()
        for number in 10...16 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(3)))
        #expect(try deck.hand(Liar.file(17)))
        #expect(try deck.days() == Array(11...17))
    }

    /// A clock that was wrong had made backups of days to come: they are no reason to leave out what is made now.
    @Test func aDayAfterTodayIsNoReasonToLeaveOneOut() throws {
        var deck = try Keeping()
        for number in 20...26 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(5)))
        deck.today = Liar.file(5).day
        #expect(try deck.hand(Liar.file(5)))
        #expect(try deck.days() == Array(21...26) + [5])
    }

    @Test func aNewListTakesThePlaceOfTheFormer() throws {
        var deck = try Keeping()
        deck.paused = [deck.profile]
        deck.list([facts(2), facts(3)])
        deck.list([facts(4)])
        deck.paused = []
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == facts(4))
        deck.list([])
        try deck.answer([])
        #expect(deck.asked.isEmpty && deck.receiver.isIdle)
    }

    @Test func whatIsNoDayIsNotFetched() throws {
        var deck = try Keeping()
        deck.list([CopyFacts(day: 20_231_301, size: 10, checksum: facts(2).checksum)])
        #expect(deck.asked.isEmpty)
    }

    // MARK: Which profiles

    @Test func whatIsPausedIsNotFetched_untilThePauseEnds() throws {
        var deck = try Keeping()
        deck.paused = [deck.profile]
        deck.list([facts(2)])
        #expect(deck.asked.isEmpty && deck.receiver.deadline == nil)
        deck.paused = []
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == facts(2))
    }

    @Test func aProfileThatHasNotComeYetIsWaitedFor_andTheOthersComeFirst() throws {
        var deck = try Keeping()
        let second = ProfileID(high: 1, low: 2)
        deck.list([facts(2)], of: second)
        deck.list([facts(3)])
        #expect(deck.asked[deck.link]?.facts == facts(3))
        try deck.answer(Liar.file(3).bytes)
        #expect(deck.asked.isEmpty)
        _ = try Keeping.add(2, to: &deck.engine)
        deck.tick()
        #expect(deck.asked[deck.link]?.facts == facts(2))
    }

    @Test func aProfileThatNobodyKnowsIsNotAskedFor_andThatIsSaidOnceOfADevice() throws {
        var deck = try Keeping()
        for number in UInt64(10)...12 {
            deck.list([facts(2)], of: ProfileID(high: 9, low: number), isKnown: false)
        }
        #expect(deck.asked.isEmpty)
        #expect(deck.logs == ["a device lists backups of a profile that it does not have"])
        deck.list([facts(2)], of: ProfileID(high: 9, low: 10), by: Self.phone, on: other, isKnown: false)
        #expect(deck.logs.count == 2)
    }

    @Test func atMost10000ProfilesOfADeviceAreRemembered() {
        var listed = ListedCopies()
        #expect(!listed.wasAnyListed)
        for number in 0..<10_001 { listed.list([facts(2)], of: ProfileID(high: 1, low: UInt64(number))) }
        let last = CopyIntake(profile: ProfileID(high: 1, low: 9_999), facts: facts(2))
        let beyond = CopyIntake(profile: ProfileID(high: 1, low: 10_000), facts: facts(2))
        #expect(listed.contains(last) && !listed.contains(beyond) && listed.profiles.count == 10_000)
        listed.done(last)
        listed.list([facts(2)], of: beyond.profile)
        #expect(!listed.contains(last) && listed.contains(beyond) && listed.wasAnyListed)
    }

    // MARK: Answers

    @Test func whatIsGoneIsNotWaitedFor_andWhatWasThereOfItIsSwept() throws {
        var deck = try Keeping()
        let file = long(2)
        deck.list([file.facts(), facts(3)])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        #expect(!deck.files.stagedCopies.isEmpty)
        try deck.answer([])
        #expect(deck.files.stagedCopies.isEmpty && deck.asked[deck.link]?.facts == facts(3))
        try deck.answer([])
        #expect(deck.asked.isEmpty && deck.receiver.isIdle && deck.logs == [])
    }

    @Test func anAnswerToAnotherQuestionIsNotTaken_andTheQuestionIsAskedAgain() throws {
        var deck = try Keeping()
        deck.list([facts(2)])
        // The answer names a part that begins at byte 10.
        deck.asked[deck.link]?.received = 10
        try deck.answer(Liar.file(2).bytes)
        #expect(try deck.days() == [] && deck.asked[deck.link]?.received == 0)
        try deck.answer(Liar.file(2).bytes)
        #expect(try deck.days() == [2])
    }

    // MARK: Whether this device keeps any

    @Test func whoKeepsNoCopiesAsksForNothing() throws {
        var deck = try Keeping(keeps: false)
        deck.list([facts(2)])
        #expect(deck.asked.isEmpty && deck.receiver.deadline == nil && deck.troubles() == [])
        let isNews = deck.receiver.keep(true, in: deck.files)
        #expect(isNews)
        deck.list([facts(2)])
        #expect(deck.asked.count == 1)
    }

    @Test func whoIsToldToKeepNoMoreSweepsWhatIsHalfHere_andKeepsWhatIsWhole() throws {
        var deck = try Keeping()
        #expect(try deck.hand(Liar.file(2)))
        let file = long(3)
        deck.list([file.facts(), facts(4)])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        let (isNews, isNewsAgain) = (
            deck.receiver.keep(false, in: deck.files), deck.receiver.keep(false, in: deck.files)
        )
        #expect(isNews && !isNewsAgain)
        #expect(deck.files.stagedCopies.isEmpty && deck.receiver.isIdle)
        try deck.answer(Array(file.bytes.dropFirst(65_536)))
        #expect(try deck.days() == [2] && deck.asked.isEmpty && deck.files.stagedCopies.isEmpty)
        // What was listed before does not count any more; a new list does.
        _ = deck.receiver.keep(true, in: deck.files)
        deck.tick()
        #expect(deck.asked.isEmpty)
        deck.list([file.facts()])
        #expect(deck.asked[deck.link]?.received == 0)
    }

    // MARK: Members

    @Test func whatADeviceBeganIsSweptWhenItIsRemoved_andItsCopiesStay() throws {
        var deck = try Keeping()
        #expect(try deck.hand(Liar.file(2)))
        for (owner, link) in [(Self.laptop, deck.link), (Self.phone, other)] {
            deck.list([long(3).facts()], by: owner, on: link)
            try deck.answer(Array(long(3).bytes.prefix(65_536)), on: link)
        }
        #expect(deck.files.stagedCopies.count == 2)
        deck.close(deck.link)
        deck.receiver.forget(allBut: [Self.phone], in: deck.files)
        #expect(deck.files.stagedCopies.count == 1 && !deck.receiver.isIdle)
        try deck.answer(Array(long(3).bytes.dropFirst(65_536)), on: other)
        #expect(try deck.days() == [2])
        #expect(try deck.days(of: Self.phone) == [3] && deck.receiver.isIdle)
    }

    @Test func aDeviceThatComesBackBeginsAnew() throws {
        var deck = try Keeping()
        for number in 2...4 { #expect(try deck.hand(Liar.file(number), as: facts(number, UInt8(number)))) }
        #expect(try !deck.hand(Liar.file(5)))
        deck.receiver.forget(allBut: [], in: deck.files)
        #expect(deck.troubles() == [])
        #expect(try deck.hand(Liar.file(5)))
    }

    // MARK: Room

    @Test func theDiskKeepsItsReserve_andItIsTriedAgain() throws {
        var deck = try Keeping()
        deck.files.room = DiskRoom(free: 40 << 30, total: 1 << 40)
        deck.list([facts(2)])
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
        deck.files.room = DiskRoom(free: 60 << 30, total: 1 << 40)
        deck.tick(after: 3_600_000)
        try deck.answer(Liar.file(2).bytes)
        #expect(try deck.days() == [2] && deck.troubles() == [] && deck.receiver.deadline == nil)
    }

    @Test func oneDeviceTakesUpNoMoreThanItsShare() throws {
        let size = Int64(Liar.file(2).bytes.count)
        var deck = try Keeping(limit: size * 2)
        #expect(try deck.hand(Liar.file(2)) && deck.hand(Liar.file(3)))
        #expect(try !deck.hand(Liar.file(4)))
        let why = "0 MiB are kept of laptop at most; remove some of its copies from the folder copies"
        #expect(deck.troubles() == ["\(Self.cannotKeep); it is tried again: \(why)"])
        // Another device has a share of its own.
        deck.list([facts(4)], by: Self.phone, on: other)
        #expect(deck.asked[other] != nil)
        // Somebody makes room.
        deck.files.removeCopies(try deck.files.copies(of: deck.profile), of: deck.profile)
        deck.tick(after: 30_000)
        #expect(deck.asked[deck.link]?.facts == facts(4))
    }

    @Test func whatCannotBeWrittenBeginsAnewLater() throws {
        var deck = try Keeping()
        let file = long(2)
        deck.list([file.facts()])
        try deck.answer(Array(file.bytes.prefix(65_536)))
        deck.failToWrite(StorageFault(.noSpace, "the disk is full"))
        try deck.answer(Array(file.bytes.dropFirst(65_536).prefix(65_536)))
        #expect(deck.asked.isEmpty && deck.files.stagedCopies.isEmpty)
        #expect(deck.logs == [Self.cannotKeep] && deck.receiver.deadline == deck.now + .seconds(30))
        deck.failToWrite(nil)
        deck.tick(after: 29_999)
        #expect(deck.asked.isEmpty)
        deck.tick(after: 1)
        #expect(deck.asked[deck.link]?.received == 0)
        try deck.answer(file.bytes)
        #expect(try deck.days() == [2] && deck.troubles() == [])
    }

    @Test func anotherReasonIsSaidAsWell() throws {
        var deck = try Keeping()
        for (fault, count) in [(StorageFault.Reason.noSpace, 1), (.noSpace, 1), (.other, 2)] {
            deck.failToWrite(StorageFault(fault, "why"))
            deck.list([facts(2)])
            try deck.answer(Liar.file(2).bytes)
            #expect(deck.logs.count == count)
            deck.now = deck.now + .seconds(3_600)
        }
    }

    /// What it listed is here or not to be had: nothing is left to be tried again.
    @Test func whatIsListedNoMoreIsNoTrouble() throws {
        var deck = try Keeping()
        deck.files.room = DiskRoom(free: 0, total: 1 << 40)
        deck.list([facts(2)])
        #expect(deck.troubles().count == 1)
        deck.list([])
        #expect(deck.troubles() == [] && deck.receiver.deadline == nil)
        deck.list([facts(3)])
        #expect(deck.logs == [Self.cannotKeep, Self.cannotKeep])
        deck.close(deck.link)
        #expect(deck.troubles() == [] && deck.receiver.deadline == nil)
    }

    // MARK: Wrong copies

    @Test func whatIsNotWhatWasListedIsGone_andIsNotAskedForAgain() throws {
        var deck = try Keeping()
        #expect(try deck.hand(Liar.file(2)))
        #expect(try deck.hand(Liar.file(3), as: facts(3, 7)))
        #expect(try deck.days() == [2] && deck.files.stagedCopies.isEmpty && deck.receiver.isIdle)
        #expect(deck.logs.last == "a daily backup of another device is not what it said, and was not kept")
        #expect(try !deck.hand(Liar.file(3), as: facts(3, 7)))
        #expect(
            deck.troubles() == [
                "a daily backup of laptop came otherwise than listed and cannot be copied; its disk may be damaged"
            ])
        // The same day with another checksum is another file.
        #expect(try deck.hand(Liar.file(3)))
        #expect(try deck.days() == [2, 3] && deck.troubles() == [])
    }

    @Test func threeInARowAreEnough_andNothingMoreIsTaken() throws {
        var deck = try Keeping()
        for number in 2...4 { #expect(try deck.hand(Liar.file(number), as: facts(number, UInt8(number)))) }
        #expect(try !deck.hand(Liar.file(5)))
        #expect(deck.logs.count == 1, "it is said once")
        let trouble = try #require(deck.troubles().first)
        #expect(trouble.hasSuffix("nothing more is copied from there until Hearth starts anew here"))
        deck.list([facts(5)], by: Self.phone, on: other)
        #expect(deck.asked[other] != nil)
    }

    @Test func aGoodOneForgivesTheWrongOnes_butNotAHundred() throws {
        var deck = try Keeping()
        for number in 2...6 {
            #expect(try deck.hand(Liar.file(number + 10), as: facts(number + 10, UInt8(number))))
            #expect(try deck.hand(Liar.file(number)))
        }
        #expect(try deck.days() == Array(2...6))
        var wrong = WrongCopies()
        for number in UInt8(0)..<100 {
            #expect(!wrong.isEnough)
            let isFirst = wrong.add(deck.profile, facts(2, number))
            #expect(isFirst == (number == 0))
            wrong.goodOneCame()
        }
        #expect(wrong.isEnough)
    }

    // MARK: Too many

    @Test func fourteenOfAProfileAreFetchedInADay() throws {
        var deck = try Keeping()
        for number in 2...15 { #expect(try deck.hand(Liar.file(number))) }
        #expect(try !deck.hand(Liar.file(16)))
        // Another profile has its own fourteen.
        deck.list([facts(16)], of: try Keeping.add(2, to: &deck.engine))
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
        let first = (0..<15).map { _ in allowance.begin(Self.laptop, profile, now: 1_000) }
        #expect(first == [Bool](repeating: true, count: 14) + [false])
        let ofPhone = allowance.begin(Self.phone, profile, now: 1_000)
        #expect(ofPhone)
    }
}
