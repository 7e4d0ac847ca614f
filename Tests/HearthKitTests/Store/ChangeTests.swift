import Observation
import Synchronization
import TestSupport
import Testing

@testable import HearthKit

/// The changes and records that games are told of.
@Suite struct ChangeTests {
    private let desk = Desk()

    @Test func ownUpdatesAreToldByPlaceAndRule() async throws {
        let saves = try await desk.open()
        var changes = saves.changes.makeAsyncIterator()
        try await saves.update { hero in
            hero.coins = 5
            hero.themes = ["neon"]
        }
        let first = try #require(await changes.next())
        let second = try #require(await changes.next())
        #expect(first.description == "/coins: nothing became 5")
        #expect(first.origin == .game && !first.isNewRecord)
        #expect(second.path == "/themes" && second.newText == #"["neon"]"#)
    }

    @Test func recordsAreToldWhenTheyGetBetter() async throws {
        let saves = try await desk.open()
        var records = saves.newRecords.makeAsyncIterator()
        for (score, lap) in [(100, 50), (90, 60), (100, 50), (120, 40)] {
            try await saves.update { hero in
                hero.bestScore = max(hero.bestScore, score)
                hero.bestLap = hero.bestLap == 0 ? lap : min(hero.bestLap, lap)
                hero.name = "\(score)"
            }
        }
        var told: [String] = []
        for _ in 0..<4 {
            let record = try #require(await records.next())
            #expect(record.device == nil)
            told.append("\(record.path) \(record.newText)")
        }
        #expect(told == ["/bestScore 100", "/bestLap 50", "/bestScore 120", "/bestLap 40"])
    }

    @Test func everyListenerHearsIt_andOneWhoSleepsIsTold() async throws {
        let feed = ChangeFeed<Int>(limit: 3, gap: -1)
        let (one, two) = (feed.listen(), feed.listen())
        feed.publish([1, 2])
        feed.publish([3, 4, 5])
        feed.close()
        for stream in [one, two] {
            var heard: [Int] = []
            for await value in stream { heard.append(value) }
            #expect(heard.count == 3 && heard.last == -1)
        }
        var late: [Int] = []
        for await value in feed.listen() { late.append(value) }
        #expect(late == [])
    }

    @Test func aListenerThatLeavesIsForgotten() async throws {
        let feed = ChangeFeed<Int>()
        do {
            let task = Task { for await _ in feed.listen() {} }
            #expect(await eventually { feed.hasListeners })
            task.cancel()
            await task.value
        }
        #expect(await eventually { !feed.hasListeners })
    }

    @Test func readingTheProfileIsTracked() async throws {
        let saves = try await desk.open()
        let changed = Atomic<Int>(0)
        withObservationTracking {
            _ = saves.profile.coins
        } onChange: {
            changed.wrappingAdd(1, ordering: .relaxed)
        }
        #expect(changed.load(ordering: .relaxed) == 0)
        saves.edit { $0.coins += 1 }
        #expect(changed.load(ordering: .relaxed) == 1)
    }

    @Test func aFieldIsHeardByItsKeyPath() async throws {
        let saves = try await desk.open()
        var coins = try saves.changes(of: \.coins).makeAsyncIterator()
        var themes = try saves.changes(of: \.themes).makeAsyncIterator()
        var scores = try saves.newRecords(of: \.bestScore).makeAsyncIterator()
        try await saves.update { ($0.coins, $0.themes, $0.bestScore) = (5, ["neon"], 40) }
        try await saves.update { $0.name = "Ada" }
        try await saves.update { ($0.coins, $0.themes) = (12, ["neon", "forest"]) }
        try await saves.update { $0.bestScore = 60 }
        #expect(await coins.next() == FieldChange(origin: .game, old: 0, new: 5))
        #expect(await coins.next() == FieldChange(origin: .game, old: 5, new: 12))
        #expect(await themes.next()?.new == ["neon"])
        #expect(await themes.next() == FieldChange(origin: .game, old: ["neon"], new: ["neon", "forest"]))
        #expect(await scores.next() == FieldChange(origin: .game, old: 0, new: 40))
        #expect(await scores.next() == FieldChange(origin: .game, old: 40, new: 60))
        try await saves.close()
        #expect(await coins.next() == nil)
    }

    struct Bag: Profile {
        enum Mood: String, Codable, Sendable { case calm, wild }
        struct Place: Codable, Sendable, Hashable { var x = 0 }
        struct Item: ProfilePart, Identifiable, Equatable {
            var id = ""
            @Counter var count = 0
        }
        struct Stats: ProfilePart, Equatable { @Counter var games = 0 }
        @Keyed var inventory: [Item] = []
        var stats = Stats()
        var levels: [String: Stats] = [:]
        var mood = Mood.calm
        var place = Place()
        var ending: String?
    }

    /// An element of a keyed list is spelled in events as the documentation says.
    @Test func aKeyedElementHasItsIdInBrackets() async throws {
        let saves = try ProfileStore<Bag>.inMemory(Bag(inventory: [Bag.Item(id: "sword", count: 1)]))
        var changes = saves.changes.makeAsyncIterator()
        var inventory = try saves.changes(of: \.inventory).makeAsyncIterator()
        try await saves.update { $0.inventory[0].count = 3 }
        #expect(await changes.next()?.path == #"/inventory/["sword"]/count"#)
        #expect(await inventory.next()?.new == [Bag.Item(id: "sword", count: 3)])
    }

    @Test func fieldsOfEveryKindAreFound() async throws {
        let codec = try ProfileCodec<Bag>()
        func find<Value>(_ path: WritableKeyPath<Bag, Value>, in bag: Bag = Bag()) -> String? {
            FieldFinder.path(of: path, in: bag, codec)
        }
        #expect(find(\.stats.games) == "/stats/games")
        #expect(find(\.stats) == "/stats")
        #expect(find(\.levels) == "/levels")
        #expect(find(\.levels, in: Bag(levels: ["x": Bag.Stats(games: 2)])) == "/levels")
        #expect(find(\.inventory) == "/inventory")
        #expect(find(\.inventory, in: Bag(inventory: [Bag.Item(id: "a")])) == "/inventory")
        #expect(find(\.mood) == "/mood")
        #expect(find(\.place) == "/place")
        #expect(find(\.ending) == "/ending")
        #expect(find(\.ending, in: Bag(ending: "king")) == "/ending")
    }

    @Test func aFieldIsFoundByItsKeyPath() throws {
        let codec = try ProfileCodec<Hero>()
        func find<Value>(_ path: WritableKeyPath<Hero, Value>) -> String? {
            FieldFinder.path(of: path, in: Hero(), codec)
        }
        #expect(find(\.coins) == "/coins")
        #expect(find(\.name) == "/name")
        #expect(find(\.tutorialDone) == "/tutorialDone")
        #expect(find(\.themes) == "/themes")
        #expect(find(\.volume) == "/volume")
    }
}
