import MergeCore
import Testing

@testable import ProfileKeeping

/// The snapshot beside the candidates that holds the arrays which they lack.
@Suite struct LastReadableTests {
    private let former = BaseHistory.Snapshot(kind: .dropped, bytes: Array("former".utf8), vector: VersionVector())

    private func history(_ saves: Int, lastReadable: BaseHistory.Snapshot?) -> (BaseHistory, [BaseHistoryRow]) {
        var history = BaseHistory()
        var stored: [BaseHistoryRow] = []
        func store(_ change: BaseHistory.Change) {
            for row in change.rows {
                stored.removeAll { $0.number == row.number }
                stored.append(row)
            }
            stored.sort { $0.number < $1.number }
            if let from = change.from { stored.removeAll { $0.number < from } }
        }
        store(history.appendGame(Array("first".utf8), vector: VersionVector()))
        for number in 0..<saves {
            let bytes = Array("save \(number)".utf8)
            store(history.appendGame(bytes, vector: VersionVector(), lastReadable: lastReadable))
            for projection in 0..<number % 20 {
                store(history.appendProjected(Array("seen \(projection)".utf8), vector: VersionVector()))
            }
        }
        return (history, stored)
    }

    /// However long the chain gets, in memory and as it is stored.
    @Test(arguments: 1...70) func itStaysUntilASaveDoesWithoutIt(_ saves: Int) throws {
        var (history, stored) = history(saves, lastReadable: former)
        #expect(history.rowsForRecord == stored)
        let loaded = try #require(BaseHistory(stored))
        for held in [history, loaded] {
            #expect(held.lastReadable?.bytes == former.bytes)
            #expect(held.candidates.first?.bytes == Array("save \(saves - 1)".utf8))
            #expect(!held.candidates.contains { $0.bytes == former.bytes })
        }
        _ = history.appendGame(Array("whole".utf8), vector: VersionVector())
        #expect(history.lastReadable == nil)
    }

    @Test func withoutOneThereIsNone() throws {
        for saves in 0...70 {
            let (history, stored) = history(saves, lastReadable: nil)
            let loaded = try #require(BaseHistory(stored))
            #expect(history.lastReadable == nil && loaded.lastReadable == nil, "\(saves)")
        }
    }

    /// A save that was found beside the file comes before what is in the file, and both keep what they lack.
    @Test(arguments: [true, false]) func aSaveFoundBesideTheFileKeepsIt(_ isProjected: Bool) {
        var (history, _) = history(1, lastReadable: former)
        if isProjected { _ = history.appendProjected(Array("seen".utf8), vector: VersionVector()) }
        _ = history.insertGame(Array("late".utf8), vector: VersionVector())
        #expect(history.lastReadable?.bytes == former.bytes)
        #expect(history.newest?.bytes == Array((isProjected ? "seen" : "save 0").utf8))
    }
}
