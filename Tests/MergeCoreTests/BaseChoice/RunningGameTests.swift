import LosslessJSON
import MergeCore
import Testing

/// Games that hold their state in memory while Hearth writes into their file.
///
/// Each is told with a purse alone, where only numbers speak, and with a save that mixes rules.
struct RunningGameTests {
    static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/level": .init(.max), "/themes": .init(.union), "/won": .init(.flag),
    ])

    enum Save: CaseIterable {
        case purse, mixed

        var start: String {
            self == .purse ? #"{"coins":100}"# : #"{"coins":100,"level":3,"themes":["a"],"won":false,"name":"Ada"}"#
        }

        /// What a device shows in the end; what is mixed in came from the other one.
        func with(coins: Int) -> JSONValue {
            self == .purse
                ? json("{\"coins\":\(coins)}")
                : json("{\"coins\":\(coins),\"level\":7,\"themes\":[\"a\",\"b\"],\"won\":true,\"name\":\"Bob\"}")
        }
    }

    /// File 100, a game that has read it, and 400 more from another device, projected meanwhile.
    private func running(_ save: Save) -> (devices: [Device], game: RunningGame) {
        var devices = Device.household(2, Self.rules, sharing: save.start)
        let game = RunningGame(reading: devices[0])
        devices[1].save(document(save.with(coins: 500)), on: devices[1].snapshots.last)
        devices[0].receive(devices[1])
        #expect(devices[0].value == save.with(coins: 500))
        return (devices, game)
    }

    private func expect(
        _ devices: [Device], _ value: JSONValue, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var devices = devices
        settle(&devices)
        for device in devices { #expect(device.value == value, sourceLocation: sourceLocation) }
    }

    // MARK: Still running, or reloaded

    @Test(arguments: Save.allCases) func aStaleMemoryDoesNotSpendWhatCameIn(save: Save) {
        var (devices, game) = running(save)
        game.earn(10)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == 0)
        #expect(choice.evidence == (save == .purse ? .nearer(votes: 1, against: 0) : .othersRuledOut))
        expect(devices, save.with(coins: 510))
    }

    @Test(arguments: Save.allCases) func whoReloadsAndPlaysOnCountsFromTheProjection(save: Save) {
        var (devices, game) = running(save)
        game.reload(from: devices[0])
        game.earn(10)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == 1)
        #expect(choice.evidence.certainty == (save == .purse ? .guess : .likely))
        devices[1].pull(devices[0])
        devices[1].show()
        devices[1].edit { $0.setting("coins", to: 610) }
        devices[0].receive(devices[1])
        game.earn(1)
        #expect(game.save(to: &devices[0]).base == 0)
        expect(devices, save.with(coins: 611))
    }

    @Test(arguments: Save.allCases) func twoSavesFromOneStaleMemory(save: Save) {
        var (devices, game) = running(save)
        game.earn(10)
        game.save(to: &devices[0])
        devices[0].show()
        #expect(devices[0].value == save.with(coins: 510))
        // The same again: nothing was earned meanwhile.
        #expect(game.save(to: &devices[0]).base == 0)
        devices[0].show()
        #expect(devices[0].value == save.with(coins: 510))
        game.earn(10)
        #expect(game.save(to: &devices[0]).base == 0)
        expect(devices, save.with(coins: 520))
    }

    // MARK: Exactly what came in is spent

    @Test func knownLimit_spendingExactlyWhatCameInIsForgotten() {
        var (devices, game) = running(.purse)
        game.reload(from: devices[0])
        game.earn(-400)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == 0)
        #expect(choice.evidence == .nearer(votes: 2, against: 0))
        expect(devices, Save.purse.with(coins: 500))
    }

    @Test func knownLimit_earningExactlyWhatCameInIsForgotten() {
        var (devices, game) = running(.purse)
        game.earn(400)
        #expect(game.save(to: &devices[0]).base == 1)
        expect(devices, Save.purse.with(coins: 500))
    }

    @Test func earningOverHalfOfWhatCameInIsAsked() {
        var (devices, game) = running(.purse)
        game.earn(250)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == 1)
        #expect(choice.evidence.certainty == .guess)
        #expect(choice.choice.openAmounts.map(\.ifUnread) == [ExactDecimal(250)])
        expect(devices, Save.purse.with(coins: 500))
    }

    @Test func spendingExactlyWhatCameInCountsWhereAnythingElseSpeaks() {
        var (devices, game) = running(.mixed)
        game.reload(from: devices[0])
        game.earn(-400)
        #expect(game.save(to: &devices[0]).base == 1)
        expect(devices, Save.mixed.with(coins: 100))
    }

    @Test func aUnionsWitnessOutweighsAPurse() {
        let start = #"{"coins":100,"themes":["a"]}"#
        for spent in [400, 390] {
            var devices = Device.household(2, Self.rules, sharing: start)
            devices[1].save(#"{"coins":500,"themes":["a","b"]}"#)
            devices[0].receive(devices[1])
            var game = RunningGame(reading: devices[0])
            game.earn(-spent)
            let choice = game.save(to: &devices[0])
            #expect(choice.base == 1)
            #expect(choice.evidence == .nearer(votes: 3, against: spent == 400 ? 2 : 1))
            expect(devices, json("{\"coins\":\(500 - spent),\"themes\":[\"a\",\"b\"]}"))
        }
    }

    // MARK: What the shell saw

    @Test(arguments: Save.allCases) func aProcessThatStartedLaterHasReadTheProjection(save: Save) {
        var (devices, game) = running(save)
        game.reload(from: devices[0])
        game.earn(-400)
        let choice = game.save(to: &devices[0], .init(startedAfter: 1))
        #expect(choice.base == 1)
        #expect(choice.evidence == .processStart)
        #expect(choice.evidence.certainty == .certain)
        expect(devices, save.with(coins: 100))
    }

    /// A start before the projection rules nothing out.
    @Test(arguments: [nil, 0, -3] as [Int?]) func aProcessThatStartedEarlierMayHaveReadEither(start: Int?) {
        var (devices, game) = running(.purse)
        game.earn(10)
        #expect(game.save(to: &devices[0], .init(startedAfter: start)).base == 0)
    }

    /// Of the snapshots since the start the content chooses.
    @Test func aProcessStartLeavesTheLaterSnapshots() {
        for reloaded in [false, true] {
            var (devices, game) = running(.purse)
            game.reload(from: devices[0])
            devices[1].set("coins", 900)
            devices[0].receive(devices[1])
            if reloaded { game.reload(from: devices[0]) }
            // 110 would be nearest to the snapshot before the start.
            game.earn(reloaded ? 10 : -390)
            let choice = game.save(to: &devices[0], .init(startedAfter: 1, openedAfterSwap: [1, 2]))
            #expect(choice.base == 2)
            #expect(choice.purse?.older == (reloaded ? nil : 1))
            expect(devices, Save.purse.with(coins: reloaded ? 910 : 900))
        }
    }

    /// A save that lacks what its process must have read was written by another one, or from an older copy.
    @Test func growOnlyLeavesOverruleAProcessStart() {
        var (devices, game) = running(.mixed)
        game.earn(10)
        let choice = game.save(to: &devices[0], .init(startedAfter: 1))
        #expect(choice.base == 0)
        #expect(choice.evidence == .othersRuledOut)
        #expect(!choice.isRegressed)
        expect(devices, Save.mixed.with(coins: 510))
    }

    @Test(arguments: Save.allCases) func anIndexerThatOpensTheFileChangesNothing(save: Save) {
        var (devices, game) = running(save)
        game.earn(10)
        #expect(game.save(to: &devices[0], .init(openedAfterSwap: [1])).base == 0)
        expect(devices, save.with(coins: 510))
    }

    @Test func anOpenSettlesATie() {
        for (opened, isSeen) in [([], false), ([0], false), ([1], true), ([0, 1, 7], true)] as [(Set<Int>, Bool)] {
            var (devices, game) = running(.purse)
            game.earn(200)
            let choice = game.save(to: &devices[0], .init(openedAfterSwap: opened))
            #expect(choice.base == 1)
            #expect(choice.evidence == (isSeen ? .opened : .undecided))
            #expect(choice.evidence.certainty == .guess)
            expect(devices, Save.purse.with(coins: 300))
        }
    }

    /// A clock goes on whatever was read; only the purse speaks.
    @Test func aLaterTimeIsNoWitness() {
        let rules = MergeCoreTests.rules(["/coins": .init(.counter), "/played": .init(.max)])
        for rules in [rules, MergeCoreTests.rules(["/coins": .init(.counter)])] {
            var devices = Device.household(2, rules, sharing: #"{"coins":100,"played":1000}"#)
            var game = RunningGame(reading: devices[0])
            devices[1].save(#"{"coins":500,"played":2000}"#)
            devices[0].receive(devices[1])
            game.earn(10)
            game.set("played", 3_000)
            #expect(game.save(to: &devices[0]).base == 0)
            expect(devices, json(#"{"coins":510,"played":3000}"#))
        }
    }

    @Test func evidenceIsSaidInASentence() {
        let all: [BaseChoice.Evidence] = [
            .onlySnapshot, .processStart, .othersRuledOut, .snapshotsAgree, .nearer(votes: 5, against: 0),
            .nearer(votes: 5, against: 2), .opened, .reopened, .unread, .undecided, .onePlaceLowered, .contested,
            .unopened, .lacking, .setBack, .order, .begunAnew, .removed, .outdated, .notAccepted, .stoodLonger,
            .olderOrder,
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        for evidence in all { #expect(evidence.description.contains("guess") == (evidence.certainty == .guess)) }
        #expect(BaseChoice.Evidence.nearer(votes: 2, against: 0).certainty == .guess)
        #expect(BaseChoice.Evidence.nearer(votes: 3, against: 0).certainty == .likely)
    }
}
