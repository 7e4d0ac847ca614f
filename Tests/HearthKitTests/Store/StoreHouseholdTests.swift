import HearthKit
import Synchronization
import TestSupport
import Testing

/// Two devices, each with a store and an agent, in one process over loopback.
@Suite(.serialized) struct StoreHouseholdTests {
    func network(_ desk: Desk, _ paired: StoreOptions.PairedProfile = .automatic) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = paired
        return options
    }

    /// Two stores of one save, which has so many coins.
    func sharing(
        _ coins: Int, _ a: Desk, _ b: Desk
    ) async throws -> (first: ProfileStore<Hero>, second: ProfileStore<Hero>) {
        let first = try await a.open(network(a))
        try await first.update { $0.coins = coins }
        try #require(await first.subscribed(within: .seconds(60)))
        let second = try await b.open(network(b))
        try #require(await eventually { second.profile.coins == coins })
        return (first, second)
    }

    /// Two stores of one save in which the ending is open: it was chosen on each while the second was paused.
    func decidedApart(
        _ a: Desk, _ b: Desk
    ) async throws -> (first: ProfileStore<Hero>, second: ProfileStore<Hero>) {
        let (first, second) = try await sharing(1, a, b)
        try await second.pause()
        try await first.update { $0.ending = "king" }
        try await second.update { $0.ending = "hermit" }
        try await second.resume()
        try #require(await eventually { first.profile.$ending.isOpen && second.profile.$ending.isOpen })
        return (first, second)
    }

    @Test(.timeLimit(.minutes(5))) func whatOneEarnsTheOtherSees() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await sharing(100, a, b)
            let changes = second.changes
            try await first.update { $0.coins += 5 }
            // Changes that came before this one may be in the stream as well.
            for await change in changes where change.path == "/coins" && change.newText == "105" {
                #expect(change.origin == .device("laptop"))
                #expect(change.description == "/coins: 100 became 105")
                break
            }
            try await second.update { $0.coins += 20 }
            #expect(await eventually { first.profile.coins == 125 })
            #expect(try await first.sync().inStep == ["deck"])
            let last = try #require(first.lastSync)
            // `lastSync` is updated without any request.
            try await first.update { $0.coins += 1 }
            #expect(await eventually { first.lastSync.map { $0 > last } ?? false })
            try await first.close()
            try await second.close()
        }
    }

    /// However saves and merges meet, nothing counts twice and nothing is lost.
    @Test(.timeLimit(.minutes(5))) func twoHundredUpdatesOnEachAtOnce() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await sharing(1_000, a, b)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for saves in [first, second] {
                    group.addTask {
                        for number in 0..<200 { try await saves.update { $0.coins += number % 3 == 0 ? -1 : 2 } }
                    }
                }
                try await group.waitForAll()
            }
            let earned = (0..<200).reduce(0) { $0 + ($1 % 3 == 0 ? -1 : 2) }
            let sum = 1_000 + 2 * earned
            _ = await eventually { first.profile.coins == sum && second.profile.coins == sum }
            #expect(first.profile.coins == sum)
            #expect(second.profile.coins == sum)
            try await first.close()
            try await second.close()
            #expect(try await a.open().profile.coins == sum)
            #expect(try await b.open().profile.coins == sum)
        }
    }

    @Test(.timeLimit(.minutes(5))) func aNewDeviceAsksFirst() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 100
                hero.level = 9
            }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b, .ask))
            try #require(await eventually { second.pendingPrompt != nil })
            let prompt = try #require(second.pendingPrompt)
            #expect(!prompt.hasOwnProgress && prompt.fields["/level"] == "9")
            #expect(prompt.value(of: \.level) == 9 && prompt.value(of: \.coins) == 100)
            #expect(prompt.value(of: \.bestLap) == nil)
            #expect(second.profile == Hero())
            // The prompt shows how far the other device is now.
            try await first.update { $0.level = 12 }
            #expect(await eventually { second.pendingPrompt?.fields["/level"] == "12" })
            // What the player plays before answering stays.
            try await second.update { $0.coins += 3 }
            #expect(second.pendingPrompt != nil)
            let came = try await prompt.restore()
            #expect(Set(came.map(\.description)) == ["/coins: 3 became 103", "/level: nothing became 12"])
            #expect(came.allSatisfy { $0.origin == .restore })
            #expect(second.id == first.id && second.id == prompt.id)
            #expect(await eventually { second.profile.level == 12 && second.pendingPrompt == nil })
            #expect(await eventually { first.profile.coins == second.profile.coins })
            #expect(second.profile.coins == 103)
            try await second.close()
            try await first.close()
        }
    }
}
