import HouseholdSimulation
import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// Which acknowledgements of other devices are to be passed on, and when they are asked for anew.
@Suite struct RelayedAcksTests {
    private let one = ProfileID(high: 0, low: 1)
    private let two = ProfileID(high: 0, low: 2)
    private let links: Set = [ConnectionID(rawValue: 1), ConnectionID(rawValue: 2)]
    private let members = [Roster.Member(key: SeededSigner(seed: 1).key, name: "laptop")]

    @Test func whatHasChangedIsPassedOnOnce() {
        var acks = RelayedAcks()
        var taken = acks.take(of: [one, two])
        #expect(taken.isEmpty)
        acks.changed(two)
        acks.changed(one)
        acks.changed(two)
        taken = acks.take(of: [one, two])
        #expect(taken == [one, two])
        taken = acks.take(of: [one, two])
        #expect(taken.isEmpty)
        acks.allChanged()
        taken = acks.take(of: [one, two])
        #expect(taken == [one, two])
        taken = acks.take(of: [one, two])
        #expect(taken.isEmpty)
    }

    /// Another link or another member may know more, or be known by fewer: everybody is asked, and all is passed on.
    @Test func otherLinksOrMembersChangeAll() {
        var acks = RelayedAcks()
        func update(_ links: Set<ConnectionID>, _ members: [Roster.Member]) -> (hasChanged: Bool, told: [ProfileID]) {
            let hasChanged = acks.update(links: links, members: members)
            return (hasChanged, acks.take(of: [one]))
        }
        #expect(update(links, members) == (true, [one]))
        #expect(update(links, members) == (false, []))
        #expect(update([ConnectionID(rawValue: 1)], members) == (true, [one]))
        #expect(acks.isAnswering(ConnectionID(rawValue: 1)) && !acks.isAnswering(ConnectionID(rawValue: 2)))
        #expect(update([ConnectionID(rawValue: 1)], []) == (true, [one]))
    }
}
