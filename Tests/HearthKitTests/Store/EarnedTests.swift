import HearthKit
import TestSupport
import Testing

/// Two devices that were played apart meet. Sums earned from an empty save count in full; sums that were found are not
/// counted twice.
@Suite(.serialized) struct EarnedTests {
    private func network(_ desk: Desk) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = .automatic
        return options
    }

    /// Plays one session for each sum, without any agent.
    private func earn(_ sums: [Int], on desk: Desk) async throws {
        for sum in sums {
            let saves = try await desk.open()
            try await saves.update { $0.coins += sum }
            try await saves.close()
        }
    }

    /// Lets the two devices meet, and returns what both then show.
    private func meeting(_ a: Desk, _ b: Desk, expecting coins: Int) async throws -> [Int] {
        let first = try await a.open(network(a))
        try #require(await first.subscribed(within: .seconds(60)))
        let second = try await b.open(network(b))
        _ = await eventually { first.profile.coins == coins && second.profile.coins == coins }
        let shown = [first.profile.coins, second.profile.coins]
        try await first.close()
        try await second.close()
        return shown
    }

    @Test(.timeLimit(.minutes(5))) func whatTwoFreshDevicesEarnedAddsUp() async throws {
        try await Household.paired { a, b in
            try await earn([100], on: a)
            try await earn([70], on: b)
            #expect(try await meeting(a, b, expecting: 170) == [170, 170])
            // The sum counts once, however often they meet.
            #expect(try await meeting(a, b, expecting: 170) == [170, 170])
        }
    }

    @Test(.timeLimit(.minutes(5))) func soDoesWhatWasEarnedInSeveralSessions() async throws {
        try await Household.paired { a, b in
            try await earn([50, 10], on: a)
            try await earn([5, 95], on: b)
            #expect(try await meeting(a, b, expecting: 160) == [160, 160])
        }
    }

    /// A save found on one device, for example from before the game used Hearth.
    @Test(.timeLimit(.minutes(5))) func whatWasFoundAndWhatWasEarnedAddUp() async throws {
        try await Household.paired { a, b in
            var options = network(a)
            options.file = a.folder + "/found.json"
            try a.write(#"{"coins": 70}"#, to: a.folder + "/found.json")
            let first = try await a.open(options)
            try #require(await first.subscribed(within: .seconds(60)))
            try await earn([20], on: b)
            let second = try await b.open(network(b))
            #expect(await eventually { first.profile.coins == 90 && second.profile.coins == 90 })
            try await first.close()
            try await second.close()
        }
    }

    /// Two saves that were found may be copies of each other, so only the larger total counts.
    @Test(.timeLimit(.minutes(5))) func whatWasFoundTwiceIsTheLarger() async throws {
        try await Household.paired { a, b in
            var stores: [ProfileStore<Hero>] = []
            for (desk, coins) in [(a, 70), (b, 50)] {
                var options = network(desk)
                options.file = desk.folder + "/found.json"
                try desk.write(#"{"coins": \#(coins)}"#, to: desk.folder + "/found.json")
                let saves = try await desk.open(options)
                if stores.isEmpty { try #require(await saves.subscribed(within: .seconds(60))) }
                stores.append(saves)
            }
            #expect(await eventually { stores.allSatisfy { $0.profile.coins == 70 } })
            for saves in stores { try await saves.close() }
        }
    }

    /// The whole folder was copied to another device before any agent knew it. A copy is found, not earned.
    @Test(.timeLimit(.minutes(5))) func aCopiedFolderCountsOnce() async throws {
        try await Household.paired { a, b in
            try await earn([100], on: a)
            try copy(a.saves, to: b)
            #expect(try await meeting(a, b, expecting: 100) == [100, 100])
        }
    }

    /// Another device's file replaces a save that began empty on this device.
    @Test(.timeLimit(.minutes(5))) func aCopiedFileCountsOnce() async throws {
        try await Household.paired { a, b in
            try await earn([100], on: a)
            try await earn([5], on: b)
            let (from, to) = (try save(of: a), try save(of: b))
            try b.write(a.text(of: from), to: to)
            #expect(try await meeting(a, b, expecting: 100) == [100, 100])
        }
    }

    private func save(of desk: Desk) throws -> String {
        let name = try #require(desk.names(in: desk.saves).first { $0.hasSuffix(".json") && $0 != "profiles.json" })
        return desk.saves + "/" + name
    }

    private func copy(_ folder: String, to desk: Desk) throws {
        for name in desk.names(in: folder) where name.hasSuffix(".json") {
            try desk.write(desk.text(of: folder + "/" + name), to: desk.saves + "/" + name)
        }
    }
}
