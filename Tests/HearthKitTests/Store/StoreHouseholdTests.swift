import HearthKit
import Testing

/// Two devices, each with a store and an agent, in one process over loopback.
@Suite(.serialized) struct StoreHouseholdTests {
    private func network(_ desk: Desk, _ paired: StoreOptions.PairedProfile = .automatic) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = paired
        return options
    }

    @Test(.timeLimit(.minutes(1))) func whatOneEarnsTheOtherSees() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { $0.coins = 100 }
            try #require(await first.attached())
            let second = try await b.open(network(b))
            #expect(await eventually { second.profile.coins == 100 })
            let changes = second.changes
            try await first.update { $0.coins += 5 }
            // What came first may be told to whoever listens in time.
            for await change in changes where change.path == "/coins" && change.newText == "105" {
                #expect(change.origin == .device("laptop"))
                #expect(change.description == "/coins: 100 became 105")
                break
            }
            try await second.update { $0.coins += 20 }
            #expect(await eventually { first.profile.coins == 125 })
            #expect(try await first.sync().inStep == ["deck"])
            #expect(first.lastSync != nil)
            try await first.close()
            try await second.close()
        }
    }

    /// Nothing counts twice, nothing is lost, however saves and merges meet.
    @Test(.timeLimit(.minutes(2))) func twoHundredUpdatesOnEachAtOnce() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { $0.coins = 1_000 }
            try #require(await first.attached())
            let second = try await b.open(network(b))
            try #require(await eventually { second.profile.coins == 1_000 })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for saves in [first, second] {
                    group.addTask {
                        for number in 0..<200 { try await saves.update { $0.coins += number % 3 == 0 ? -1 : 2 } }
                    }
                }
                try await group.waitForAll()
            }
            let earned = (0..<200).reduce(0) { $0 + ($1 % 3 == 0 ? -1 : 2) }
            #expect(await eventually(.seconds(20)) { first.profile.coins == 1_000 + 2 * earned && second.profile.coins == 1_000 + 2 * earned })
            #expect(first.profile.coins == 1_000 + 2 * earned)
            #expect(second.profile.coins == 1_000 + 2 * earned)
            try await first.close()
            try await second.close()
            #expect(try await a.open().profile.coins == 1_000 + 2 * earned)
            #expect(try await b.open().profile.coins == 1_000 + 2 * earned)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aNewDeviceAsksFirst() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 100
                hero.level = 9
            }
            try #require(await first.attached())
            let second = try await b.open(network(b, .ask))
            try #require(await eventually { second.pendingPrompt != nil })
            let prompt = try #require(second.pendingPrompt)
            #expect(!prompt.hasOwnProgress && prompt.fields["/level"] == "9")
            #expect(second.profile == Hero())
            // The player plays before answering: that stays.
            try await second.update { $0.coins += 3 }
            #expect(second.pendingPrompt != nil)
            try await prompt.restore()
            #expect(await eventually { second.profile.level == 9 && second.pendingPrompt == nil })
            #expect(await eventually { first.profile.coins == second.profile.coins })
            #expect(second.profile.coins == 100)
            try await second.close()
            try await first.close()
        }
    }
}
