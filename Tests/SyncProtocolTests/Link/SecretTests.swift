import MergeCore
import Testing

@testable import SyncProtocol

/// The household's secret on a link of members.
@Suite struct SecretTests {
    private let secret = HouseholdSecret([UInt8](repeating: 7, count: 32), serial: 3)

    /// What was said of the secret, one entry for each roster.
    private func secrets(_ actions: [LinkAction]) -> [HouseholdSecret?] {
        var said: [HouseholdSecret?] = []
        for case .roster(_, let secret) in actions { said.append(secret) }
        return said
    }

    @Test func itComesWithTheRoster_whereThereIsOne() {
        var a = PeerLink(localName: "a", now: 0)
        var b = PeerLink(localName: "b", now: 0)
        let fromA = a.start(profiles: [:], roster: [], secret: secret, now: 0).sent
        let fromB = b.start(profiles: [:], roster: [], now: 0).sent
        let atB = b.received(fromA, now: 1)
        let atA = a.received(fromB, now: 1)
        #expect(secrets(atB) == [secret])
        #expect(secrets(atA) == [nil])
        let renewed = HouseholdSecret([UInt8](repeating: 8, count: 32), serial: 4)
        let again = b.sendRoster([], secret: renewed).sent
        let later = a.received(again, now: 2)
        #expect(secrets(later) == [renewed])
        #expect(again.count < 64, "without statements it costs next to nothing")
    }
}
