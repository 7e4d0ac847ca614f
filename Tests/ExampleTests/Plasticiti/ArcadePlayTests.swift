import Libc
import Testing

@testable import Plasticiti

/// Everything around the two games, played on a terminal.
@Suite(.serialized, .enabled(if: Table.isSet, "Plasticiti was not built")) struct ArcadePlayTests {
    @Test(.timeLimit(.minutes(5))) func aNameIsKept() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("nZoë\u{7F}" + "é Ünal" + Pty.enter)
        try await game.see("Zoé Ünal")
        game.kill()
        game = try table.play()
        #expect(try await game.menu().contains("Zoé Ünal"))
    }

    /// A reset asks first, clears everything but the name, and survives a restart.
    @Test(.timeLimit(.minutes(5))) func promise7_resetAsksAndStartsOver() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("nAda" + Pty.enter)
        try await game.see("Ada")
        try await game.winWordley()
        try game.type("x2")
        try await game.see("SLIDEIT")
        try game.type(Pty.escape)
        try await game.menu()
        try game.type("r")
        try await game.see("Reset everything?")
        try game.type("n")
        #expect(try await game.see("Nothing was reset.").contains("Score 250"))
        try game.type("r")
        try await game.see("Reset everything?")
        try game.type("y")
        try await game.see("Score 0   Best 0   Achievements 0%   Trophies 0")
        try game.type("q")
        try await game.end()
        game = try table.play()
        let menu = try await game.menu()
        #expect(menu.contains("Score 0   Best 0   Achievements 0%   Trophies 0") && menu.contains("Ada"))
        #expect(menu.contains("Level: Wordley 1, SlideIt 1") && menu.contains("put the tiles in order"))
        try game.type("4")
        #expect(try await game.see("SCOREBOARD").contains("No game was finished yet."))
        try game.type("x5")
        #expect(try await game.see("HISTORY").contains("No game was finished yet."))
    }

    /// Signing out stops sync, also after a restart, and playing goes on.
    @Test(.timeLimit(.minutes(5))) func promise10_signingOutAndIn() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.winWordley()
        try game.type("x")
        try await game.see("Signed in.")
        try game.type("o")
        try await game.see("Signed out: what you play stays on this device.")
        try game.type("2")
        try await game.see("SLIDEIT")
        try game.type("q\u{3}")
        try await game.end()
        game = try table.play()
        try await game.menu()
        try await game.see("Signed out: what you play stays on this device.")
        #expect(game.screen.text.contains("Sign in") && game.screen.text.contains("Score 250"))
        try game.type("o")
        try await game.see("Signed in. Not synced yet.")
        #expect(game.screen.text.contains("Sign out"))
    }

    /// A save that cannot be read stays until the player decides.
    @Test(.timeLimit(.minutes(5))) func aDamagedSaveIsAskedAbout() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.winWordley()
        try game.type("xq")
        try await game.end()
        game = try table.play()
        try await game.menu()
        try game.type("nAda" + Pty.enter)
        try await game.see("Ada")
        try game.type("q")
        try await game.end()
        let damage = "{ \"score\": 250,"
        let save = try table.damage(with: damage)

        game = try table.play()
        try await game.see("Your save cannot be read")
        try game.type(Pty.enter)
        #expect(try await game.end() != 0)
        #expect(table.text(of: save) == damage)
        game = try table.play()
        try await game.see("Your save cannot be read")
        try game.type("b" + Pty.enter)
        #expect(try await game.menu().contains("Score 250   Best 250"))
    }

    // MARK: The terminal

    /// Promise 8, as far as a terminal shows it: after an absence the screen is drawn again.
    @Test(.timeLimit(.minutes(5))) func promise8_comingBackLooksAgain() async throws {
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        game.signal(SIGSTOP)
        try await Task.sleep(for: .milliseconds(2_200))
        // Another program drew on the screen.
        game.clear()
        game.signal(SIGCONT)
        try await game.menu()
        game.clear()
        try game.type("\u{1A}")
        try await game.menu()
        #expect(game.output.contains("\u{1B}[?1049l\u{1B}[?1049h"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [nil, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV] as [Int32?])
    func theTerminalIsAsItWas(signal: Int32?) async throws {
        let table = try Table()
        let game = try table.play()
        // Recorded before the game was started, because the game may have changed the mode already.
        #expect(game.modeBefore == (true, true, true))
        try await game.menu()
        #expect(game.mode == (false, false, false))
        if let signal { game.signal(signal) } else { try game.type("q") }
        #expect(try await game.end() == signal.map { -$0 } ?? 0)
        #expect(game.mode == (true, true, true))
        let parts = game.output.split(separator: "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l", omittingEmptySubsequences: false)
        #expect(parts.count == 2 && !parts[1].contains("\u{1B}[H"), "it left, and drew no more")
    }

    @Test(.timeLimit(.minutes(5))) func coloursUnlessTheyAreRefused() async throws {
        let table = try Table()
        for (environment, isColoured) in [(["NO_COLOR=1"], false), (["NO_COLOR="], true), ([], true)] {
            let game = try table.play(environment: environment)
            try await game.menu()
            try game.type("1")
            try await game.see("WORDLEY")
            #expect(game.output.contains("\u{1B}[1m") == isColoured)
            try game.type("\u{3}")
            try await game.end()
        }
    }

    @Test(.timeLimit(.minutes(5))) func anyWindow() async throws {
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        for (columns, rows) in [(120, 40), (40, 10), (20, 3), (1, 1), (80, 24)] {
            game.resize(columns: columns, rows: rows)
            // Wait for the game to draw on the screen that was emptied here.
            try await game.see("a picture of \(columns) x \(rows)") { $0.text.contains("P") || columns < 10 }
            #expect(!game.screen.hasScrolled && !game.screen.hasOverflown, "\(columns) x \(rows)")
        }
        #expect(try await game.menu().contains("N  Name"))
    }

    @Test func withoutATerminalItSaysSo() async throws {
        let table = try Table()
        let game = try Pty("Plasticiti", ["--home", ""], home: table.folder)
        _ = try await game.read("HOME".lowercased())
        #expect(try await game.end() != 0)
        #expect(game.mode == (true, true, true))
    }
}
