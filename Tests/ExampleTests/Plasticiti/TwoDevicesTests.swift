import TestSupport
import Testing

@testable import Plasticiti

/// Two terminals as two devices of one household, over loopback.
@Suite(.serialized, .enabled(if: Table.isSet && BuiltProgram.path("hearth") != nil, "hearth was not built"))
struct TwoDevicesTests {
    /// Starts an agent without discovery, and returns its port.
    private func agent(_ table: Table, _ device: String) async throws -> (Pty, port: String) {
        let agent = try table.hearth(
            "agent", "--home", table.home(device), "--host", "127.0.0.1", "--port", "0", "--discovery", "off",
            "--name", device, "--json")
        let ready = try await agent.read("\"ready\"")
        let port = try #require(ready.firstMatch(of: /"port":(\d+)/))
        return (agent, String(port.1))
    }

    /// Pairs two devices in the games themselves.
    private func pair(_ laptop: Pty, _ deck: Pty, _ port: String) async throws {
        try laptop.type("p" + Pty.enter)
        try await laptop.see("Type this on the other device:")
        let code = try #require(laptop.screen.text.firstMatch(of: /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/))
        try deck.type("p")
        try await deck.see("Code of the other device:")
        try deck.type("ABCD-ABCD-ABCD-ABCD 127.0.0.1:\(port)" + Pty.enter)
        try await deck.see("what is wrong") { !$0.lines[22].isEmpty && !$0.lines[22].contains("Looking for") }
        try deck.type(String(repeating: "\u{7F}", count: 60) + "\(code.0) 127.0.0.1:\(port)" + Pty.enter)
        try await deck.see("laptop is one of your devices now.")
        try await laptop.see("deck is one of your devices now.")
    }

    @Test(.timeLimit(.minutes(5))) func promise11_eachSeesWhatTheOtherPlayed() async throws {
        let table = try Table()
        let (laptopAgent, port) = try await agent(table, "laptop")
        let (deckAgent, _) = try await agent(table, "deck")
        defer { withExtendedLifetime((laptopAgent, deckAgent)) {} }

        // The laptop plays, then the two are paired. The deck is asked whether to continue from there.
        let laptop = try table.play(on: "laptop", offline: false)
        try await laptop.winWordley()
        try laptop.type("x")
        try await laptop.menu()
        let deck = try table.play(on: "deck", seed: 8, offline: false)
        try await deck.menu()
        try await pair(laptop, deck, port)
        let offer = try await deck.see("YOUR PROGRESS IS ON LAPTOP")
        #expect(offer.contains("best: 250") && offer.contains("go on from there"))
        try deck.type("b")
        try await deck.see("Score 250   Best 250")

        // What the deck plays appears on the laptop's scoreboard while that is shown.
        try deck.type("1")
        try await deck.see("level 3")
        var dice = Dice(seed: 8)
        var inner = Dice(seed: dice.next())
        try await deck.guess(Wordley(level: 3, using: &inner).answer, row: 1)
        try await deck.see("450 points")
        #expect(deck.screen.text.contains("Trophy: Home and away"))
        try laptop.type("4")
        let board = try await laptop.see("deck                  Player")
        #expect(board.contains("1  deck                  Player                  450      450        1"))
        #expect(board.contains("2  laptop                Player                  250      250        1"))
        try laptop.type("x")
        let menu = try await laptop.see("Score 700   Best 450")
        #expect(menu.contains("Level: Wordley 5"))
        try await laptop.see("Last sync")

        // Signed out, the laptop gets nothing; signed in again, both have everything.
        try laptop.type("o")
        try await laptop.see("Signed out")
        try deck.type(Pty.enter)
        try await deck.see("level 5")
        for row in 1...5 { try await deck.guess("zzzzz", row: row) }
        try await deck.see("GAME OVER")
        try laptop.type("nAda" + Pty.enter)
        try await laptop.see("Ada")
        try laptop.type("5")
        #expect(try await laptop.see("HISTORY").contains("deck") && !laptop.screen.text.contains("lost"))
        try laptop.type("xo")
        try await laptop.see("Signed in.")
        try laptop.type("5")
        try await laptop.see("level 5  lost")
        try deck.type("x")
        try await deck.see("Ada")

        // A reset on one device resets both.
        try deck.type("r")
        try await deck.see("Reset everything?")
        try deck.type("y")
        try await deck.see("Score 0   Best 0   Achievements 0%")
        try laptop.type("x")
        try await laptop.see("Score 0   Best 0   Achievements 0%")
    }
}
