import HouseholdSimulation
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// The household's secret: renewed at a removal, and told to all, without cutting off a member that was away.
@Suite struct HouseholdSecretsTests {
    private let deck = SeededSigner(seed: 2).key.id
    private let tv = SeededSigner(seed: 3).key.id

    private func bytes(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    private func secret(_ number: UInt8, _ serial: UInt64) -> HouseholdSecret {
        HouseholdSecret(bytes(number), serial: serial)
    }

    /// This device in a household with deck and tv.
    private func paired(_ serial: UInt64 = 0) -> HouseholdSecrets {
        var secrets = HouseholdSecrets(notes: [:])
        secrets.take(secret(5, serial), isSame: false)
        return secrets
    }

    @Test func ofTwoSecretsTheLaterRenewedCounts_andApartTheLargerBytes() {
        #expect(secret(1, 2).isNewer(than: secret(9, 1)) && !secret(9, 1).isNewer(than: secret(1, 2)))
        #expect(secret(9, 2).isNewer(than: secret(1, 2)) && !secret(1, 2).isNewer(than: secret(9, 2)))
        #expect(!secret(1, 2).isNewer(than: secret(1, 2)))
        #expect("\(secret(7, 2))" == "household secret 2", "it is not for logs")
    }

    @Test func theFormerSecretIsKeptUntilEveryMemberHasThePresentOne() {
        var secrets = paired()
        secrets.renew(bytes(6), members: [deck, tv])
        #expect(secrets.present == secret(6, 1) && secrets.former == [bytes(5)])
        var isNews = secrets.take(secret(6, 1), from: deck, members: [deck, tv])
        #expect(!isNews && secrets.former == [bytes(5)], "the tv was away")
        isNews = secrets.take(secret(5, 0), from: tv, members: [deck, tv])
        #expect(!isNews && secrets.present == secret(6, 1) && secrets.former == [bytes(5)])
        isNews = secrets.take(secret(6, 1), from: tv, members: [deck, tv])
        #expect(!isNews && secrets.former.isEmpty)
    }

    @Test func aMemberThatIsGoneIsNotWaitedFor() {
        var secrets = paired()
        secrets.renew(bytes(6), members: [deck, tv])
        _ = secrets.take(secret(6, 1), from: deck, members: [deck, tv])
        secrets.forgetFormer(members: [deck])
        #expect(secrets.former.isEmpty)
        secrets.renew(bytes(7), members: [])
        #expect(secrets.former.isEmpty, "nobody is left who could have been away")
    }

    @Test func aNewerSecretIsTaken_andAnOlderOneIsNot() {
        var secrets = paired()
        let isNews = secrets.take(secret(6, 1), from: deck, members: [deck, tv])
        #expect(isNews && secrets.present == secret(6, 1) && secrets.former == [bytes(5)])
        let isOld = secrets.take(secret(9, 0), from: tv, members: [deck, tv])
        #expect(!isOld && secrets.present == secret(6, 1))
    }

    /// The laptop renewed it apart from here, another member took that one and went away: it is recognised when it is back.
    @Test func aSecretThatWasRenewedApartIsKeptAsAFormerOne() {
        var secrets = paired()
        secrets.renew(bytes(9), members: [deck, tv])
        let isNews = secrets.take(secret(6, 1), from: deck, members: [deck, tv])
        #expect(!isNews && secrets.present == secret(9, 1) && secrets.former == [bytes(5), bytes(6)])
        _ = secrets.take(secret(9, 1), from: deck, members: [deck, tv])
        #expect(secrets.former == [bytes(5), bytes(6)], "the tv was away")
        _ = secrets.take(secret(9, 1), from: tv, members: [deck, tv])
        #expect(secrets.former.isEmpty)
    }

    /// A secret far beyond all others would leave no room for the next one.
    @Test func aSerialFarBeyondIsNotTaken() {
        var secrets = paired()
        let isTaken = secrets.take(secret(6, Limits.serialGap + 1), from: deck, members: [deck])
        #expect(!isTaken && secrets.present == secret(5, 0))
    }

    @Test func whoIsInNoHouseholdTakesNone() {
        var secrets = HouseholdSecrets(notes: [:])
        let isTaken = secrets.take(secret(6, 1), from: deck, members: [])
        secrets.renew(bytes(7), members: [])
        let stored = secrets.takeUnstored()
        #expect(!isTaken && secrets.present == nil && stored.isEmpty)
    }

    @Test func formerSecretsAreBounded() {
        var secrets = paired()
        for number in 10..<30 { secrets.renew(bytes(UInt8(number)), members: [deck]) }
        #expect(secrets.former.count == HouseholdSecrets.formerLimit && secrets.former.first == bytes(28))
    }

    @Test func theyComeBackFromTheRecord_alsoThoseOfAnEarlierVersion() {
        var secrets = paired()
        for number in [6, 7] { secrets.renew(bytes(UInt8(number)), members: [deck]) }
        let notes = secrets.takeUnstored().changes.compactMapValues { $0 }
        let read = HouseholdSecrets(notes: notes)
        #expect(read.present == secret(7, 2) && read.former == [bytes(6), bytes(5)])
        #expect(HouseholdSecrets(notes: ["household/secret": bytes(4)]).present == secret(4, 0))
        #expect(HouseholdSecrets(notes: ["household/secret": [4]]).present == nil)
    }

    /// A device that comes back by a pairing may bring a former secret, and takes the present one.
    @Test func aPairingBringsTheNewerOne() {
        var host = paired(3)
        host.take(secret(4, 2), isSame: true)
        #expect(host.present == secret(5, 3))
        var guest = paired(2)
        guest.take(secret(6, 3), isSame: true)
        #expect(guest.present == secret(6, 3) && guest.former == [bytes(5)])
        guest.take(secret(1, 0), isSame: false)
        #expect(guest.present == secret(1, 0) && guest.former.isEmpty, "another household")
    }
}
