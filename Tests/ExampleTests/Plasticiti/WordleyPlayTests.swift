import Libc
import TestSupport
import Testing

@testable import Plasticiti

/// Wordley, played on a terminal.
@Suite(.serialized, .enabled(if: Table.isSet, "Plasticiti was not built")) struct WordleyPlayTests {
    /// With seed 7 the answer is RANCH.
    @Test(.timeLimit(.minutes(5))) func promise9_aGameIsWonWithMarksAndKeyboard() async throws {
        #expect(Table.answer(seed: 7) == "ranch")
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("guess 1 of 6")
        let first = try await game.guess("crane", row: 1)
        #expect(first.contains("(C) (R) (A) (N)  e"))
        #expect(first.contains("Q  W  e (R) T  Y"))
        let second = try await game.guess("arrrr", row: 2)
        #expect(second.contains("(A) (R)  r   r   r"))
        let third = try await game.guess("monch", row: 3)
        #expect(third.contains(" m   o  [N] [C] [H]"))
        #expect(third.contains("G [H] J  K  L") && third.contains("Z  X [C] V  B [N] m"))
        try game.type("ranch" + Pty.enter)
        let end = try await game.see("VICTORY")
        #expect(end.contains("RANCH in 4 of 6 guesses") && end.contains("200 points") && end.contains("A new best!"))
        #expect(end.contains("Level 2 comes next.") && end.contains("Trophy: First word"))
        #expect(end.contains("Score 200   Best 200   Achievements 8%"))
        try game.type("x")
        let menu = try await game.menu()
        #expect(menu.contains("Score 200   Best 200   Achievements 8%   Trophies 1"))
        #expect(menu.contains("Level: Wordley 2, SlideIt 1"))
        try game.type("3")
        let trophies = try await game.see("TROPHIES")
        #expect(trophies.contains("* First word") && trophies.contains("- Mind reader"))
        try game.type("x4")
        let scoreboard = try await game.see("SCOREBOARD")
        #expect(scoreboard.contains("1  laptop                Player                  200      200        1"))
        try game.type("x5")
        #expect(try await game.see("HISTORY").contains("Wordley  level 1  won    200  Player       laptop"))
        try game.type("xq")
        #expect(try await game.end() == 0)
        #expect(!game.screen.hasScrolled && !game.screen.hasOverflown)
    }

    @Test(.timeLimit(.minutes(5))) func aGameIsLost() async throws {
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("guess 1 of 6")
        for row in 1...5 { try await game.guess("zebra", row: row) }
        try game.type("zebra" + Pty.enter)
        let end = try await game.see("GAME OVER")
        #expect(end.contains("The word was RANCH.") && end.contains("Score 0   Best 0") && !end.contains("Trophy"))
        try game.type(Pty.enter)
        try await game.see("guess 1 of 6")
        try game.type(Pty.escape)
        #expect(try await game.menu().contains("Level: Wordley 1"))
        try game.type("5")
        #expect(try await game.see("HISTORY").contains("Wordley  level 1  lost     0"))
    }

    /// Every move is on disk before the next key is handled.
    @Test(.timeLimit(.minutes(5))) func promise1_aKilledGameGoesOnWhereItWas() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("guess 1 of 6")
        for (row, word) in ["crane", "money", "hotel"].enumerated() {
            let board = try await game.guess(word, row: row + 1)
            game.kill()
            game = try table.play(seed: 99)
            #expect(try await game.menu().contains("continue at guess \(row + 2) of 6"))
            try game.type("1")
            // Compare the board only; the line about other devices may differ.
            let resumed = try await game.see("WORDLEY")
            #expect(Self.rows(resumed) == Self.rows(board))
        }
        try game.type("ranch" + Pty.enter)
        try await game.see("VICTORY")
        game.kill()
        game = try table.play()
        let menu = try await game.menu()
        #expect(menu.contains("Score 200   Best 200") && menu.contains("guess the word"))
    }

    private static func rows(_ screen: String) -> [Substring] {
        screen.split(separator: "\n").filter { !$0.hasPrefix(" Signed in") && !$0.hasPrefix(" Playing on") }
    }

    /// Typed letters of a guess are saved within a second, and at once when the game gets a signal to end.
    @Test(.timeLimit(.minutes(5))) func promise30_halfAGuessSurvivesATermination() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("1cra")
        try await game.see("C   R   A   _   _")
        game.signal(SIGTERM)
        #expect(try await game.end() == -SIGTERM)
        game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("C   R   A   _   _")
    }

    /// Typed letters are saved without any signal, so nothing is unsaved when the game is killed.
    @Test(.timeLimit(.minutes(5))) func promise30_halfAGuessIsSavedByItself() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("guess 1 of")
        // Three times: the first save may be due to the subscription that has just begun.
        for typed in ["c", "cr", "cra"] {
            try game.type(String(typed.suffix(1)))
            #expect(await eventually { table.save().contains("\"\(typed)\"") })
        }
        game.kill()
        game = try table.play()
        try await game.menu()
        try game.type("1")
        try await game.see("C   R   A   _   _")
    }

    @Test(.timeLimit(.minutes(5))) func whatIsNoGuessSaysWhy() async throws {
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        try game.type("1cr4ne" + Pty.enter)
        #expect(try await game.see("A guess has 5 letters.").contains("C   R   N   E   _"))
        try game.type("\u{7F}\u{7F}x")
        try await game.see("C   R   X   _   _")
    }
}
