import MergeCore
import Testing

@testable import SyncProtocol

/// The household's secret on a link of members.
@Suite struct SecretTests {
    private let secret = HouseholdSecret([UInt8](repeating: 7, count: 32), serial: 3)
    private let renewed = HouseholdSecret([UInt8](repeating: 8, count: 32), serial: 4)

    @Test func itIsToldWhereTheOtherSideHasAnotherOneOrNone() throws {
        let talk = RosterTalk(secrets: (secret, nil))
        try talk.run()
        #expect(talk.b.heard.map(\.secret) == [secret] && talk.a.heard.isEmpty)
        #expect(talk.a.said == ["hello", "vectors", "rosterHashes", "roster"])
        #expect(talk.b.said == ["hello", "vectors", "rosterHashes"], "it has nothing to tell")
    }

    @Test func theSameOneIsNotSent_andCountsAsSaid() throws {
        let talk = RosterTalk(secrets: (secret, secret))
        try talk.run()
        for side in [talk.a, talk.b] {
            #expect(side.said == ["hello", "vectors"])
            #expect(side.heard.map(\.secret) == [secret] && side.heard.allSatisfy(\.statements.isEmpty))
        }
    }

    /// Another serial with the same bytes is another secret, for the higher one counts.
    @Test func theSerialIsPartOfIt() throws {
        let talk = RosterTalk(secrets: (secret, HouseholdSecret(secret.bytes, serial: 4)))
        try talk.run()
        #expect(talk.a.heard.map(\.secret?.serial) == [4] && talk.b.heard.map(\.secret?.serial) == [3])
    }

    @Test func aRenewedOneIsToldWithoutStatements_onceInEachDirection() throws {
        let talk = RosterTalk(secrets: (secret, secret))
        try talk.run()
        let before = talk.a.bytes
        for _ in 0..<2 { try talk.change(talk.a, secret: renewed) }
        #expect(talk.b.heard.map(\.secret) == [secret, renewed])
        #expect(talk.a.bytes - before < 64, "without statements it costs next to nothing")
        try talk.change(talk.b, secret: renewed)
        #expect(talk.a.heard.map(\.secret) == [secret, renewed], "the one that it came from waits for that")
    }
}
