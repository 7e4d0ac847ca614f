import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// What a removed device wrote: what some member had by then reaches all others, and what it wrote later nobody.
@Suite struct FormerMemberTests {
    private let path = "/games/save.json"

    private struct Scene {
        let home: Home
        let laptop: SimulatedDevice
        let deck: SimulatedDevice
        /// Has the save, and is removed.
        let gone: SimulatedDevice
    }

    private func scene() throws -> Scene {
        let home = Home(seed: 14)
        let (laptop, deck, gone) = (try home.device("laptop"), try home.device("deck"), try home.device("gone"))
        try home.add(
            path, #"{"coins":5,"title":"a"}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        try home.pair(laptop, gone)
        try home.restore(path, on: gone)
        try home.pair(deck, gone)
        home.household.run(milliseconds: 60_000)
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: gone)
        home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [laptop, deck, gone])
        return Scene(home: home, laptop: laptop, deck: deck, gone: gone)
    }

    private func unpair(_ scene: Scene) throws {
        let id = scene.home.household.ask(UnpairRequest(device: "gone"), on: scene.laptop)
        _ = scene.home.household.run(until: { scene.laptop.replies[id] != nil })
        guard case .response(is RemovedDevice)? = scene.laptop.replies[id]?.last else {
            throw Home.Failure("not removed: \(scene.laptop.replies[id] ?? [])")
        }
    }

    /// A machine that was off when it was removed is told when it comes back, by each that knows.
    @Test func whoWasAwayWhenItWasRemovedIsTold() throws {
        let scene = try scene()
        let home = scene.home
        home.household.kill(scene.gone)
        home.household.run(milliseconds: 5_000)
        try unpair(scene)
        home.household.run(milliseconds: 5_000)
        try home.household.start(scene.gone)
        home.household.run(milliseconds: 30_000)
        let status = try home.status(on: scene.gone)
        let reasons = status.household.map { $0.reason ?? "" }
        let told = "this machine was removed from its household; pair the two again"
        #expect(reasons.count == 2 && reasons.allSatisfy { $0.hasSuffix(told) }, "\(reasons)")
        let trouble = "deck and laptop say that this device was removed from the household; what is played here "
        #expect(status.troubles.contains { $0.hasPrefix(trouble) }, "\(status.troubles)")
        // What it played meanwhile is kept, and comes in once it is paired again.
        home.household.save(#"{"coins":18,"title":"b"}"#, to: path, on: scene.gone)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: scene.laptop) == #"{"coins":8,"title":"b"}"#)
        try home.pair(scene.laptop, scene.gone)
        home.expect(#"{"coins":18,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck, scene.gone])
        // The other one hears of it, and connects with its next try.
        home.household.run(milliseconds: 60_000)
        #expect(try home.status(on: scene.gone).troubles.allSatisfy { !$0.contains("removed") })
    }

    /// It was paired again with one machine, and another one that knows of its removal does not hear of that, since it reaches
    /// nobody else: the removed one is told what to do, and pairing the two ends it.
    @Test func whoIsLetInAgainByOneIsToldWhoRefusesIt() throws {
        let scene = try scene()
        let home = scene.home
        home.household.run(milliseconds: 5_000)
        try unpair(scene)
        home.household.run(milliseconds: 5_000)
        home.household.part(scene.laptop, scene.deck)
        try home.pair(scene.laptop, scene.gone)
        home.household.run(milliseconds: 60_000)
        let trouble = try #require(try home.status(on: scene.gone).troubles.first)
        let says = "deck says that this device was removed from the household, and so does not connect to it;"
        #expect(trouble.hasPrefix(says) && trouble.hasSuffix(": hearth pair"), "\(trouble)")
        try home.pair(scene.deck, scene.gone)
        home.household.run(milliseconds: 60_000)
        #expect(try home.status(on: scene.gone).troubles.isEmpty)
        home.household.save(#"{"coins":30,"title":"z"}"#, to: path, on: scene.deck)
        home.expect(#"{"coins":30,"title":"z"}"#, at: path, on: [scene.laptop, scene.deck, scene.gone])
    }

    /// The deck had it, was away while the laptop removed the device, and learns of that only with its next link.
    @Test func whatAMemberHadByThenReachesTheOthers() throws {
        let scene = try scene()
        let home = scene.home
        home.household.part(scene.laptop, scene.deck)
        home.household.part(scene.laptop, scene.gone)
        home.household.save(#"{"coins":9,"title":"c"}"#, to: path, on: scene.gone)
        home.expect(#"{"coins":9,"title":"c"}"#, at: path, on: [scene.deck])
        home.household.kill(scene.gone)
        try unpair(scene)
        #expect(home.household.text(of: path, on: scene.laptop) == #"{"coins":8,"title":"b"}"#)
        home.household.part(scene.laptop, scene.deck, false)
        home.expect(#"{"coins":9,"title":"c"}"#, at: path, on: [scene.laptop, scene.deck])
        // A device that comes in later is given it, too.
        let new = try home.device("new")
        try home.pair(scene.laptop, new)
        try home.restore(path, on: new)
        home.expect(#"{"coins":9,"title":"c"}"#, at: path, on: [new])
        home.household.save(#"{"coins":11,"title":"d"}"#, to: path, on: new)
        home.expect(#"{"coins":11,"title":"d"}"#, at: path, on: [scene.laptop, scene.deck, new])
    }

    /// It plays on, and a member that turned bad brings that in for it.
    @Test func whatItWroteLaterComesInFromNobody() throws {
        let scene = try scene()
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        let bad = try home.device("bad")
        try home.pair(laptop, bad)
        home.household.run(milliseconds: 60_000)
        let profile = try #require(laptop.record.profiles().first)
        let replica = try #require(scene.gone.machine?.engine.profiles[profile]).replica
        home.household.kill(scene.gone)
        home.household.kill(bad)
        try unpair(scene)
        home.household.run(milliseconds: 60_000)
        func covered() throws -> VersionVector {
            try #require(laptop.machine?.engine.profiles[profile]).state.vector
        }
        let before = try covered()
        let last = before.sequence(of: replica)
        #expect(last > 0)
        let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
        liar.relay(replica, of: scene.gone, in: profile)
        let key = AtomKey(DocumentPath([.member("title")]), .latest)
        func claim(_ sequence: UInt64) {
            let content = AtomContent.register(.live(WallTime(milliseconds: 1 << 41)), "late")
            var vector = before
            vector.advance(replica, to: .init(sequence: sequence, history: sequence))
            liar.claim(
                profile, [KeyedAtom(key, Atom(content, Dot(replica: replica, sequence: sequence)))], upTo: vector)
        }
        claim(last + 1)
        #expect(try covered() == before && !liar.isClosed, "\(liar.logs)")
        #expect(liar.logs.contains { "\($0.metadata)".contains("no member any more") }, "\(liar.logs)")
        // The honest devices go on, also after a start, and nobody is told that something is lacking.
        home.household.kill(laptop)
        try home.household.start(laptop)
        home.household.save(#"{"coins":10,"title":"c"}"#, to: path, on: deck)
        home.expect(#"{"coins":10,"title":"c"}"#, at: path, on: [laptop, deck], within: 10_000)
        let status = home.household.ask(StatusRequest(), on: laptop)
        let report = try #require(laptop.replies[status]?.last?.message(StatusReport.self))
        #expect(report.profiles.first?.reason == nil, "\(report.profiles.first?.reason ?? "-")")
    }

    /// A bad member can say that it had it before: it has to say so, and what it says then counts for all.
    @Test func theWordOfAMemberIsNeeded() throws {
        let scene = try scene()
        let (home, laptop) = (scene.home, scene.laptop)
        let profile = try #require(laptop.record.profiles().first)
        let replica = try #require(scene.gone.machine?.engine.profiles[profile]).replica
        home.household.kill(scene.gone)
        try unpair(scene)
        home.household.run(milliseconds: 5_000)
        home.household.kill(scene.deck)
        home.household.run(milliseconds: 60_000)
        let before = try #require(laptop.machine?.engine.profiles[profile]).state.vector
        let liar = Liar(of: scene.deck, to: laptop, now: home.household.moment(on: laptop))
        liar.relay(replica, of: scene.gone, in: profile)
        for (step, saysSo) in [(UInt64(1), false), (2, true)] {
            liar.saysItHadItBefore = saysSo
            var vector = before
            let last = before.sequence(of: replica) + step
            vector.advance(replica, to: .init(sequence: last, history: last))
            liar.claim(profile, [], upTo: vector)
            let covered = try #require(laptop.machine?.engine.profiles[profile]).state.vector
            #expect(covered.sequence(of: replica) == (saysSo ? last : before.sequence(of: replica)))
            #expect(!liar.isClosed, "\(liar.logs)")
        }
    }
}
