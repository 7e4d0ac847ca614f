import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// Whose writes of a delta may be joined, and up to where, whoever sends it and whatever it says.
@Suite struct DeltaAdmissionTests {
    private let home: ClaimHousehold
    private let me: SeededSigner
    private let deck: SeededSigner
    private let tv: SeededSigner

    init() throws {
        home = try ClaimHousehold()
        (me, deck, tv) = (home.me, home.deck, home.tv)
    }

    // MARK: Whose writes

    @Test func whatMembersSignedIsTaken() throws {
        let claims = [try Claim(deck, 3), try Claim(tv, 2)]
        let admission = try home.admit(claims.delta())
        #expect(admission.verdict == .taken && admission.leftOut.isEmpty)
        #expect(admission.delta == claims.delta() && admission.offered == claims.vector)
        #expect(Set(admission.origins) == Set(claims.map(\.origin)) && admission.heads.count == 2)
        for claim in claims {
            let head = admission.heads[claim.replica]
            #expect(head?.entry == claim.entry && head?.signature == claim.signature)
            #expect(admission.owner(of: claim.replica) == claim.origin)
        }
    }

    /// The sender says that it had that before it learned of the removal.
    @Test func whatARemovedDeviceWroteBeforeIsTaken() throws {
        let roster = try home.roster.removing(deck.key, by: me).roster
        let claim = try Claim(deck, 3)
        var delta = [claim].delta()
        delta.cut = [claim.replica]
        let admission = try home.admit(delta, from: tv.key, roster: roster)
        #expect(!roster.contains(deck.key) && admission.verdict == .taken && admission.heads.count == 1)
        #expect(admission.beyondCut.isEmpty)
        #expect(admission.hearsay.map(\.replica) == [claim.replica], "to be asked about, should it come back")
    }

    /// Also where some of it is here, and beside what is taken.
    @Test(arguments: [0, 2]) func whatARemovedDeviceWroteLaterIsLeftOut(covered: UInt64) throws {
        let roster = try home.roster.removing(deck.key, by: me).roster
        let (late, other) = (try Claim(deck, 3, after: covered), try Claim(tv, 2))
        let former = covered == 0 ? [] : [try Claim(deck, covered)]
        let admission = try home.admit([late, other].delta(), covered: former, roster: roster)
        #expect(admission.verdict == .taken && admission.beyondCut == [late.replica] && admission.leftOut.isEmpty)
        #expect(admission.delta.to == [other].vector && admission.origins == [other.origin])
        #expect(Array(admission.heads.keys) == [other.replica] && admission.delta.atoms.count == 1)
        #expect(admission.owner(of: late.replica) == late.origin, "to be named")
        // A device that came back writes as before.
        let back = try roster.adding(deck.key, name: "deck", by: me).roster
        #expect(try home.admit([late].delta(), covered: former, roster: back).heads.count == 1)
    }

    /// A device that only the removed one let in never was a member of those that are left.
    @Test func whatADeviceOfARemovedOneWroteIsLeftOut() throws {
        let deckRoster = Roster(me: deck.key, name: "deck", household: home.roster.household)
        let said = try deckRoster.adding(home.stranger.key, name: "x", by: deck).roster.statements
        let roster = try home.roster.removing(deck.key, by: me).roster.merging(said).roster
        let claim = try Claim(home.stranger, 3)
        #expect(try home.admit([claim].delta(), roster: roster).beyondCut == [claim.replica])
    }

    @Test func whatWasLeftOutIsAskedForOnceTheWordComes() throws {
        let roster = try home.roster.removing(deck.key, by: me).roster
        let (known, late) = (try Claim(deck, 2), try Claim(deck, 5, after: 4))
        var left = LeftOutReplicas()
        let writer = LeftOutReplicas.Writer(device: deck.key.id, reason: .noMember)
        _ = left.add([late.replica: writer], upTo: [late].vector, of: Claim.save, now: 0)
        #expect(left.profiles(for: .noMember) == [Claim.save])
        var delta = [late].delta()
        delta.cut = [late.replica]
        let admission = try home.admit(delta, covered: [known], roster: roster, leftOut: left, asksAgain: false)
        #expect(admission.verdict == .gap)
    }

    /// Also where a member sends them together with what may be taken, and where the stranger says who is a member.
    @Test func whatAStrangerWroteIsRefused() throws {
        let claim = try Claim(home.stranger, 3)
        #expect(try home.admit([claim].delta()).isRefused)
        #expect(try home.admit([Claim(deck, 3), claim].delta()).isRefused)
        let other = Roster(me: home.stranger.key, name: "x", household: home.alone.household)
        let said = try other.adding(tv.key, name: "tv", by: home.stranger).roster.statements
        let roster = home.alone.merging(said).roster
        #expect(try home.admit([Claim(tv, 3)].delta(), roster: roster).isRefused)
    }

