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

    /// The laptop holds the made-up resets, and neither of the two runs.
    private func scene() throws -> DeckAway {
        let scene = try DeckAway(at: path)
        let (replica, vector) = (scene.replica, scene.vector)
        let dot = Dot(replica: replica, sequence: vector.sequence(of: replica))
        let madeUp = (1...ProfileState.epochsTaken).map { number in
            let id = EpochID(number: UInt64(number), kind: .reset, stamp: Stamp(rawValue: 0), origin: replica)
            let place = DocumentPath([.member("nowhere"), .member(JSONString("\(number)"))])
            let key = AtomKey(.epochs, .epoch, sub: id.bytes + replica.bytes)
            return KeyedAtom(key, Atom(.epoch(Epoch(selector: PathSelector(places: [place]), seen: [:])), dot))
        }
        let liar = scene.liar()
        liar.claim(scene.profile, madeUp, upTo: vector)
        let state = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state
        #expect(!liar.isClosed && state.vector.covers(vector) && !state.hasRoomForEpoch(of: replica), "\(liar.logs)")
        scene.home.household.kill(scene.laptop)
        return scene
    }

    private func reset(_ scene: DeckAway) throws {
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
