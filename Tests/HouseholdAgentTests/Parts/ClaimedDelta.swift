import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// How far a replica is said to have written, whose it is, and the word that is shown for it.
struct Claim {
    var origin: ReplicaOrigin
    var entry: VersionVector.Entry
    /// The number of the last write that the delta builds on.
    var after: UInt64
    var signature: [UInt8]?

    var replica: ReplicaID { origin.replica }

    /// A claim with the device's own word.
    init(
        _ device: SeededSigner, _ sequence: UInt64, history: UInt64 = 7, after: UInt64 = 0, slot: Int = 0,
        in profile: ProfileID = Self.save
    ) throws {
        origin = try #require(ReplicaOrigin(device: device.key, profile: profile, slot: slot))
        entry = VersionVector.Entry(sequence: sequence, history: history)
        signature = ReplicaHead.signature(of: origin.replica, at: entry, by: device)
        self.after = after
    }

    /// The profile of all deltas.
    static let save = ProfileID(high: 0, low: 1)
}

extension Sequence<Claim> {
    var vector: VersionVector { VersionVector(Dictionary(map { ($0.replica, $0.entry) }) { $1 }) }

    /// Whose the replicas are.
    var origins: ReplicaOrigins {
        get throws {
            var known = try ReplicaOrigins([:])
            for claim in self { known.add(claim.origin) }
            return known
        }
    }

    /// A delta that says all this, with one atom for each replica.
    ///
    /// - Parameter saying: The replicas of which it says whose they are; all where nothing is given.
    func delta(saying origins: [ReplicaOrigin]? = nil) -> IncomingDelta {
        let starts = map { ($0.replica, VersionVector.Entry(sequence: $0.after, history: 0)) }
        return IncomingDelta(
            profile: Claim.save, from: VersionVector(Dictionary(starts) { $1 }), to: vector,
            atoms: map { claim in
                let dot = Dot(replica: claim.replica, sequence: claim.entry.sequence)
                let key = AtomKey(DocumentPath([.member("title")]), .latest)
                return KeyedAtom(key, Atom(.register(.live(1), "a"), dot))
            }, origins: origins ?? map(\.origin), signatures: reduce(into: [:]) { $0[$1.replica] = $1.signature })
    }
}

/// This device's household: a laptop, a deck and a TV. A stranger is not in it.
struct ClaimHousehold {
    let me = SeededSigner(seed: 1)
    let deck = SeededSigner(seed: 2)
    let tv = SeededSigner(seed: 3)
    let stranger = SeededSigner(seed: 4)
    /// The laptop before it was paired.
    let alone: Roster
    let roster: Roster

    init() throws {
        alone = Roster(me: me.key, name: "laptop", household: HouseholdID(high: 1, low: 2))
        var roster = alone
        for (device, name) in [(deck, "deck"), (tv, "tv")] {
            roster = try roster.adding(device.key, name: name, by: me).roster
        }
        self.roster = roster
    }

    /// Looks at a delta where the laptop covers some claims already.
    func admit(
        _ delta: IncomingDelta, from relay: DeviceKey? = nil, covered: [Claim] = [], roster: Roster? = nil,
        leftOut former: LeftOutReplicas = LeftOutReplicas(), asksAgain: Bool = true
    ) throws -> DeltaAdmission {
        DeltaAdmission(
            delta, from: relay, covered: covered.vector, known: try covered.origins, roster: roster ?? self.roster,
            leftOut: former, asksAgain: asksAgain)
    }
}

extension DeltaAdmission {
    var isRefused: Bool { if case .refused = verdict { true } else { false } }
}