    @Test func aReplicaIsNobodysUntilItWasSaidWhoseItIs() throws {
        let (first, second) = (try Claim(deck, 1), try Claim(deck, 2, after: 1))
        #expect(try home.admit([first].delta(saying: [])).isRefused)
        let other = try Claim(deck, 1, slot: 1)
        #expect(try home.admit([first].delta(saying: [other.origin])).isRefused)
        let admission = try home.admit([second].delta(saying: []), covered: [first])
        #expect(admission.verdict == .taken && admission.heads.count == 1)
        #expect(admission.owner(of: first.replica) == first.origin)
        // What is known is not stored once more, whether or not it was said once more.
        #expect(try admission.origins.isEmpty && home.admit([second].delta(), covered: [first]).origins.isEmpty)
    }

    // MARK: How far they go

    /// Every kind of word that the device did not give.
    @Test(arguments: 0..<8) func whatADeviceDidNotSignIsRefused(kind: Int) throws {
        let sound = try Claim(deck, 5)
        let (replica, entry) = (sound.replica, sound.entry)
        var forged = sound
        forged.signature =
            switch kind {
            case 0: ReplicaHead.signature(of: replica, at: entry, by: tv)
            case 1: ReplicaHead.signature(of: replica, at: .init(sequence: 4, history: 7), by: deck)
            case 2: ReplicaHead.signature(of: replica, at: .init(sequence: 5, history: 8), by: deck)
            case 3: ReplicaHead.signature(of: try Claim(deck, 5, slot: 1).replica, at: entry, by: deck)
            case 4: try #require(sound.signature).map { $0 ^ 1 }
            case 5: Array(repeating: 0, count: Limits.signature)
            case 6: []
            default: nil
            }
        #expect(try home.admit([sound].delta()).verdict == .taken)
        #expect(try home.admit([forged].delta()).isRefused)
        #expect(try home.admit([Claim(tv, 1), forged].delta()).isRefused, "beside a sound one")
        let former = try Claim(deck, 4)
        #expect(try home.admit([forged].delta(), covered: [former]).isRefused, "where the writes before it are here")
        let branch = try Claim(deck, 5, history: 6)
        #expect(try home.admit([forged].delta(), covered: [branch]).isRefused, "where another write with its number is")
    }

    /// With a signature of its own, the laptop's record is an old one.
    @Test func nobodyElseSaysHowMuchThisDeviceWrote() throws {
        let covered = [try Claim(me, 3)]
        let own = try Claim(me, 9, after: 3)
        var forged = own
        forged.signature = ReplicaHead.signature(of: own.replica, at: own.entry, by: deck)
        #expect(try home.admit([forged].delta(), covered: covered).isRefused)
        #expect(try home.admit([own].delta(), covered: covered).verdict == .taken)
    }

    /// A signature is kept where its entry becomes the profile's, so that it can be shown to others.
    @Test(arguments: [(4, 7, true), (3, 8, true), (3, 6, false), (2, 9, false)])
    func theWordForWhatIsNewIsKept(sequence: UInt64, history: UInt64, isKept: Bool) throws {
        let (covered, said) = (try Claim(deck, 3), try Claim(deck, sequence, history: history))
        let admission = try home.admit([said].delta(), covered: [covered])
        #expect(admission.verdict == .taken)
        let entry = [covered].vector.joined([said].vector).entries[said.replica]
        #expect((entry == said.entry) == isKept)
        let head = admission.heads[said.replica]
        #expect(isKept ? head?.entry == entry && head?.signature == said.signature : admission.heads.isEmpty)
    }

    @Test func aForgedWordForWhatIsKnownIsNotKept() throws {
        let covered = try Claim(deck, 3)
        var forged = covered
        forged.signature = ReplicaHead.signature(of: covered.replica, at: covered.entry, by: tv)
        #expect(try home.admit([forged].delta(), covered: [covered]).heads.isEmpty)
    }

    @Test func whatDoesNotFollowOnWhatIsHereIsAGap() throws {
        let delta = [try Claim(deck, 5, after: 3), try Claim(tv, 1)].delta()
        #expect(try home.admit(delta).verdict == .gap)
        #expect(try home.admit(delta, covered: [Claim(deck, 2)]).verdict == .gap)
        #expect(try home.admit(delta, covered: [Claim(deck, 3)]).verdict == .taken)
        #expect(try home.admit(delta, covered: [Claim(deck, 4)]).verdict == .taken)
    }
}
