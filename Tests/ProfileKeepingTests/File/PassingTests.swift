import MergeCore
import Testing

@testable import ProfileKeeping

/// Which snapshots the next one replaced before a game had the time to read them.
@Suite struct PassingTests {
    private let vector = VersionVector()

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

    private func project(_ text: String, at milliseconds: Int64?, in history: inout BaseHistory) {
        _ = history.appendProjected(
            Array(text.utf8), vector: vector, at: milliseconds.map { time($0) } ?? .max,
            isPutNow: milliseconds != nil)
    }

    @Test func whatStoodForLessThanASecondPassed() {
        var history = BaseHistory()
        _ = history.appendGame(Array("0".utf8), vector: vector)
        for (number, moment) in [Int64](arrayLiteral: 10_000, 10_002, 10_999, 11_999).enumerated() {
            project("\(number + 1)", at: moment, in: &history)
        }
        // The last one is still there.
        #expect(history.passing == [1, 2])
        _ = history.appendGame(Array("5".utf8), vector: vector)
        #expect(history.passing.isEmpty)
    }

    /// Each of them is short, and a game may have started in any of them.
    @Test func manyThatFollowEachOtherAreLongTogether() {
        var history = BaseHistory()
        _ = history.appendGame(Array("0".utf8), vector: vector)
        for (number, moment) in [Int64](arrayLiteral: 0, 400, 800, 1_200, 9_000, 9_100, 20_000).enumerated() {
            project("\(number + 1)", at: moment, in: &history)
        }
        #expect(history.passing == [5])
    }

    /// A swap that is only finished now may have been there for long.
    @Test func whatAnEarlierEventPutThereIsNotKnownToHavePassed() {
        var history = BaseHistory()
        _ = history.appendGame(Array("0".utf8), vector: vector)
        _ = history.appendProjected(Array("1".utf8), vector: vector, at: time(5))
        project("2", at: 6, in: &history)
        project("3", at: 7, in: &history)
        #expect(history.passing == [2])
    }

    /// What an agent before this one put there may have been there for days.
    @Test func ofWhatWasThereAtTheStartNothingIsKnown() throws {
        var earlier = BaseHistory()
        _ = earlier.appendGame(Array("0".utf8), vector: vector)
        project("1", at: 10_000, in: &earlier)
        project("2", at: 10_001, in: &earlier)
        var history = try #require(BaseHistory(earlier.rowsForRecord))
        history.noticed(at: time(5))
        project("3", at: 6, in: &history)
        project("4", at: 7, in: &history)
        #expect(history.passing == [3])
    }

    @Test func aSnapshotWithoutATimeIsNotKnownToHavePassed() {
        var history = BaseHistory()
        project("1", at: nil, in: &history)
        project("2", at: 5, in: &history)
        project("3", at: 6, in: &history)
        #expect(history.passing == [1])
    }
}
