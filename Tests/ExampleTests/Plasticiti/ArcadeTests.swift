import HearthKit
import Testing

@testable import Plasticiti

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ArcadeTests {
    private let occasion = Occasion(device: "laptop", now: Date(timeIntervalSince1970: 1_700_000_000))

    private func guess(_ word: String, _ arcade: inout Arcade) -> Outcome {
        for letter in word { _ = arcade.make(.type(letter), occasion) }
        return arcade.make(.guess, occasion)
    }

    /// No level is easier than the one before.
    @Test func theLadderGetsHarder() {
        for level in 1..<Ladder.top {
            let (a, b) = (Ladder.wordley(level), Ladder.wordley(level + 1))
            #expect(a.guesses > b.guesses || (a.guesses == b.guesses && (!a.usesHints || b.usesHints)))
            let (c, d) = (Ladder.slideIt(level), Ladder.slideIt(level + 1))
            #expect(c.side < d.side || (c.side == d.side && (c.shuffle < d.shuffle || c.seconds >= d.seconds)))
        }
        #expect((1...6).map(Ladder.stars(guesses:)) == [3, 3, 3, 2, 1, 1])
        #expect(Ladder.next(after: 4, stars: 3) == 6 && Ladder.next(after: 4, stars: 1) == 5)
        #expect(Ladder.next(after: Ladder.top, stars: 3) == Ladder.top)
    }

    @Test func aVictoryCountsEverywhereAtOnce() {
        var arcade = Arcade()
        _ = arcade.make(.begin(.wordley, seed: 5), occasion)
        let answer = arcade.wordleyGame?.answer ?? ""
        let outcome = guess(answer, &arcade)
        #expect(outcome.ending?.stars == 3 && outcome.ending?.nextLevel == 3 && outcome.ending?.isBest == true)
        #expect(outcome.ending?.newTrophies == [.firstWord, .threeGuesses])
        #expect(arcade.wordleyGame == nil && arcade.score == 250 && arcade.best == 250)
        let results = arcade.wordley
        #expect(results.level == 3 && results.best == 250 && results.played == 1 && results.won == 1)
        #expect(arcade.history.count == 1 && arcade.history[0].isWon && arcade.history[0].points == 250)
        #expect(arcade.scoreboard["laptop"]?.score == 250 && arcade.scoreboard["laptop"]?.games == 1)
        #expect(arcade.achievementPercent == 16)
    }

    @Test func aLossCountsAsPlayedAndCostsNothing() {
        var arcade = Arcade()
        (arcade.score, arcade.best) = (100, 100)
        arcade.slideItGame = SlideIt(level: 1, side: 3, tiles: [1, 2, 3, 4, 5, 6, 7, 0, 8])
        // The move would solve the board, but comes too late.
        let outcome = arcade.make(.slide(.left, time: 90_000), occasion)
        #expect(outcome.ending?.game.isWon == false && arcade.slideItGame == nil)
        #expect(arcade.score == 100 && arcade.best == 100 && arcade.slideIt.level == 1 && arcade.slideIt.played == 1)
    }

    /// A save may contain any numbers.
    @Test func hugeNumbersDoNoHarm() {
        var arcade = Arcade()
        (arcade.score, arcade.wordley.level, arcade.wordley.played) = (.max, .max, .max)
        var standing = Standing()
        (standing.score, standing.games) = (.max, .max)
        arcade.scoreboard["laptop"] = standing
        _ = arcade.make(.begin(.wordley, seed: 5), occasion)
        let outcome = guess(arcade.wordleyGame?.answer ?? "", &arcade)
        #expect(outcome.ending?.game.isWon == true && arcade.score == .max && arcade.wordley.level == .max)
    }

    @Test func everyTrophyCanBeEarned() {
        var arcade = Arcade()
        for round in 0..<12 as Range<UInt64> {
            let place = Occasion(device: round % 2 == 0 ? "laptop" : "deck", now: occasion.now + Double(round))
            _ = arcade.make(.begin(.wordley, seed: round), place)
            let answer = arcade.wordleyGame?.answer ?? ""
            for _ in 1..<(round == 0 ? 6 : 1) { _ = guess("zzzzz", &arcade) }
            _ = guess(answer, &arcade)
            let level = Int(round) + 1
            let side = Ladder.slideIt(level).side
            let tiles = Array(1..<side * side - 1) + [0, side * side - 1]
            arcade.slideItGame = SlideIt(level: level, side: side, tiles: tiles)
            _ = arcade.make(.slide(.left, time: 5), place)
        }
        #expect(arcade.trophies == Set(Trophy.allCases) && arcade.achievementPercent == 100)
    }

    /// The clock runs only while the board is shown, and the time counts whenever the player leaves it.
    @Test func theClockStopsInTheMenu() {
        var arcade = Arcade()
        var cabinet = Cabinet(seed: 1)
        func press(_ key: Key) {
            for case .move(let move) in cabinet.press(key, arcade, HouseholdState()) {
                cabinet.show(arcade.make(move, occasion))
            }
        }
        press(.letter("2"))
        #expect(cabinet.pass(900, arcade).isEmpty)
        // Played time is saved each second.
        for case .edit(let move) in cabinet.pass(2_600, arcade) { _ = arcade.make(move, occasion) }
        #expect(arcade.slideItGame?.milliseconds == 3_500)
        #expect(cabinet.pass(500, arcade).isEmpty)
        press(.escape)
        #expect(cabinet.screen == .menu && arcade.slideItGame?.milliseconds == 4_000)
        #expect(cabinet.pass(500_000, arcade).isEmpty)
        press(.letter("2"))
        for case .move(let move) in cabinet.pass(86_000, arcade) { cabinet.show(arcade.make(move, occasion)) }
        guard case .ended(let ending) = cabinet.screen else {
            Issue.record("the time was not up")
            return
        }
        #expect(!ending.game.isWon && arcade.slideItGame == nil)
    }

    @Test func rulesAreWhatTheTypeSays() throws {
        let rules = try Arcade.ruleFile
        for line in [
            "/score: counter", "/best: max", "/trophies: union", "/wordley/level: max", "/scoreboard/*/games: counter",
            "/playerName: latest", "/wordleyGame: local", "/slideItGame: local",
        ] {
            #expect(rules.contains(line), "\(line) in \(rules)")
        }
    }
}
