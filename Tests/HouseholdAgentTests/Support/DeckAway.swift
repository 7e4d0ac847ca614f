import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// The scene in which a member may lie: the deck wrote while the laptop was away, and is away itself now that the laptop
/// runs again. So a bad member can tell the laptop of the deck's writes first.
struct DeckAway {
    let home: Home
    let laptop: SimulatedDevice
    let deck: SimulatedDevice
    let bad: SimulatedDevice
    /// Away, too.
    let other: SimulatedDevice?
    let profile: ProfileID
    /// What the deck wrote while the laptop was away, and how far it wrote as which replica.
    let atoms: [KeyedAtom]
    let vector: VersionVector
    let replica: ReplicaID

    /// - Parameter third: The name of one more device that has the save, if any.
    init(at path: String, with third: String? = nil) throws {
        let home = Home(seed: 14)
        let (laptop, deck, bad) = (try home.device("laptop"), try home.device("deck"), try home.device("bad"))
        try home.add(
            path, #"{"coins":5,"title":"a"}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        try home.pair(laptop, bad)
        let other = try third.map { try home.device($0) }
        if let other {
            try home.pair(laptop, other)
            try home.restore(path, on: other)
        }
        home.household.run(milliseconds: 60_000)
        if let other { home.household.kill(other) }
        home.household.kill(bad)
        home.household.kill(laptop)
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.household.run(milliseconds: 10_000)
        let profile = try #require(deck.record.profiles().first)
        let held = try #require(deck.machine?.engine.profiles[profile])
        home.household.kill(deck)
        try home.household.start(laptop)
        home.household.run(milliseconds: 1_000)
        let known = try #require(laptop.machine?.engine.profiles[profile]).state.vector
        (self.home, self.laptop, self.deck, self.bad, self.other) = (home, laptop, deck, bad, other)
        (self.profile, atoms) = (profile, held.state.delta(beyond: known))
        (vector, replica) = (held.state.vector, held.replica)
    }

    /// A link of the bad member to the laptop, over which the deck's replica is known.
    func liar() -> Liar {
        let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
        liar.relay(replica, of: deck, in: profile)
        return liar
    }
}
