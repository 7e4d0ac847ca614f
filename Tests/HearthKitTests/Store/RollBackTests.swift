import AgentRuntime
import DiskStore
import HearthKit
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// A player goes back to an older build of the game.
@Suite struct RollBackTests {
    private let desk = Desk()

    private struct Old: Profile {
        @Counter var coins = 0
        var hp = 10
        var amulet: String?
        static let version = "1.0"
    }

    /// A version whose migration can be undone.
    private struct Renamed: Profile {
        @Counter var coins = 0
        var health = 10
        var amulet: String?
        static let migrations = [Migration("1.0", to: "1.1", .rename("/hp", to: "health"))]
        static let version = "1.1"
    }

    /// A version whose migration drops the amulet, so it cannot be undone.
    private struct Poorer: Profile {
        @Counter var coins = 0
        var health = 10
        static let migrations = Renamed.migrations + [Migration("1.1", to: "1.2", .remove("/amulet"))]
        static let version = "1.2"
    }

    private struct Rewritten: Profile {
        @Counter var coins = 0
        static let migrations = [Migration("1.0", to: "1.1") { (old: Old) in Rewritten(coins: old.coins) }]
        static let version = "1.1"

        init() {}
        init(coins: Int) { self.coins = coins }
    }

    private func open<Subject: Profile>(
        _ type: Subject.Type, _ agent: StoreOptions.AgentChoice
    ) async throws -> ProfileStore<Subject> {
        let saves = try await ProfileStore<Subject>.open(game: "rpg", slot: "player", desk.options(agent))
        if agent != .none { await saves.subscribed(within: .seconds(60)) }
        return saves
    }

    private func playOld(_ agent: StoreOptions.AgentChoice) async throws {
        let old = try await open(Old.self, agent)
        try await old.update { profile in
            (profile.coins, profile.hp, profile.amulet) = (5, 77, "jade")
        }
        // Open it again, so that there is something to back up.
        try await old.close()
        let again = try await open(Old.self, agent)
        try await again.update { $0.hp = 78 }
        try await again.close()
    }

    private static let agents: [StoreOptions.AgentChoice] = [.none, .embedded]

    /// Whether a pinned backup contains this text.
    private func keeps(_ text: String, _ agent: StoreOptions.AgentChoice) throws -> Bool {
        let home = agent == .none ? desk.saves : desk.home.path
        let files = DiskFiles(home: home)
        return try desk.names(in: home + "/backups").compactMap { ProfileID(hex: $0) }.contains { id in
            try files.backups(of: id).contains { backup in
                let bytes = try files.readBackup(backup.name, of: id, limit: 1_000)
                return backup.note.isPinned && String(decoding: bytes, as: UTF8.self).contains(text)
            }
        }
    }

    @Test(arguments: agents) func whatWasPlayedStays(agent: StoreOptions.AgentChoice) async throws {
        try await playOld(agent)
        try await playRenamedAndGoBack(agent)
        let old = try await open(Old.self, agent)
        #expect(old.profile.coins == 16 && old.profile.hp == 99 && old.profile.amulet == "jade")
        try await old.update { $0.coins += 2 }
        try await old.close()
        let again = try await open(Renamed.self, agent)
        #expect(again.profile.coins == 18 && again.profile.health == 99)
        try await again.close()
    }

    private func playRenamedAndGoBack(_ agent: StoreOptions.AgentChoice) async throws {
        let saves = try await open(Renamed.self, agent)
        try await saves.update { profile in
            profile.coins += 10
            profile.health = 99
        }
        saves.edit { $0.coins += 1 }
        let migration = try await saves.rollBack(to: "1.0")
        #expect(migration.from == "1.1" && migration.to == "1.0" && !migration.isFromBackup)
        #expect(migration.steps == ["rename /hp: 1 changed"])
        #expect(try keeps("\"coins\": 16", agent))
        // After the roll back this build must not save any more, not even when the store is released.
        saves.edit { $0.coins += 1_000 }
        await #expect(throws: StoreError.self) { try await saves.update { $0.coins += 1_000 } }
    }

