import HearthKit
import TestSupport
import Testing

/// A game whose new version migrates by a closure, which other devices cannot run, in a household.
@Suite(.serialized) struct ClosureMigrationTests {
    /// The old version of the game.
    struct Old: Profile {
        @Counter var purse = 0
        @Highest var stage = 1
        static let version = "1.0"
    }

    /// The new version: one stage of the old one is ten levels.
    struct New: Profile {
        @Counter var coins = 0
        @Highest var level = 0
        static let migrations = [
            Migration("1.0", to: "1.1") { (old: Old) in
                var new = New()
                (new.coins, new.level) = (old.purse, old.stage * 10)
                return new
            }
        ]
    }

    /// The old version of a game that keeps the name of its purse.
    struct OldPurse: Profile {
        @Counter var coins = 0
        static let version = "1.0"
    }

    /// The new version of that game: each coin becomes ten.
    struct NewPurse: Profile {
        @Counter var coins = 0
        static let migrations = [
            Migration("1.0", to: "1.1") { (old: OldPurse) in
                var new = NewPurse()
                new.coins = old.coins * 10
                return new
            }
        ]
    }

    private func open<Subject: Profile>(_ type: Subject.Type, _ desk: Desk) async throws -> ProfileStore<Subject> {
        try await ProfileStore<Subject>.open(game: "rpg", slot: "player", options(desk))
    }

    @Test(.timeLimit(.minutes(5))) func aCounterThatKeepsItsNameCountsOnce() async throws {
        let desk = Desk()
        let before = try await open(OldPurse.self, desk)
        try await before.update { $0.coins = 50 }
        try #require(await before.subscribed(within: .seconds(60)))
        try await before.update { $0.coins += 10 }
        try await before.close()
        let after = try await open(NewPurse.self, desk)
        try await after.update { $0.coins += 7 }
        try #require(await after.subscribed(within: .seconds(60)))
        #expect(after.profile.coins == 607)
        try await after.update { $0.coins += 1 }
        try await after.close()
        let again = try await open(NewPurse.self, desk)
        try #require(await again.subscribed(within: .seconds(60)))
        #expect(again.profile.coins == 608)
        try await again.close()
    }

    @Test(.timeLimit(.minutes(5))) func alsoWhereTwoDevicesConvertItOneAfterTheOther() async throws {
        try await Household.paired { a, b in
            let first = try await open(OldPurse.self, a)
            try await first.update { $0.coins = 50 }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await open(OldPurse.self, b)
            try #require(await eventually { second.profile.coins == 50 })
            try await second.update { $0.coins += 10 }
            try #require(await eventually { first.profile.coins == 60 })
            try await first.close()
            let updated = try await open(NewPurse.self, a)
            try #require(await updated.subscribed(within: .seconds(60)))
            try await updated.update { $0.coins += 5 }
            #expect(await eventually { second.agentTrouble != nil })
            try await second.close()
            let follower = try await open(NewPurse.self, b)
            #expect(await eventually { follower.profile.coins == 605 && updated.profile.coins == 605 })
            try await follower.update { $0.coins += 1 }
            #expect(await eventually { updated.profile.coins == 606 })
            #expect(follower.profile.coins == 606)
            try await follower.close()
            try await updated.close()
        }
    }

    private func options(_ desk: Desk) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = .automatic
        return options
    }

    private func old(_ desk: Desk) async throws -> ProfileStore<Old> {
        try await ProfileStore<Old>.open(game: "rpg", slot: "player", options(desk))
    }

    private func new(_ desk: Desk) async throws -> ProfileStore<New> {
        try await ProfileStore<New>.open(game: "rpg", slot: "player", options(desk))
    }

    @Test(.timeLimit(.minutes(5))) func anAgentThatKnewTheFormerVersionFollows() async throws {
        let desk = Desk()
        let before = try await old(desk)
        try await before.update { ($0.purse, $0.stage) = (50, 3) }
        try #require(await before.subscribed(within: .seconds(60)))
        try await before.close()
        let after = try await new(desk)
        #expect(after.migration?.from == "1.0")
        try await after.update { $0.coins += 5 }
        try #require(await after.subscribed(within: .seconds(60)))
        #expect(after.agentTrouble == nil)
        try await after.update { $0.coins += 1 }
        #expect(try await after.explain(\.coins).contains("56"))
        try await after.close()
        let again = try await new(desk)
        try #require(await again.subscribed(within: .seconds(60)))
        #expect(again.profile.coins == 56 && again.profile.level == 30)
        try await again.close()
    }

    /// The other device plays the old version for a while, and is updated later.
    @Test(.timeLimit(.minutes(5))) func twoDevicesAreUpdatedOneAfterTheOther() async throws {
        try await Household.paired { a, b in
            let first = try await old(a)
            try await first.update { ($0.purse, $0.stage) = (50, 3) }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await old(b)
            try #require(await eventually { second.profile.purse == 50 })
            try await first.close()
            let updated = try await new(a)
            try #require(await updated.subscribed(within: .seconds(60)))
            try await updated.update { $0.coins += 5 }
            // The device with the old version plays on with its own state, and nothing of that is lost.
            #expect(
                await eventually { second.agentTrouble?.contains("update the game") ?? false },
                "\(second.agentTrouble ?? "no trouble")")
            try await second.update { ($0.purse, $0.stage) = ($0.purse + 7, 4) }
            try await second.close()
            let follower = try await new(b)
            #expect(await eventually { follower.profile.coins == 62 && follower.profile.level == 40 })
            #expect(await eventually { updated.profile.coins == 62 && updated.profile.level == 40 })
            #expect(follower.agentTrouble == nil && updated.agentTrouble == nil)
            try await follower.close()
            try await updated.close()
        }
    }
}
