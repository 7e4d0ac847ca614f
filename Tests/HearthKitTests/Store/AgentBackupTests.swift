import AgentRuntime
import DiskStore
import HearthKit
import Testing

/// A damaged save is replaced by the newest backup, whether the game made it or the agent in Hearth's home.
@Suite struct AgentBackupTests {
    private let desk = Desk()

    /// Saves 5, 6 and 7 coins, one after the other. The game makes one backup, of 5 coins; the agent makes one before
    /// each change.
    private func play() async throws -> String {
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.update { $0.coins = 5 }
        try #require(await saves.subscribed(within: .seconds(60)))
        for coins in [6, 7] {
            try await saves.update { $0.coins = coins }
            _ = try await saves.history()
        }
        try await saves.close()
        return saves.path
    }

    /// Damages the save and opens it. No agent runs, so only backups can help.
    private func restored(_ path: String) async throws -> Hero {
        try desk.write("{\"coins\": 7", to: path)
        var options = desk.options(.running)
        options.damagedSave = .restoreNewestBackup
        let saves = try await desk.open(options)
        defer { withExtendedLifetime(saves) {} }
        try await saves.close()
        return saves.profile
    }

    @Test func theAgentsIsTheNewest() async throws {
        #expect(try await restored(try await play()).coins == 6)
    }

    @Test func theGamesIsTheNewest() async throws {
        let path = try await play()
        // This session has no agent, so the agent has no backup of it.
        let saves = try await desk.open(desk.options())
        try await saves.update { $0.coins = 8 }
        try await saves.close()
        #expect(try await restored(path).coins == 7)
    }

    @Test func aDamagedOneIsPassedOver() async throws {
        let path = try await play()
        let folder = desk.home.path + "/backups/" + (try #require(desk.names(in: desk.home.path + "/backups").first))
        let newest = try #require(desk.names(in: folder).last)
        try desk.write("no backup", to: folder + "/" + newest)
        #expect(try await restored(path).coins == 5)
    }

    @Test(arguments: [true, false]) func anEncryptedOneTakesItsKey(isHere: Bool) async throws {
        let key = BackupKeyFile(home: desk.home.path)
        try HomeFolder.create(desk.home.path)
        try key.create(BackupKey())
        let path = try await play()
        if !isHere { #expect(remove(key.path)) }
        #expect(try await restored(path).coins == (isHere ? 6 : 5))
    }

    /// The household knows the profile under another id than the one this game made.
    @Test func theAgentHasItUnderAnotherId() async throws {
        let other = Desk("other")
        let first = try await other.open(other.options(.embedded))
        try await first.update { $0.coins = 5 }
        try await first.export(to: other.folder + "/export.hearth")
        try await first.close()
        let saves = try await desk.open(desk.options(.embedded))
        try await saves.importFile(other.folder + "/export.hearth", trusting: true)
        let own = try #require(saves.path.split(separator: "/").last?.dropLast(".json".count))
        #expect(saves.id != String(own))
        for coins in [6, 7] {
            try await saves.update { $0.coins = coins }
            _ = try await saves.history()
        }
        try await saves.close()
        #expect(try await restored(saves.path).coins == 6)
    }
}
