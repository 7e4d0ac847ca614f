import MergeCore
import ProfileKeeping
import TestSupport
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation
@testable import SyncProtocol

/// A device takes another replica when its record was rolled back. It has so many in a profile and no more, and keeps on
/// saving when it has used all.
@Suite struct ReplicaSlotTests {
    private let path = "/games/save.json"

    /// The record of the laptop is an old one again and again, and what it plays still arrives. Once it has no other
    /// replica left it goes on with one that it has.
    ///
    /// - Parameter isKnown: Whether the laptop finds that by itself. If not, its file is an old one, too, and at every
    ///   other time the laptop writes under numbers that it has used before it meets the deck.
    @Test(arguments: [true, false]) func aRecordThatIsRolledBackAgainAndAgain(isKnown: Bool) throws {
        let home = Home(seed: 15)
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        try home.add(
            path, #"{"best":1,"title":"a"}"#, rules: try home.rules([("/best", MergeRule(.max))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        home.household.run(milliseconds: 2_000)
        let profile = try #require(laptop.record.profiles().first)
        for round in 2..<Limits.slots + 8 {
            let (old, file) = (laptop.record.copy, try #require(home.household.text(of: path, on: laptop)))
            home.household.save(#"{"best":\#(round),"title":"lost \#(round)"}"#, to: path, on: laptop)
            home.household.run(milliseconds: 3_000)
            home.household.kill(laptop)
            laptop.record.restore(old)
            let isApart = !isKnown && round % 2 == 1
            if !isKnown { laptop.files.saveByRename(Array(file.utf8), at: path) }
            if isApart { home.household.part(laptop, deck) }
            try home.household.start(laptop, isRecordRolledBack: isKnown)
            home.household.run(milliseconds: 5_000)
            let text = #"{"best":\#(round),"title":"round \#(round)"}"#
            home.household.save(text, to: path, on: laptop)
            home.household.run(milliseconds: 2_000)
            if isApart { home.household.part(laptop, deck, false) }
            home.expect(text, at: path, on: [laptop, deck], within: 20_000)
        }
        let state = try #require(deck.machine?.engine.profiles[profile]).state
        let own = Set(ReplicaOrigin.all(of: laptop.signer.key, in: profile).map(\.replica))
        let used = state.vector.entries.keys.filter { own.contains($0) }
        #expect(used.count > Limits.slots / 2, "\(used.count)")
        #expect(state.vector == laptop.machine?.engine.profiles[profile]?.state.vector)
    }

    /// A replica may begin so many epochs: a device that has used them up goes on as another one, and can still reset.
    @Test func whoHasStartedOverTooOftenGoesOnAsAnotherReplica() throws {
        let home = Home(seed: 17, loadedProfiles: 16)  // a thousand resets of a state that grows
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, #"{"best":1}"#, rules: try home.rules([("/best", MergeRule(.max))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        home.household.run(milliseconds: 2_000)
        let profile = try #require(laptop.record.profiles().first)
        let former = try #require(laptop.machine?.engine.profiles[profile]).replica
        for _ in 0..<ProfileState.epochsOfReplica + 2 {
            let id = home.household.ask(ResetRequest(profile: "game"), on: laptop)
            _ = home.household.run(until: { laptop.replies[id]?.last?.isFinal == true })
            guard case .response(is ProfileAnswer)? = laptop.replies[id]?.last else {
                throw Home.Failure("not reset: \(laptop.replies[id] ?? [])")
            }
        }
        #expect(laptop.machine?.engine.profiles[profile]?.replica != former)
        home.household.save(#"{"best":7}"#, to: path, on: laptop)
        home.expect(#"{"best":7}"#, at: path, on: [laptop, deck], within: 20_000)
        let (ours, theirs) = (laptop.machine?.engine.profiles[profile], deck.machine?.engine.profiles[profile])
        #expect(ours?.state.vector == theirs?.state.vector)
    }

    /// A device that got a new key cannot sign for the replica that it had: it takes one of its own.
    @Test func aReplicaOfAnotherKeyIsGivenUp() throws {
        let home = Home(seed: 16)
        let laptop = try home.device("laptop")
        try home.add(path, #"{"best":1}"#, on: laptop)
        let profile = try #require(laptop.record.profiles().first)
        let former = try #require(laptop.machine?.engine.profiles[profile]).replica
        home.household.kill(laptop)
        var machine = try SimulatedDevice.Machine(
            settings: .init(deviceName: "laptop"), signer: SeededSigner(seed: 99), random: SeededRandom(seed: 1),
            files: laptop.files, store: laptop.record)
        _ = machine.handle(.started(port: 7_000), now: home.household.moment(on: laptop))
        let replica = try #require(machine.engine.profiles[profile]).replica
        #expect(replica != former)
        let own = ReplicaOrigin.all(of: SeededSigner(seed: 99).key, in: profile).map(\.replica)
        #expect(own.contains(replica))
    }
}
