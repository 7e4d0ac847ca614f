import MergeCore
import Testing

@testable import HouseholdAgent

@Suite struct FileStatesTests {
    @Test func whatWasNotedIsTakenOnceAndInOrder() {
        let ids = [3, 1, 2].map { ProfileID(high: 0, low: $0) }
        var states = FileStates()
        #expect(states.takeUnannounced() == [])
        for id in ids + ids { states.mayHaveChanged(id) }
        #expect(states.takeUnannounced() == ids.sorted())
        #expect(states.takeUnannounced() == [])
        states.mayHaveChanged(ids[0])
        #expect(states.takeUnannounced() == [ids[0]])
    }
}
