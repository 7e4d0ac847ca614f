import LosslessJSON
import MergeCore
import Testing

/// What opens of the file tell about what a game had read, beside what its numbers say.
struct BaseReadsTests {
    private typealias Sightings = BaseChoice.Sightings

    private static let start = #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#
    private static let other = #"{"coins":500,"level":3,"themes":["a"],"won":false,"name":"Bob"}"#

    /// File 100, a game that has read it, and what came in from another device, projected meanwhile.
    private func running(_ start: String, _ other: String) -> (devices: [Device], game: RunningGame) {
        var devices = Device.household(2, RunningGameTests.rules, sharing: start)
        let game = RunningGame(reading: devices[0])
        devices[1].save(document(json(other)), on: devices[1].snapshots.last)
        devices[0].receive(devices[1])
        return (devices, game)
    }

    private func purse() -> (devices: [Device], game: RunningGame) { running(#"{"coins":100}"#, #"{"coins":500}"#) }

    private func total(_ devices: [Device]) -> Int? {
        var devices = devices
        settle(&devices)
        return devices[0].value.int("coins")
    }

    /// Whatever it earned or spent, also what is forgotten or asked about where only the purse speaks.
    @Test(arguments: [-90, -10, 10, 150, 210, 250, 340, 400, 399, 401, 800, 4_000])
    func whatNobodyOpenedNobodyRead(earned: Int) {
        var (devices, game) = purse()
        game.earn(earned)
        let choice = game.save(to: &devices[0], Sightings(unread: [1], isWriterKnown: true))
        #expect(choice.base == 0 && choice.purse == nil)
        #expect(choice.evidence == .unread && choice.evidence.certainty == .certain)
        #expect(total(devices) == 500 + earned)
    }

    /// Of several snapshots those count that were opened, and the one the game wrote itself.
    @Test func theSnapshotsThatWereOpenedRemain() {
        for reads in [0, 1, 2, 3] {
            var (devices, game) = purse()
            var unread: Set<Int> = []
            for snapshot in 1...3 {
                if snapshot > 1 {
                    devices[1].set("coins", .number(JSONNumber(500 + 1_000 * snapshot)))
                    devices[0].receive(devices[1])
                }
                if reads == snapshot { game.reload(from: devices[0]) } else { unread.insert(snapshot) }
            }
            #expect(devices[0].snapshots.count == 4)
            game.earn(7)
            let choice = game.save(to: &devices[0], Sightings(unread: unread, isWriterKnown: true))
            #expect(choice.base == reads)
            #expect(total(devices) == 3_507)
        }
    }

    /// A save that holds what came in, though nobody has opened the file here, was copied from where it came in; or its
    /// game came by the same things by itself, so that it is said.
    @Test(arguments: [true, false]) func aCopyOfAnotherDevicesFileIsNoPlay(isWriterKnown: Bool) {
        var (devices, _) = running(Self.start, #"{"coins":500,"level":5,"themes":["a","b"],"won":false,"name":"Bob"}"#)
        let copy = json(#"{"coins":510,"level":5,"themes":["a","b"],"won":false,"name":"Bob"}"#)
        let choice = devices[0].take(document(copy), Sightings(unread: [1], isWriterKnown: isWriterKnown))
        #expect(choice.base == 1)
        #expect(choice.evidence == .unopened && choice.evidence.certainty == .guess)
        #expect(total(devices) == 510)
    }

    /// Both games earn 100 and beat the same boss; then the one that runs since before spends 40, or nothing. Nothing that
    /// the save holds outweighs that nobody has opened the file; and it is a guess, since a program may have fetched the
    /// other save by itself.
    @Test(arguments: [60, 100]) func whatAGameThatRunsSinceBeforeHoldsIsItsOwn(gained: Int) {
        let start = #"{"coins":1800,"earned":5000,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#
        let other = #"{"coins":1900,"earned":5100,"level":3,"themes":["a"],"won":true,"name":"Ada"}"#
        let rules = MergeCoreTests.rules(["/coins": .init(.counter), "/earned": .init(.counter), "/won": .init(.flag)])
        for sightings in [Sightings(unread: [1], runningSince: 0), Sightings(unread: [1])] {
            var devices = Device.household(2, rules, sharing: start)
            var game = RunningGame(reading: devices[0])
            devices[1].save(document(json(other)), on: devices[1].snapshots.last)
            devices[0].receive(devices[1])
            game.earn(gained)
            game.set("earned", .number(JSONNumber(5100)))
            game.set("won", .bool(true))
            let choice = game.save(to: &devices[0], sightings)
            let isKnown = sightings.runningSince != nil
            #expect(choice.base == (isKnown ? 0 : 1))
            #expect(choice.evidence == (isKnown ? .heldByUnread : .unopened))
            #expect(choice.evidence.certainty == .guess)
            #expect(total(devices) == (isKnown ? 1900 + gained : 1800 + gained))
        }
    }

    /// Where the save is its game's own beyond doubt, there is nothing to guess.
    @Test func aSaveUnlikeWhatCameInIsNoGuess() {
        var (devices, game) = purse()
        game.earn(7)
        let choice = game.save(to: &devices[0], Sightings(unread: [1], runningSince: 0))
        #expect(choice.base == 0 && choice.evidence == .unread)
        #expect(total(devices) == 507)
    }

    /// A program that was started when the snapshot stood there, and has not opened it, is not the one that wrote.
    @Test func whatStartedLaterSaysNothingOfACopy() {
        let copy = json(#"{"coins":510,"level":5,"themes":["a","b"],"won":false,"name":"Bob"}"#)
        var (devices, _) = running(Self.start, #"{"coins":500,"level":5,"themes":["a","b"],"won":false,"name":"Bob"}"#)
        let choice = devices[0].take(document(copy), Sightings(unread: [1], isWriterKnown: true, runningSince: 1))
        #expect(choice.base == 1 && choice.evidence == .unopened)
    }

    /// With a purse alone nobody can tell such a copy from a game that earned nearly what came in.
    @Test(arguments: [460, 490, 500, 510]) func aPurseThatFitsWhatNobodyReadIsAsked(coins: Int) {
        let unread = Sightings(unread: [1])
        var (devices, _) = purse()
        let choice = devices[0].take(document(json("{\"coins\":\(coins)}")), unread)
        #expect(choice.choice.openAmounts.map(\.ifUnread) == [ExactDecimal(coins - 100)])
        #expect(choice.choice.openAmounts.map(\.ifRead) == [ExactDecimal(coins - 500)])
        #expect(total(devices) == 500, "neither counts before it is answered")
        // Where it is less near, a game that goes on is likelier than a copy.
        var (others, game) = purse()
        game.earn(300)
        #expect(game.save(to: &others[0], unread).evidence == .unread)
        #expect(total(others) == 800)
    }

    /// One place that happens to hold what came in is no copy.
    @Test func oneEqualPlaceIsNoCopy() {
        var (devices, game) = running(Self.start, Self.other)
        game.earn(10)
        game.set("name", .string("Bob"))
        let choice = game.save(to: &devices[0], Sightings(unread: [1], isWriterKnown: true))
        #expect(choice.base == 0 && choice.evidence == .unread)
        #expect(total(devices) == 510)
    }

    /// A process that started after the projection and has not opened it is not the one that wrote.
    @Test func whoStartedLaterAndOpenedNothingWroteNothing() {
        var (devices, game) = purse()
        game.earn(10)
        let choice = game.save(to: &devices[0], Sightings(startedAfter: 1, unread: [1], isWriterKnown: true))
        #expect(choice.base == 0 && choice.evidence == .unread)
        #expect(total(devices) == 510)
    }

    /// What an undo put back is read by whoever has read what it equals: play after it counts.
    @Test func aSnapshotEqualToOneThatWasReadIsNotUnread() {
        var (devices, game) = purse()
        devices[1].set("coins", 100)
        devices[0].receive(devices[1])
        #expect(devices[0].snapshots.count == 3)
        game.earn(5)
        let choice = game.save(to: &devices[0], Sightings(unread: [1, 2], isWriterKnown: true))
        #expect(choice.base == 2)
        #expect(total(devices) == 105)
    }

    // MARK: Opens

    /// 400 came in, and 180 of 500 was spent: a purse cannot tell. The open does, where only games open files.
    @Test(arguments: [true, false]) func anOpenTellsWhereHardlyAnybodyElseOpens(opensTell: Bool) {
        var (devices, game) = purse()
        game.reload(from: devices[0])
        game.earn(-180)
        let choice = game.save(to: &devices[0], Sightings(openedAfterSwap: [1], opensTell: opensTell))
        #expect(choice.base == 1)
        #expect((choice.purse == nil) == opensTell)
        #expect(choice.evidence.certainty == (opensTell ? .likely : .guess))
        if opensTell { #expect(total(devices) == 320) }
    }

    /// A machine plays, then this one, which reads its file at its start: it comes back to a value, spends what came in, or
    /// lacks what came in. That it was opened says more than so little.
    @Test(arguments: [
        (
            #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#,
            #"{"coins":108,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#, 100
        ),
        (
            #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#,
            #"{"coins":108,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#, 103
        ),
        (
            #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#,
            #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Bob"}"#, 100
        ),
    ])
    func anOpenOutweighsLittle(start: String, other: String, coins: Int) {
        for tells in [true, false] {
            let (devices, _) = running(start, other)
            let choice = devices[0].guess(
                document(json(start.replacing("100", with: "\(coins)"))),
                Sightings(openedAfterSwap: [1], opensTell: tells)
            ).choice
            #expect(choice.evidence.certainty == .guess)
            #expect((choice.evidence == .openedLast) == tells)
            #expect(choice.base == (tells ? 1 : choice.base))
            #expect(choice.purse == nil || !tells)
        }
    }

    /// It stands against no content that says more.
    @Test func anOpenDoesNotOutweighTheContent() {
        var (devices, game) = purse()
        game.earn(10)
        let choice = game.save(to: &devices[0], Sightings(openedAfterSwap: [1], opensTell: true))
        #expect(choice.base == 0)
        #expect(choice.evidence.certainty == .guess)
    }
}
