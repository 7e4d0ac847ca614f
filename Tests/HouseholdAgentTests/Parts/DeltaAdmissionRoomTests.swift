import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// What of a delta is left out where a profile is full, so that all else goes on.
@Suite struct DeltaAdmissionRoomTests {
    private let home: ClaimHousehold
    private let deck: SeededSigner
    private let tv: SeededSigner

    init() throws {
        home = try ClaimHousehold()
        (deck, tv) = (home.deck, home.tv)
    }

    /// Replicas of the deck, each as if it had come with a profile that was joined into this one.
    private func joined(_ numbers: Range<Int>, _ sequence: UInt64 = 1, after: UInt64 = 0) throws -> [Claim] {
        try numbers.map { try Claim(deck, sequence, after: after, in: ProfileID(random: 9, UInt64($0))) }
    }

    private func replicas(_ claims: [Claim]) -> Set<ReplicaID> { Set(claims.map(\.replica)) }

    /// The deck's replicas, noted as left out.
    private func leftOut(
        _ claims: [Claim], of profile: ProfileID = Claim.save, isAnnounced: Bool = false
    ) -> LeftOutReplicas {
        var left = LeftOutReplicas()
        let writer = LeftOutReplicas.Writer(device: deck.key.id, reason: .full)
        let writers = Dictionary(claims.map { ($0.replica, writer) }) { $1 }
        let origins = Dictionary(claims.map { ($0.replica, $0.origin) }) { $1 }
        _ = left.add(writers, from: isAnnounced ? origins : [:], upTo: claims.vector, of: profile, now: 0)
        return left
    }

    /// Nothing of a replica without room is joined or stored, and the rest is taken as it came.
    private func expectOnly(
        _ rest: [Claim], _ admission: DeltaAdmission, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let kept = replicas(rest)
        #expect(admission.verdict == .taken, sourceLocation: sourceLocation)
        #expect(admission.delta.to == rest.vector, sourceLocation: sourceLocation)
        #expect(kept.isSuperset(of: admission.delta.from.entries.keys), sourceLocation: sourceLocation)
        #expect(Set(admission.delta.atoms.map(\.atom.dot.replica)) == kept, sourceLocation: sourceLocation)
        #expect(kept.isSuperset(of: admission.delta.origins.map(\.replica)), sourceLocation: sourceLocation)
        #expect(Set(admission.origins.map(\.replica)) == kept, sourceLocation: sourceLocation)
        #expect(Set(admission.heads.keys) == kept, sourceLocation: sourceLocation)
    }

    @Test func replicasWithoutRoomAreLeftOut_andAllOthersGoOn() throws {
        let (many, other) = (try joined(0..<Limits.joinedReplicas + 3), try Claim(tv, 2))
        let delta = (many + [other]).delta()
        let admission = try home.admit(delta)
        #expect(admission.leftOut.count == 3 && admission.leftOut.isSubset(of: replicas(many)))
        #expect(admission.offered == delta.to)
        expectOnly((many + [other]).filter { !admission.leftOut.contains($0.replica) }, admission)
        for claim in many { #expect(admission.owner(of: claim.replica) == claim.origin, "to be named") }
    }

    /// What is here already has used the room.
    @Test func whatIsCoveredKeepsItsRoom() throws {
        let (former, new) = (try joined(0..<Limits.joinedReplicas), try joined(100..<101))
        let later = try Claim(deck, 2, after: 1, in: former[0].origin.profile)
        let admission = try home.admit((new + [later]).delta(), covered: former)
        #expect(admission.verdict == .taken && admission.leftOut == replicas(new))
        #expect(admission.delta.to == [later].vector && Array(admission.heads.keys) == [later.replica])
    }

    /// A delta that builds on what was left out takes nothing from the others.
    @Test func aReplicaWithoutRoomIsNoGap() throws {
        let former = try joined(0..<Limits.joinedReplicas)
        let (new, other) = (try joined(100..<101, 5, after: 4), try Claim(tv, 2))
        let admission = try home.admit((new + [other]).delta(), covered: former)
        #expect(admission.leftOut == replicas(new))
        expectOnly([other], admission)
    }

    // MARK: What was left out before

    @Test func whatWasLeftOutIsNotSaidAgain() throws {
        let (former, other) = (try Claim(deck, 2, after: 1), try Claim(tv, 2))
        let delta = [former, other].delta(saying: [other.origin])
        let admission = try home.admit(delta, leftOut: leftOut([former]), asksAgain: false)
        #expect(admission.leftOut == [former.replica] && admission.offered == delta.to)
        expectOnly([other], admission)
        let elsewhere = leftOut([former], of: ProfileID(high: 0, low: 2))
        #expect(try home.admit(delta, leftOut: elsewhere, asksAgain: false).isRefused, "of another profile")
        #expect(try home.admit(delta).isRefused, "of none")
    }

    /// Some of a replica's writes are here, and what it wrote next was left out. It is asked for once it is time.
    @Test(arguments: [false, true]) func whatGoesOnBehindItIsLeftOutUntilItIsTime(asksAgain: Bool) throws {
        let (covered, later, other) = (try Claim(deck, 2), try Claim(deck, 6, after: 5), try Claim(tv, 2))
        let admission = try home.admit(
            [later, other].delta(), covered: [covered], leftOut: leftOut([covered]), asksAgain: asksAgain)
        guard asksAgain else {
            #expect(admission.leftOut == [later.replica])
            return expectOnly([other], admission)
        }
        #expect(admission.verdict == .gap)
    }

    /// What was left out comes whole, and there is room now.
    @Test func whatHasRoomNowIsTaken() throws {
        let former = try Claim(deck, 2)
        let admission = try home.admit([former].delta(), leftOut: leftOut([former]))
        #expect(admission.leftOut.isEmpty)
        expectOnly([former], admission)
    }

    /// On one link a peer says once whose a replica is. That it was said with writes that were left out is enough.
    @Test func whatHasRoomNowIsTakenThoughItsOriginIsNotSaidAgain() throws {
        let (former, other) = (try Claim(deck, 2), try Claim(tv, 2))
        let delta = [former, other].delta(saying: [other.origin])
        let left = leftOut([former], isAnnounced: true)
        let later = try home.admit(delta, leftOut: left)
        #expect(later.verdict == .taken && later.leftOut.isEmpty)
        #expect(later.delta.to == delta.to && Set(later.origins) == [former.origin, other.origin])
        let soon = try home.admit(delta, leftOut: left, asksAgain: false)
        #expect(soon.leftOut == [former.replica])
        expectOnly([other], soon)
    }

    // MARK: What turns out to be too much

    @Test func theSameWithoutSomeReplicas() throws {
        let (one, two, other) = (try Claim(deck, 2), try Claim(deck, 3, slot: 1), try Claim(tv, 2))
        let whole = try home.admit([one, two, other].delta())
        let rest = whole.without(replicas([one, two]))
        expectOnly([other], rest)
        #expect(rest.offered == whole.offered && rest.owner(of: one.replica) == one.origin, "to be named")
        expectOnly([one, two, other], whole.without([]))
        #expect(whole.without(replicas([one, two, other])).delta.to.entries.isEmpty)
    }
}
