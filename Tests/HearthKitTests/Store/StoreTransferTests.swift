import AgentRuntime
import HearthKit
import TestSupport
import Testing

/// A profile in an exported file: between devices that never meet, and between paired ones.
@Suite(.serialized) struct StoreTransferTests {
    private let laptop = Desk("laptop")
    private let deck = Desk("deck")

    private func file(_ desk: Desk) -> String { desk.folder + "/export.hearth" }

    private func open(_ desk: Desk, slot: String = "player") async throws -> ProfileStore<Hero> {
        try await desk.open(desk.options(.embedded), slot: slot)
    }

    /// Exports a profile with level 4 and 70 coins.
    private func exported(slot: String = "player", passphrase: String? = nil) async throws -> String {
        let saves = try await open(laptop, slot: slot)
        try await saves.update { ($0.level, $0.coins, $0.themes) = (4, 70, ["forest"]) }
        try await saves.export(to: file(laptop), passphrase: passphrase)
        try await saves.close()
        return file(laptop)
    }

    private func refusal(_ body: () async throws -> Void) async -> StoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test func anOldFileOfOnesOwnChangesNothing() async throws {
        let saves = try await open(laptop)
        try await saves.update { $0.coins = 70 }
        try await saves.export(to: file(laptop))
        try await saves.update { $0.coins = 10 }
        let result = try await saves.importFile(file(laptop))
        #expect(result.device == "laptop" && result.changes.isEmpty && result.more == 0)
        #expect(saves.profile.coins == 10)
        try await saves.close()
    }

    /// By importing a file the player has decided, so no prompt follows.
    @Test func aDeviceWithoutASaveGoesOnFromTheFile() async throws {
        let file = try await exported()
        let saves = try await open(deck)
        let asked = await refusal { try await saves.importFile(file) }
        #expect(asked?.code == .needsDecision)
        #expect(saves.profile == Hero() && !deck.exists(saves.path))
        let result = try await saves.importFile(file, trusting: true)
        #expect(result.device == "laptop")
        #expect(result.changes.first { $0.path == "/coins" }?.new == "70", "\(result)")
        #expect(saves.profile.level == 4 && saves.profile.coins == 70 && saves.pendingPrompt == nil)
        #expect(try deck.text(of: saves.path).replacing(" ", with: "").contains("\"coins\":70"))
        try await saves.update { $0.coins += 5 }
        #expect(try await saves.explain(\.coins).contains("75"))
        #expect(try await saves.importFile(file, trusting: true).changes.isEmpty)
        #expect(saves.profile.coins == 75)
        try await saves.close()
        #expect(try await deck.open().profile.coins == 75)
        #expect(!deck.names(in: deck.home.path).contains { $0.hasPrefix("import-") })
    }

    /// Which of the two ids survives is random, so the test runs four times.
    @Test(arguments: 0..<4) func progressOfOnesOwnIsMergedWithTheFile(_: Int) async throws {
        let file = try await exported()
        let saves = try await open(deck)
        try await saves.update { ($0.level, $0.coins, $0.themes) = (9, 40, ["neon"]) }
        let result = try await saves.importFile(file, trusting: true)
        let first = try #require(result.changes.first)
        #expect(first.path == "/coins" && first.old == "40" && first.new == "70", "\(result)")
        #expect(saves.profile.level == 9 && saves.profile.coins == 70 && saves.profile.themes == ["forest", "neon"])
        #expect(saves.pendingPrompt == nil)
        try await saves.update { $0.coins += 1 }
        for _ in 0..<2 {
            #expect(try await saves.importFile(file, trusting: true).changes.isEmpty)
            #expect(saves.profile.coins == 71)
        }
        // The other device plays on, and its file is imported again.
        let other = try await open(laptop)
        try await other.update { ($0.level, $0.coins) = (12, $0.coins + 10) }
        try await other.export(to: file)
        try await other.close()
        try await saves.importFile(file, trusting: true)
        #expect(saves.profile.level == 12 && saves.profile.coins == 81)
        try await saves.close()
        #expect(try await deck.open().profile.coins == 81)
    }

    /// A file of the profile that the household offers answers the prompt, and the save stays in step afterwards.
    @Test(.timeLimit(.minutes(5))) func aFileOfTheHouseholdAnswersThePrompt() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(a.options(.embedded, network: true))
            try await first.update { ($0.level, $0.coins) = (9, 100) }
            try #require(await first.subscribed(within: .seconds(60)))
            try await first.export(to: a.folder + "/export.hearth")
            let second = try await b.open(b.options(.embedded, network: true))
            try #require(await eventually { second.pendingPrompt != nil })
            try await second.importFile(a.folder + "/export.hearth")
            #expect(second.profile.level == 9 && second.profile.coins == 100 && second.pendingPrompt == nil)
            try await second.update { $0.coins += 5 }
            #expect(await eventually { first.profile.coins == 105 })
            try await first.update { $0.coins += 1 }
            #expect(await eventually { second.profile.coins == 106 })
            try await second.close()
            try await first.close()
        }
    }

    @Test func aFileOfAnotherSlotIsNotTaken() async throws {
        let file = try await exported(slot: "second")
        let saves = try await open(deck)
        try await saves.update { $0.coins = 3 }
        let refused = await refusal { try await saves.importFile(file, trusting: true) }
        #expect(refused?.code == .name && refused?.message.contains("rpg/second") == true)
        #expect(saves.profile.coins == 3)
        try await saves.close()
        // The file is not offered for that slot either.
        let second = try await open(deck, slot: "second")
        try #require(await second.subscribed(within: .seconds(60)))
        #expect(second.pendingPrompt == nil && second.profile == Hero())
        try await second.close()
    }

    @Test func aPassphraseKeepsOthersOut() async throws {
        let file = try await exported(passphrase: "correct horse")
        let saves = try await open(deck)
        for wrong in [nil, "correct cow"] {
            let refused = await refusal { try await saves.importFile(file, passphrase: wrong, trusting: true) }
            #expect(refused?.code == .passphrase && refused?.message.contains(file) == true, "\(refused as Any)")
        }
        #expect(saves.profile == Hero())
        try await saves.importFile(file, passphrase: "correct horse", trusting: true)
        #expect(saves.profile.coins == 70)
        let empty = await refusal { try await saves.export(to: file, passphrase: "") }
        #expect(empty?.code == .value)
        // A file that is not encrypted is imported also where a passphrase is given.
        try await saves.export(to: file)
        try await saves.importFile(file, passphrase: "correct cow")
        #expect(saves.profile.coins == 70)
        try await saves.close()
    }

    @Test func whatIsNoExportIsRefused() async throws {
        let saves = try await open(deck)
        try await saves.update { $0.coins = 3 }
        try deck.write("{\"coins\": 9}", to: file(deck))
        #expect(await refusal { try await saves.importFile(file(deck)) }?.code == .damaged)
        #expect(await refusal { try await saves.importFile(deck.folder + "/nothing") }?.code == .disk)
        #expect(saves.profile.coins == 3)
        try await saves.close()
    }
}