    @Test(arguments: agents) func whatHasNoWayBackIsAsBefore(agent: StoreOptions.AgentChoice) async throws {
        try await playOld(agent)
        let saves = try await open(Poorer.self, agent)
        try await saves.update { $0.coins += 10 }
        let migration = try await saves.rollBack(to: "1.0")
        #expect(migration.from == "1.2" && migration.to == "1.0" && migration.isFromBackup)
        #expect(try keeps("\"coins\": 15", agent))
        let old = try await open(Old.self, agent)
        #expect(old.profile.coins == 5 && old.profile.hp == 78 && old.profile.amulet == "jade")
        try await old.update { $0.coins += 2 }
        try await old.close()
        guard agent != .none else { return }
        // The household has all progress.
        let again = try await open(Poorer.self, agent)
        #expect(await eventually { again.profile.coins == 17 }, "\(again.profile)")
        try await again.close()
    }

    /// The agent came after the update, so only the game has a backup from before it, however much is played since.
    @Test func theGamesOwnBackupIsTakenWhereTheAgentHasNone() async throws {
        try await playOld(.none)
        for _ in 0..<7 {
            let saves = try await open(Poorer.self, .none)
            try await saves.update { $0.coins += 1 }
            try await saves.close()
        }
        // Later backups do not push the pinned one out.
        #expect(try keeps("\"hp\": 78", .none))
        let saves = try await open(Poorer.self, .embedded)
        try await saves.update { $0.coins += 10 }
        #expect(try await saves.rollBack(to: "1.0").isFromBackup)
        let old = try await open(Old.self, .embedded)
        #expect(old.profile.coins == 5 && old.profile.amulet == "jade")
        try await old.update { $0.coins += 2 }
        try await old.close()
        let again = try await open(Poorer.self, .embedded)
        #expect(await eventually { again.profile.coins == 24 }, "\(again.profile)")
        try await again.close()
        #expect(!desk.names(in: desk.home.path).contains { $0.hasPrefix("import-") })
    }

    @Test(arguments: agents) func thereIsNoSuchVersion(agent: StoreOptions.AgentChoice) async throws {
        try await playOld(agent)
        let saves = try await open(Renamed.self, agent)
        let before = try desk.text(of: saves.path)
        for version in ["0.9", "1.1", "2.0"] {
            do {
                _ = try await saves.rollBack(to: version)
                Issue.record("it went to \(version)")
            } catch let error as StoreError {
                #expect(error.code == .migration, "\(error)")
            }
        }
        #expect(try desk.text(of: saves.path) == before)
        try await saves.update { $0.coins += 1 }
        #expect(saves.profile.coins == 6)
        try await saves.close()
    }

    /// A closure cannot be undone, so without a backup there is no way back.
    @Test func codeCannotBeTakenBack() async throws {
        try await playOld(.none)
        let saves = try await open(Rewritten.self, .none)
        try await saves.update { $0.coins += 1 }
        for name in desk.names(in: desk.saves + "/backups") { #expect(remove(desk.saves + "/backups/" + name)) }
        do {
            _ = try await saves.rollBack(to: "1.0")
            Issue.record("it went back")
        } catch let error as StoreError {
            #expect(error.code == .migration && error.message.contains("code"), "\(error)")
        }
        try await saves.update { $0.coins += 1 }
        try await saves.close()
        #expect(try await open(Rewritten.self, .none).profile.coins == 7)
    }

    /// With a backup there is one.
    @Test func beforeCodeThereIsTheBackup() async throws {
        try await playOld(.none)
        let saves = try await open(Rewritten.self, .none)
        try await saves.update { $0.coins += 1 }
        #expect(try await saves.rollBack(to: "1.0").isFromBackup)
        #expect(try await open(Old.self, .none).profile.hp == 78)
    }
}
