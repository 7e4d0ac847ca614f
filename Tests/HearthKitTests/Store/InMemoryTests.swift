import HearthKit
import Observation
import Synchronization
import TestSupport
import Testing

/// Stores without a file, for previews and unit tests of games.
@Suite struct InMemoryTests {
    @Test func itBeginsWithNothingOrWithAProfile() throws {
        #expect(try ProfileStore<Hero>.inMemory().profile == Hero())
        let saves = try ProfileStore<Hero>.inMemory(Hero(level: 7, coins: 12))
        #expect(saves.profile == Hero(level: 7, coins: 12) && !saves.hasUnsavedEdits)
    }

    @Test func updatesChangesAndRecordsAreThoseOfAFile() async throws {
        let saves = try ProfileStore<Hero>.inMemory(Hero(bestScore: 10, coins: 12))
        var (changes, records) = (saves.changes.makeAsyncIterator(), saves.newRecords.makeAsyncIterator())
        try await saves.update { ($0.coins, $0.bestScore) = (17, 25) }
        #expect(await changes.next()?.description == "/bestScore: 10 became 25")
        #expect(await changes.next()?.description == "/coins: 12 became 17")
        #expect(await records.next()?.newText == "25")
        // What only grows stays as high as it was, as in a file.
        try await saves.update { $0.bestScore = 3 }
        #expect(saves.profile.bestScore == 25)
        try await saves.reset(.scope("progress"))
        #expect(saves.profile.coins == 0 && saves.profile.bestScore == 0)
        await #expect(throws: StoreError.self) { _ = try await saves.history() }
        try await saves.close()
        await #expect(throws: StoreError.self) { try await saves.update { $0.coins = 1 } }
    }

    @Test func editsAreTrackedAndSavedByThemselves() async throws {
        let saves = try ProfileStore<Hero>.inMemory()
        let told = Atomic<Bool>(false)
        withObservationTracking {
            _ = saves.profile.coins
        } onChange: {
            told.store(true, ordering: .relaxed)
        }
        saves.edit { $0.coins += 1 }
        let isTold = told.load(ordering: .relaxed)
        #expect(isTold)
        #expect(await eventually { !saves.hasUnsavedEdits })
        try await saves.close()
    }

    @Test func twoStoresShareNothing() async throws {
        let (one, two) = (try ProfileStore<Hero>.inMemory(), try ProfileStore<Hero>.inMemory())
        try await one.update { $0.coins = 5 }
        #expect(two.profile.coins == 0)
    }

    struct StartingPurse: Profile { @Counter var coins = 100 }

    @Test func aTypeThatCannotWorkIsRefused() {
        do {
            _ = try ProfileStore<StartingPurse>.inMemory()
            Issue.record("a counter begins at 0")
        } catch {
            #expect(error.code == .declaration)
        }
    }
}
