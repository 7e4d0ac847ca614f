import HearthKit
import Synchronization
import TestSupport
import Testing

/// Undo, records and pairing from within a game.
extension StoreHouseholdTests {
    /// By default an undo takes back this device's own newest step, not what came in since. Undone and restored values
    /// are no records.
    @Test(.timeLimit(.minutes(5))) func anUndoIsOfThisDevice_andNoRecord() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 10
                hero.bestScore = 100
            }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b, .ask))
            let records = RecordList(second.newRecords)
            try #require(await eventually { second.pendingPrompt != nil })
            try await second.pendingPrompt?.restore()
            try #require(await eventually { second.profile.bestScore == 100 })
            try await second.update { $0.name = "Bo" }
            try await second.sync()
            try await first.update { $0.coins += 5 }
            try #require(await eventually { second.profile.coins == 15 && first.profile.name == "Bo" })
            // The deck's own newest step is the name, although coins came in later.
            let undo = try await second.previewUndo()
            #expect(undo.changes.map(\.path) == ["/name"] && second.profile.name == "Bo")
            try await second.undo(undo)
            #expect(second.profile.name == "Player" && second.profile.coins == 15)
            // A value that is reset and restored is no record; one that is played is.
            try await second.reset(.scope("progress"))
            #expect(second.profile.bestScore == 0)
            try await second.undo()
            #expect(second.profile.bestScore == 100)
            try await second.update { $0.bestScore = 120 }
            #expect(await eventually { !records.found.isEmpty })
            #expect(records.found.map(\.newText) == ["120"])
            try await second.close()
            try await first.close()
        }
    }

    /// Collects all records that a store reports.
    private final class RecordList: Sendable {
        private let list = Mutex<[NewRecord]>([])

        init(_ records: AsyncStream<NewRecord>) {
            Task { for await record in records { list.withLock { $0.append(record) } } }
        }

        var found: [NewRecord] { list.withLock { $0 } }
    }

    /// Pairing from within a game, without the command.
    @Test(.timeLimit(.minutes(5))) func gamesPairDevicesThemselves() async throws {
        let (a, b) = (Desk("laptop"), Desk("deck"))
        let first = try await a.open(network(a))
        let second = try await b.open(network(b))
        try await first.update { $0.coins = 12 }
        // Its agent is ready and keeps running.
        try #require(await first.subscribed(within: .seconds(60)))
        let port = try await a.withAgent { try await Household.port(of: $0) }
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        async let shown = first.pair { code.yield($0) }
        for await text in codes {
            do {
                _ = try await second.pair(with: text, address: "nonsense")
                Issue.record("that is no address")
            } catch let error as StoreError {
                #expect(error.code == .value)
            }
            #expect(try await second.pair(with: text, address: "127.0.0.1:\(port)").device.name == "laptop")
            break
        }
        #expect(try await shown.device.name == "deck")
        #expect(await eventually { second.profile.coins == 12 })
        #expect(try await second.devices().map(\.name) == ["deck", "laptop"])
        #expect(try await eventually { try await second.devices().last?.isConnected ?? false })
        let laptop = try #require(try await second.devices().last)
        #expect(!laptop.isThisDevice)
        try await second.unpair(laptop)
        #expect(try await second.devices().map(\.name) == ["deck"])
        try await second.update { $0.coins += 1 }
        #expect(second.profile.coins == 13)
        try await second.close()
        try await first.close()
    }
}
