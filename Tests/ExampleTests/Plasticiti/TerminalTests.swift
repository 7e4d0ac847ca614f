import Testing

@testable import Plasticiti

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct TerminalTests {
    /// Keys are read correctly wherever the bytes are split.
    @Test func keysInPieces() {
        let bytes = Array("a\u{1B}[Aé\u{1B}[1;5C\r\u{7F}€\u{1B}OD\u{3}".utf8)
        let keys: [Key] = [
            .letter("a"), .up, .letter("é"), .right, .enter, .backspace, .letter("€"), .left, .interrupt,
        ]
        for cut in 0...bytes.count {
            var reader = KeyReader()
            #expect(reader.keys(Array(bytes[..<cut])) + reader.keys(Array(bytes[cut...])) == keys, "cut at \(cut)")
        }
    }

    @Test func escapeIsAKeyWhenNothingFollows() {
        var reader = KeyReader()
        #expect(reader.keys([0x1B]).isEmpty)
        #expect(reader.settle() == [.escape] && reader.settle().isEmpty)
        #expect(reader.keys([0x1B, UInt8(ascii: "x")]) == [.escape, .letter("x")])
    }

    /// Random bytes never crash the reader, and plain letters are keys again afterwards.
    @Test func anyBytes() {
        var dice = Dice(seed: 11)
        for _ in 0..<2_000 {
            var reader = KeyReader()
            _ = reader.keys((0..<40).map { _ in UInt8.random(in: 0...255, using: &dice) })
            _ = reader.settle()
            #expect(reader.keys(Array("@@x".utf8)).last == .letter("x"))
        }
    }

    @Test func namesMoveNoCursor() {
        #expect("\u{1B}[2Jboom\u{7}\u{202E}".plain() == "[2Jboom")
        #expect(String(repeating: "x", count: 100).plain() == String(repeating: "x", count: 20))
        #expect(("e" + String(repeating: "\u{301}", count: 10_000)).plain().unicodeScalars.count <= 80)
    }

    /// Every screen fits 80 × 24, even with as much content as possible.
    @Test func everyScreenFits() {
        var arcade = Arcade()
        arcade.playerName = String(repeating: "W", count: 100)
        arcade.trophies = Set(Trophy.allCases)
        (arcade.score, arcade.best) = (99_999_999, 9_999_999)
        let game = FinishedGame(
            endedAt: .distantPast, game: .slideIt, player: arcade.playerName, device: arcade.playerName, level: 99,
            isWon: true, points: 99_999, effort: 500)
        arcade.history = Array(repeating: game, count: 50)
        for number in 0..<40 { arcade.scoreboard["\(arcade.playerName)\(number)"] = Standing() }
        arcade.wordleyGame = Wordley(answer: "label", level: 1)
        arcade.slideItGame = SlideIt(level: 9, side: 5, tiles: SlideIt.order(5))
        let ending = Ending(
            game: game, stars: 3, nextLevel: 99, isBest: true, newTrophies: Array(Trophy.allCases.prefix(5)))
        let long = String(repeating: "trouble ", count: 40)
        let offer = HouseholdState.Offer(device: long, lines: Array(repeating: long, count: 30), hasOwnProgress: true)
        let screens: [Cabinet.Screen] = [
            .menu, .wordley, .slideIt, .trophies, .scoreboard, .history, .resetting, .naming(arcade.playerName),
            .pairing(long),
            .ended(ending),
        ]
        for household in [HouseholdState(line: long), HouseholdState(device: long, trouble: long, offer: offer)] {
            for screen in screens {
                var cabinet = Cabinet(seed: 1)
                (cabinet.screen, cabinet.note) = (screen, long)
                let frame = cabinet.frame(arcade, household)
                #expect(frame.rows.count == Frame.height, "\(screen)")
                let width = frame.rows.map { $0.reduce(0) { $0 + $1.text.count } }.max() ?? 0
                #expect(width <= 80, "\(screen)")
            }
        }
    }
}
