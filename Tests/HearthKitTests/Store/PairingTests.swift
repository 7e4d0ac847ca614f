import HearthKit
import TestSupport
import Testing

/// Two games that run on devices of no household are paired from inside, and what both have comes together while they
/// run.
@Suite(.serialized) struct PairingTests {
    private let laptop = Desk("laptop")
    private let deck = Desk("deck")

    private func open(_ desk: Desk, _ paired: StoreOptions.PairedProfile) async throws -> ProfileStore<Hero> {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = paired
        return try await desk.open(options)
    }

    /// Pairs two stores as their players do. Returns what each says.
    private func pair(
        _ first: ProfileStore<Hero>, _ second: ProfileStore<Hero>
    ) async throws -> (first: PairingResult, second: PairingResult) {
        let address = try #require(try await first.pairingAddresses().first)
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        async let shown = first.pair { code.yield($0) }
        var typed: PairingResult?
        for await text in codes {
            typed = try await second.pair(with: text, address: "127.0.0.1:" + address.split(separator: ":").last!)
            break
        }
        return (try await shown, try #require(typed))
    }

    @Test(.timeLimit(.minutes(5))) func bothProgressesAreThereWhenItReturns() async throws {
        let (first, second) = (try await open(laptop, .automatic), try await open(deck, .automatic))
        try await first.update { ($0.coins, $0.level, $0.themes) = (100, 3, ["forest"]) }
        try await second.update { ($0.coins, $0.level, $0.themes) = (40, 5, ["neon"]) }
        let said = try await pair(first, second)
        #expect(said.first.device.name == "deck" && said.second.device.name == "laptop")
        #expect(said.first.waitsFor == nil)
        #expect(said.second.waitsFor == nil)
        for saves in [first, second] {
            #expect(saves.profile.coins == 140, "\(saves.profile)")
            #expect(saves.profile.level == 5 && saves.profile.themes == ["forest", "neon"])
        }
        #expect(await eventually { first.id == second.id })
        try await second.update { $0.coins += 1 }
        #expect(await eventually { first.profile.coins == 141 })
        try await first.close()
        try await second.close()
    }

    /// A device that has nothing yet says that its player is asked, and the other one that it waits for nobody.
    @Test(.timeLimit(.minutes(5))) func whoIsAskedIsWhatItWaitsFor() async throws {
        let (first, second) = (try await open(laptop, .ask), try await open(deck, .ask))
        try await first.update { $0.coins = 100 }
        let said = try await pair(first, second)
        #expect(said.first.waitsFor == nil)
        #expect(said.second.waitsFor == .prompt)
        try await second.pendingPrompt?.restore()
        #expect(second.profile.coins == 100 && first.id == second.id)
        try await first.close()
        try await second.close()
    }

    /// Where both have progress both players are asked, and one answer is enough.
    @Test(.timeLimit(.minutes(5))) func oneAnswerBringsBothTogether() async throws {
        let (first, second) = (try await open(laptop, .ask), try await open(deck, .ask))
        try await first.update { ($0.coins, $0.level) = (100, 3) }
        try await second.update { ($0.coins, $0.level) = (40, 5) }
        let said = try await pair(first, second)
        #expect(said.first.waitsFor == .prompt && said.second.waitsFor == .prompt)
        try await second.pendingPrompt?.join()
        for saves in [first, second] {
            #expect(await eventually { saves.profile.coins == 140 && saves.profile.level == 5 }, "\(saves.profile)")
            #expect(await eventually { saves.pendingPrompt == nil })
        }
        try await first.close()
        try await second.close()
    }

    @Test(.timeLimit(.minutes(5))) func twoThatHaveNothingAreInStep() async throws {
        let (first, second) = (try await open(laptop, .ask), try await open(deck, .ask))
        let said = try await pair(first, second)
        #expect(said.first.waitsFor == nil && said.second.waitsFor == nil)
        // The first one that plays now is the other one's question.
        try await first.update { $0.coins = 3 }
        #expect(await eventually { second.pendingPrompt != nil })
        try await first.close()
        try await second.close()
    }

    @Test(.timeLimit(.minutes(5))) func aPausedProfileSaysSo() async throws {
        let (first, second) = (try await open(laptop, .automatic), try await open(deck, .automatic))
        try await first.update { $0.coins = 100 }
        try #require(await first.subscribed(within: .seconds(60)))
        try await first.pause()
        let said = try await pair(first, second)
        #expect(said.first.waitsFor == .paused)
        try await first.close()
        try await second.close()
    }
}
