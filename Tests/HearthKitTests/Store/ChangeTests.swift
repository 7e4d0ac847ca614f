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
