import LosslessJSON
import MergeCore
import Testing

/// Saves from snapshots that are no longer the newest, or no longer known.
struct OldSnapshotTests {
    static let rules = RunningGameTests.rules

    private func coins(_ devices: [Device]) -> [Int?] {
        var devices = devices
        settle(&devices)
        return devices.map { $0.value.int("coins") }
    }

    @Test func anOldSaveCopiedBackIsNoEdit() {
        let old = #"{"coins":10,"level":1,"themes":[],"name":"Ada"}"#
        var devices = Device.household(2, Self.rules, sharing: old)
        var game = RunningGame(reading: devices[0])
        game.earn(90)
        game.set("level", 4)
        game.add("a", to: "themes")
        game.save(to: &devices[0])
        devices[1].receive(devices[0])
        let choice = devices[0].take(document(old))
        #expect(choice.isRegressed)
        devices[0].show()
        #expect(devices[0].value == json(#"{"coins":100,"level":4,"themes":["a"],"name":"Ada"}"#))
        #expect(coins(devices) == [100, 100])
    }

    /// Nothing in it grows only, so it cannot be told from a player who spent.
    @Test func knownLimit_anOldSaveWithNothingThatGrowsIsAnOrdinaryEdit() {
        var devices = Device.household(2, Self.rules, sharing: #"{"coins":10,"name":"Ada"}"#)
        var game = RunningGame(reading: devices[0])
        game.earn(90)
        game.save(to: &devices[0])
        let choice = devices[0].take(document(#"{"coins":10,"name":"Ada"}"#))
        #expect(!choice.isRegressed)
        #expect(coins(devices) == [10, 10])
    }

    /// The game's last save put back over a projection is that save, and the projection comes back.
    @Test func theLastSaveCopiedBackOverAProjectionIsNothing() {
        var devices = Device.household(2, Self.rules, sharing: #"{"coins":10,"name":"Ada"}"#)
        devices[1].save(#"{"coins":50,"name":"Bob"}"#)
        devices[0].receive(devices[1])
        #expect(devices[0].take(document(#"{"coins":10,"name":"Ada"}"#)).diff.changes.isEmpty)
        #expect(coins(devices) == [50, 50])
    }

    /// 17 projections: the first of them is forgotten, the game's own save never.
    private func manyProjections(_ mixed: Bool, reloadedAt: Int) -> (devices: [Device], game: RunningGame) {
        var devices = Device.household(
            2, Self.rules, sharing: mixed ? #"{"coins":100,"level":1,"themes":[],"name":"Ada"}"# : #"{"coins":100}"#)
        var game = RunningGame(reading: devices[0])
        for step in 1...17 {
            devices[1].edit {
                let next = $0.setting("coins", to: .number(JSONNumber(100 + 100 * step)))
                return mixed ? next.setting("themes", to: .array((1...step).map { .number(JSONNumber($0)) })) : next
            }
            devices[0].receive(devices[1])
            if step == reloadedAt { game.reload(from: devices[0]) }
        }
        #expect(devices[0].snapshots.count == 17)
        return (devices, game)
    }

    @Test(arguments: [false, true], [0, 2, 3, 9, 16, 17]) func seventeenProjectionsInBetween(mixed: Bool, at: Int) {
        var (devices, game) = manyProjections(mixed, reloadedAt: at)
        game.earn(7)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == max(0, at - 1))
        #expect(coins(devices) == [1_807, 1_807])
    }

    /// Who read the one that is forgotten is measured against a neighbour.
    @Test func knownLimit_theForgottenProjectionIsNoCandidate() {
        var (devices, game) = manyProjections(false, reloadedAt: 1)
        game.earn(7)
        let choice = game.save(to: &devices[0])
        #expect(choice.base == 1)
        #expect(choice.purse?.older == 0)
        #expect(coins(devices) == [1_800, 1_800])
    }

    /// The second game has read what the first wrote over: with anything that grows only, that is noticed, and nothing
    /// that the first one wrote is lost.
    @Test func twoGamesOnOneFile() {
        var devices = Device.household(2, Self.rules, sharing: #"{"coins":100,"level":1,"themes":[],"name":"Ada"}"#)
        var (first, second) = (RunningGame(reading: devices[0]), RunningGame(reading: devices[0]))
        first.earn(10)
        first.add("x", to: "themes")
        first.save(to: &devices[0])
        second.earn(5)
        second.add("y", to: "themes")
        let choice = second.save(to: &devices[0])
        #expect(choice.isRegressed)
        settle(&devices)
        let result = json(#"{"coins":110,"level":1,"themes":["x","y"],"name":"Ada"}"#)
        for device in devices { #expect(Agreed(device.value, Self.rules) == Agreed(result, Self.rules)) }
    }

    @Test func knownLimit_twoGamesWithAPurseAloneOverwriteEachOther() {
        var devices = Device.household(2, Self.rules, sharing: #"{"coins":100}"#)
        var (first, second) = (RunningGame(reading: devices[0]), RunningGame(reading: devices[0]))
        first.earn(10)
        first.save(to: &devices[0])
        second.earn(5)
        #expect(second.save(to: &devices[0]).evidence == .onlySnapshot)
        #expect(coins(devices) == [105, 105])
    }

    /// Where all snapshots say the same, there is nothing to choose.
    @Test func snapshotsThatAgreeAreNoGuess() {
        let snapshots = [#"{"coins":1}"#, #"{ "coins": 1.0 }"#].map { document($0) }
        let choice = BaseChoice(among: snapshots, for: document(#"{"coins":5}"#), rules: Self.rules)
        #expect(choice.base == 1)
        #expect(choice.evidence == .snapshotsAgree)
        // And two that agree do not tie with each other.
        let more = BaseChoice(
            among: snapshots + [document(#"{"coins":99}"#)], for: document(#"{"coins":2}"#), rules: Self.rules)
        #expect(more.base == 1)
        #expect(more.evidence == .nearer(votes: 1, against: 0))
    }
}
