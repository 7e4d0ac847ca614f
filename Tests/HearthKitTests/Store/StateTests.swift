import HearthKit
import Observation
import TestSupport
import Testing

/// The one value that a game's menu shows.
@Suite(.serialized) struct StateTests {
    /// A menu: shows the state, and shows it again each time it is told of a change. It reads nothing in between.
    @MainActor final class Menu {
        private let saves: ProfileStore<Hero>
        private(set) var shown: StoreState<Hero>?

        init(_ saves: ProfileStore<Hero>) {
            self.saves = saves
            show()
        }

        /// Whether nothing is wrong, and no other device was there yet.
        var isQuiet: Bool { shown.map { $0.troubles.isEmpty && $0.lastSync == nil } ?? false }

        private func show() {
            shown = withObservationTracking {
                saves.state
            } onChange: {
                Task { @MainActor [weak self] in self?.show() }
            }
        }
    }

    private func network(_ desk: Desk, _ paired: StoreOptions.PairedProfile) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = paired
        return options
    }

    /// Every change of the household is in the menu without a call of the game.
    @Test(.timeLimit(.minutes(5))) func theMenuFollowsTheHousehold() async throws {
        let (laptop, deck) = (Desk("laptop"), Desk("deck"))
        try await laptop.withAgent { one in
            let first = try await laptop.open(network(laptop, .ask))
            try await first.update { $0.coins = 100 }
            let menu = await Menu(first)
            #expect(await eventually { await menu.shown?.devices.map(\.name) == ["laptop"] })
            #expect(await eventually { await menu.shown?.isSubscribed == true })
            #expect(await menu.isQuiet)
            try await deck.withAgent { other in
                try await Household.pair(one, other)
                #expect(await eventually { await menu.shown?.devices.map(\.isConnected) == [true, true] })
                #expect(await eventually { await menu.shown?.lastSync != nil })
                // The other device asks its player, in its own menu.
                let second = try await deck.open(network(deck, .ask))
                let theirs = await Menu(second)
                #expect(await eventually { await theirs.shown?.prompt?.fields["/coins"] == "100" })
                try await theirs.shown?.prompt?.restore()
                #expect(await eventually { await theirs.shown.map { $0.prompt == nil && $0.lastSync != nil } == true })
                try await second.pause()
                #expect(await eventually { await theirs.shown?.isPaused == true })
                try await second.close()
            }
            #expect(await eventually { await menu.shown?.devices.last?.isConnected == false })
            #expect(await menu.shown?.devices.last?.reason != nil)
            try await first.close()
        }
    }

    /// What waits for a decision is counted and said.
    @Test(.timeLimit(.minutes(5))) func openChoicesWaitForTheirDecision() async throws {
        try await Household.paired { laptop, deck in
            let first = try await laptop.open(network(laptop, .automatic))
            try await first.update { $0.coins = 1 }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await deck.open(network(deck, .automatic))
            try #require(await eventually { second.profile.coins == 1 })
            try await second.pause()
            try await first.update { $0.ending = "king" }
            try await second.update { $0.ending = "hermit" }
            let menu = await Menu(first)
            try await second.resume()
            #expect(await eventually { await menu.shown?.openChoices == 1 })
            #expect(await eventually { await menu.shown?.decisions.count == 1 })
            let conflict = try #require(try await first.conflicts().first)
            try await conflict.choose(conflict.candidates[0])
            #expect(await eventually { await menu.shown.map { $0.openChoices == 0 && $0.decisions.isEmpty } == true })
            try await first.close()
            try await second.close()
        }
    }

    /// Without an agent the menu says so, and a save that fails is the first trouble.
    @Test(.timeLimit(.minutes(5))) func whatIsWrongIsSaid() async throws {
        let desk = Desk("state")
        let saves = try await desk.open(desk.options(.running))
        let menu = await Menu(saves)
        #expect(await eventually { await menu.shown?.troubles.count == 1 })
        #expect(await menu.shown?.isSubscribed == false)
        #expect(await menu.shown?.devices == [])
        // A folder in the place of the file keeps every save from it.
        try desk.write("x", to: saves.path + "/in the way")
        await #expect(throws: StoreError.self) { try await saves.update { $0.coins = 5 } }
        #expect(await eventually { await menu.shown?.troubles.count == 2 })
        #expect(await menu.shown?.troubles.first == saves.saveTrouble?.message)
        #expect(remove(saves.path))
        try await saves.save()
        #expect(await eventually { await menu.shown?.troubles.count == 1 })
        try await saves.close()
    }
}
