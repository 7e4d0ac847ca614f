import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// A bad member makes up resets in the deck's name, as many as are taken of one replica, while the deck is away. What
/// the deck itself begins then is too much together with them; the laptop refuses neither the deck nor who relays it.
@Suite struct MadeUpEpochsTests {
    private let path = "/games/save.json"

    private struct Scene {
        let home: Home
        let laptop: SimulatedDevice
        let deck: SimulatedDevice
        let profile: ProfileID
        /// The replica as which the deck writes.
        let replica: ReplicaID
    }

    /// The laptop holds the made-up resets, and neither of the two runs.
    private func scene() throws -> Scene {
        let home = Home(seed: 14)
        let (laptop, deck, bad) = (try home.device("laptop"), try home.device("deck"), try home.device("bad"))
        try home.add(
            path, #"{"coins":5,"title":"a"}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        try home.pair(laptop, bad)
        home.household.run(milliseconds: 60_000)
        home.household.kill(bad)
        home.household.kill(laptop)
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.household.run(milliseconds: 10_000)
        let profile = try #require(deck.record.profiles().first)
        let held = try #require(deck.machine?.engine.profiles[profile])
        let (replica, vector) = (held.replica, held.state.vector)
        home.household.kill(deck)
        try home.household.start(laptop)
        home.household.run(milliseconds: 1_000)
        let dot = Dot(replica: replica, sequence: vector.sequence(of: replica))
        let madeUp = (1...ProfileState.epochsTaken).map { number in
            let id = EpochID(number: UInt64(number), kind: .reset, stamp: Stamp(rawValue: 0), origin: replica)
            let place = DocumentPath([.member("nowhere"), .member(JSONString("\(number)"))])
            let key = AtomKey(.epochs, .epoch, sub: id.bytes + replica.bytes)
            return KeyedAtom(key, Atom(.epoch(Epoch(selector: PathSelector(places: [place]), seen: [:])), dot))
        }
        let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
        liar.relay(replica, of: deck, in: profile)
        liar.claim(profile, madeUp, upTo: vector)
        let state = try #require(laptop.machine?.engine.profiles[profile]).state
        #expect(!liar.isClosed && state.vector.covers(vector) && !state.hasRoomForEpoch(of: replica), "\(liar.logs)")
        home.household.kill(laptop)
        return Scene(home: home, laptop: laptop, deck: deck, profile: profile, replica: replica)
    }

    private func reset(_ scene: Scene) throws {
        let (home, deck) = (scene.home, scene.deck)
        let id = home.household.ask(ResetRequest(profile: "game"), on: deck)
        _ = home.household.run(until: { deck.replies[id]?.last?.isFinal == true })
        guard case .response(is ProfileAnswer)? = deck.replies[id]?.last else {
            throw Home.Failure("not reset: \(deck.replies[id] ?? [])")
        }
        // What the game plays from the new start.
        home.expect(#"{"coins":0}"#, at: path, on: [deck], within: 10_000)
        home.household.save(#"{"coins":1,"title":"c"}"#, to: path, on: deck)
        home.household.run(milliseconds: 10_000)
    }

    /// The deck began something anew before they meet.
    @Test func whatTheirWriterBeginsComesAllTheSame() throws {
        let scene = try scene()
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        home.household.part(laptop, deck)
        try home.household.start(laptop)
        try home.household.start(deck)
        try reset(scene)
        home.household.part(laptop, deck, false)
        home.expect(#"{"coins":1,"title":"c"}"#, at: path, on: [laptop, deck], within: 120_000)
        home.household.run(milliseconds: 30_000)
        let (ours, theirs) = (
            try #require(laptop.machine?.engine.profiles[scene.profile]).state,
            try #require(deck.machine?.engine.profiles[scene.profile]).state
        )
        #expect(ours.vector == theirs.vector && ours.hasRoomForEpoch(of: scene.replica))
        // Both go on.
        home.household.save(#"{"coins":2,"title":"d"}"#, to: path, on: laptop)
        home.expect(#"{"coins":2,"title":"d"}"#, at: path, on: [laptop, deck], within: 20_000)
    }
}
