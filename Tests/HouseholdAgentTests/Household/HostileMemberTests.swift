import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// A device of the household that turned bad, and whose agent says whatever it likes. The honest devices refuse what no
/// correct device sends before they store it, and go on.
@Suite struct HostileMemberTests {
    private let path = "/games/save.json"

    /// A laptop and a deck with one save, and a device that was paired and now lies to the laptop.
    private struct Scene {
        let home: Home
        let laptop: SimulatedDevice
        let deck: SimulatedDevice
        let liar: Liar
        let profile: ProfileID
        let vector: VersionVector
        /// The replica as which the liar writes.
        let replica: ReplicaID
    }

    private func scene(_ set: (SimulatedDevice) -> Void = { _ in }) throws -> Scene {
        let home = Home(seed: 14)
        let (laptop, deck, bad) = (try home.device("laptop"), try home.device("deck"), try home.device("bad"))
        for device in [laptop, deck] {
            set(device)
            home.household.kill(device)
            try home.household.start(device)
        }
        try home.add(
            path, #"{"coins":5,"title":"a"}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), on: laptop)
        try home.pair(laptop, deck)
        try home.restore(path, on: deck)
        try home.pair(laptop, bad)
        home.household.run(milliseconds: 5_000)
        home.household.kill(bad)
        home.household.run(milliseconds: 60_000)
        let profile = try #require(laptop.record.profiles().first)
        let vector = try #require(laptop.machine?.engine.profiles[profile]?.state.vector)
        let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
        return Scene(
            home: home, laptop: laptop, deck: deck, liar: liar, profile: profile, vector: vector,
            replica: liar.replica(in: profile))
    }

    private func claim(_ atoms: [(AtomKey, AtomContent, EpochID?)], _ scene: Scene) {
        var vector = scene.vector
        var written: [KeyedAtom] = []
        for (number, (key, content, epoch)) in atoms.enumerated() {
            let dot = Dot(replica: scene.replica, sequence: UInt64(number) + 1)
            written.append(KeyedAtom(key, Atom(content, dot, epoch: epoch)))
        }
        vector.advance(scene.replica, to: .init(sequence: UInt64(atoms.count), history: 1))
        scene.liar.claim(scene.profile, written, upTo: vector)
    }

    /// Why the save is not in step on the laptop, in the words of `status` and of `sync`.
    private func said(_ scene: Scene) throws -> (status: String?, sync: [String]?) {
        let (household, laptop) = (scene.home.household, scene.laptop)
        let (status, sync) = (household.ask(StatusRequest(), on: laptop), household.ask(SyncRequest(), on: laptop))
        _ = household.run(until: { laptop.replies[sync]?.last?.isFinal == true })
        let report = try #require(laptop.replies[status]?.last?.message(StatusReport.self))
        return (report.profiles.first?.reason, laptop.replies[sync]?.last?.message(SyncReport.self)?.troubles)
    }

    /// The link of the liar is closed, none of its writes is stored, and the honest devices go on, also after a start.
    private func expectRefused(_ scene: Scene, _ why: String) throws {
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        #expect(scene.liar.isClosed)
        #expect(scene.liar.logs.contains { "\($0.message) \($0.metadata)".contains(why) }, "\(scene.liar.logs)")
        #expect(laptop.machine?.engine.profiles[scene.profile]?.state.vector == scene.vector)
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [laptop, deck], within: 2_000)
        home.household.kill(laptop)
        try home.household.start(laptop)
        home.household.save(#"{"coins":9,"title":"c"}"#, to: path, on: laptop)
        home.expect(#"{"coins":9,"title":"c"}"#, at: path, on: [laptop, deck], within: 10_000)
    }

    private func declaration(_ number: UInt64, _ scene: Scene) -> (id: EpochID, key: AtomKey, content: AtomContent) {
        let id = EpochID(number: number, kind: .reset, stamp: Stamp(rawValue: 0), origin: scene.replica)
        return (
            id, AtomKey(.epochs, .epoch, sub: id.bytes + scene.replica.bytes),
            .epoch(Epoch(selector: .everything, seen: [:]))
        )
    }

    @Test(arguments: [UInt64.max, 1 << 40]) func anEpochThatLeavesNoRoomForAnother(number: UInt64) throws {
        let scene = try scene()
        let epoch = declaration(number, scene)
        claim([(epoch.key, epoch.content, nil)], scene)
        try expectRefused(scene, "far beyond the last one")
        let id = scene.home.household.ask(ResetRequest(profile: "game"), on: scene.laptop)
        scene.home.household.run(milliseconds: 2_000)
        #expect(scene.laptop.replies[id] != nil)
    }

    @Test func aWriteInAnEpochThatNobodyDeclared() throws {
        let scene = try scene()
        let key = AtomKey(DocumentPath([.member("title")]), .latest)
        claim([(key, .register(.live(1), "mine"), declaration(7, scene).id)], scene)
        try expectRefused(scene, "no device declared")
    }

    /// A removal of all that the honest two are going to write: its writer is left out, and they play on. Their link stays.
    @Test func aRemovalOfWritesToCome() throws {
        let scene = try scene()
        let reads = scene.vector.entries.mapValues { $0.sequence + 1_000 }
        let key = AtomKey(.root, .removal, sub: scene.replica.bytes)
        // The first time the laptop asks for the whole save, in which the named writes might be.
        for _ in 0..<2 {
            claim([(key, .removal(Removal(seen: reads, final: reads, number: 1)), nil)], scene)
            scene.home.household.run(milliseconds: 1_000)
            #expect(scene.laptop.machine?.engine.profiles[scene.profile]?.state.vector == scene.vector)
        }
        for (title, player) in [("b", scene.deck), ("c", scene.laptop)] {
            let save = #"{"coins":5,"title":"\#(title)"}"#
            scene.home.household.save(save, to: path, on: player)
            scene.home.expect(save, at: path, on: [scene.laptop, scene.deck], within: 2_000)
        }
    }

    private func claim(rules text: String, _ scene: Scene) throws {
        let rules = try JSONValue(parsing: Array(#"{"set":{"rules":[\#(text)]},"seen":{}}"#.utf8))
        claim([(AtomKey(.rules, .rules), .register(.live(WallTime(milliseconds: 1 << 44)), rules), nil)], scene)
    }

    /// They would hold the save on every device, as the rules of a newer Hearth do.
    @Test(arguments: [
        (0..<101).map { #"{"path":"/**/r\#($0)","merge":"latest"}"# }.joined(separator: ","),
        #"{"path":"/coins","merge":"counter"},{"path":"/coins","merge":"max"}"#,
        #"{"path":"/coins","merge":"counter","as":"bits"}"#,
    ]) func rulesThatNoVersionCouldUse(rules: String) throws {
        let scene = try scene()
        try claim(rules: rules, scene)
        try expectRefused(scene, "its rules cannot be used")
    }

    @Test func rulesOfANewerVersionAreTaken() throws {
        let scene = try scene()
        try claim(rules: #"{"path":"/coins","merge":"majority"}"#, scene)
        #expect(!scene.liar.isClosed)
        #expect(scene.laptop.machine?.engine.profiles[scene.profile]?.state.rulesHeld != nil)
        // Until that Hearth is here too, status says so and sync is not in step.
        let id = scene.home.household.ask(StatusRequest(), on: scene.laptop)
        let report = scene.laptop.replies[id]?.last?.message(StatusReport.self)?.profiles.first
        #expect(
            report?.state == "bad" && report?.reason?.hasPrefix("its rules come from a newer Hearth (") == true
                && report?.reason?.contains("); update Hearth on this device, or put rules") == true,
            "\(report?.reason ?? "-")")
        // Where there is no newer Hearth, the player puts those of before in force again, for all.
        let (home, both) = (scene.home, [scene.laptop, scene.deck])
        home.household.kill(scene.laptop)
        try home.household.start(scene.laptop)
        home.household.run(milliseconds: 10_000)
        func isHeld(_ device: SimulatedDevice) -> Bool {
            device.machine?.engine.profiles[scene.profile]?.state.rulesHeld != nil
        }
        #expect(both.allSatisfy(isHeld))
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        let added = home.household.ask(AddRequest(path: path, name: "game", rules: rules), on: scene.laptop)
        home.household.run(milliseconds: 10_000)
        guard case .response(is ProfileAnswer)? = scene.laptop.replies[added]?.last else {
            throw Home.Failure("not added: \(scene.laptop.replies[added] ?? [])")
        }
        #expect(!both.contains(where: isHeld))
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: scene.deck)
        home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: both, within: 10_000)
    }

    /// Beyond all versions that a save could have had, and beyond all that a clock shows: no rules, and no value, would
    /// come after them.
    @Test func rulesBeyondAllGenerations() throws {
        let scene = try scene()
        let text =
            #"{"set":{"rules":[{"path":"/coins","merge":"max"}]},"seen":{},"version":{"generation":\#(1 << 60),"former":{}}}"#
        let rules = try JSONValue(parsing: Array(text.utf8))
        claim([(AtomKey(.rules, .rules), .register(.live(1), rules), nil)], scene)
        try expectRefused(scene, "its rules come after more than")
    }

    @Test(arguments: [DocumentPath([.member("title")]), .name]) func aStampBeyondAllClocks(path: DocumentPath) throws {
        let scene = try scene()
        claim([(AtomKey(path, .latest), .register(Stamp(rawValue: .max), "mine"), nil)], scene)
        try expectRefused(scene, "later than any clock shows")
    }

    /// The save that was made of it could be written, but neither read again nor be the base of the next one.
    @Test func aValueThatNestsDeeperThanASaveCanBeRead() throws {
        let scene = try scene()
        let deep = try JSONValue(parsing: Array(repeating: 0x5B, count: 500) + Array(repeating: 0x5D, count: 500))
        let place = DocumentPath(Array(repeating: .member("d"), count: 505))
        claim([(AtomKey(place, .latest), .register(.live(1), deep), nil)], scene)
        try expectRefused(scene, "nested more than 512 deep")
    }

    /// A member may write values, and the last stamp there is wins: once. Whoever reads it can replace it.
    @Test func theLastStampFreezesNothing() throws {
        let scene = try scene()
        let key = AtomKey(DocumentPath([.member("title")]), .latest)
        claim([(key, .register(.last, "mine"), nil)], scene)
        #expect(!scene.liar.isClosed)
        let (home, both) = (scene.home, [scene.laptop, scene.deck])
        // What the laptop said to others meanwhile went to the liar alone.
        home.household.kill(scene.laptop)
        try home.household.start(scene.laptop)
        home.expect(#"{"coins":5,"title":"mine"}"#, at: path, on: both)
        for (device, title) in zip(both + both, ["b", "c", "d", "e"]) {
            home.household.run(milliseconds: 2_000)
            home.household.save(#"{"coins":5,"title":"\#(title)"}"#, to: path, on: device)
            home.expect(#"{"coins":5,"title":"\#(title)"}"#, at: path, on: both, within: 5_000)
        }
    }

    // MARK: Replicas

    /// Replicas without number, as if they came with profiles that were joined into this one: so many are taken as a
    /// device may have, and all else goes on.
    @Test func replicasWithoutNumberAreLeftOut() throws {
        let scene = try scene()
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        let count = Limits.joinedReplicas + 24
        let replicas = (0..<count).map { scene.liar.replica(in: ProfileID(random: 7, UInt64($0))) }
        var vector = scene.vector
        for replica in replicas { vector.advance(replica, to: .init(sequence: 1, history: 1)) }
        scene.liar.claim(scene.profile, [], upTo: vector)
        let covered = try #require(laptop.machine?.engine.profiles[scene.profile]).state.vector
        #expect(covered.entries.count == scene.vector.entries.count + Limits.joinedReplicas)
        #expect(!scene.liar.isClosed)
        #expect(scene.liar.logs.contains { $0.message.contains("left out") }, "\(scene.liar.logs)")
        let reason =
            "some of what bad plays is left out here, because the save has no room for one more writer of that device; "
            + "if you do not trust it, go on without that device: hearth unpair bad"
        var (status, sync) = try said(scene)
        #expect(status == reason && sync == ["game: \(reason)"], "\(status ?? "nothing") \(sync ?? [])")
        // What it writes as one of those that are left out does not end the link either.
        for replica in replicas { vector.advance(replica, to: .init(sequence: 2, history: 2)) }
        scene.liar.claim(scene.profile, [], upTo: vector)
        #expect(!scene.liar.isClosed)
        #expect(laptop.machine?.engine.profiles[scene.profile]?.state.vector.entries.count == covered.entries.count)
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.household.kill(laptop)
        try home.household.start(laptop)
        home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [laptop, deck], within: 10_000)
        _ = home.household.ask(UnpairRequest(device: "bad"), on: laptop)
        (status, sync) = try said(scene)
        #expect(status == nil && sync == nil, "\(status ?? "nothing") \(sync ?? [])")
    }

    /// It says that it knows more of the laptop's writes than the laptop made: the laptop asks for no proof of that, and
    /// writes on as before.
    @Test func aWordAboutTheWritesOfAnotherChangesNothing() throws {
        let scene = try scene()
        let own = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).replica
        var vector = scene.vector
        vector.advance(own, to: .init(sequence: 1 << 40, history: 1))
        scene.liar.claim(scene.profile, [], upTo: vector)
        let after = try #require(scene.laptop.machine?.engine.profiles[scene.profile])
        #expect(after.replica == own && after.state.vector == scene.vector)
        scene.home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: scene.laptop)
        scene.home.household.kill(scene.laptop)
        try scene.home.household.start(scene.laptop)
        scene.home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck], within: 10_000)
    }

    // MARK: Amounts

    /// It fills the save with values: what is beyond the quota is left out, and what the honest devices write is not,
    /// even where it comes with the same delta. Once it takes values back, its writes are taken again.
    @Test func whoFillsASaveIsLeftOut() throws {
        let scene = try scene { device in device.quota.leaves = 60 }
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        var atoms: [KeyedAtom] = []
        var vector = scene.vector
        func write(_ sequence: UInt64, _ places: Range<Int>, _ value: JSONValue?) {
            for place in places {
                let key = AtomKey(DocumentPath([.member(JSONString("f\(place)"))]), .latest)
                let content = AtomContent.register(.live(WallTime(milliseconds: 1 << 41 + Int64(sequence))), value)
                atoms.removeAll { $0.key == key }
                atoms.append(KeyedAtom(key, Atom(content, Dot(replica: scene.replica, sequence: sequence))))
            }
            vector.advance(scene.replica, to: .init(sequence: sequence, history: sequence))
            scene.liar.claim(scene.profile, atoms, upTo: vector)
        }
        func covered() -> UInt64 {
            laptop.machine?.engine.profiles[scene.profile]?.state.vector.sequence(of: scene.replica) ?? 0
        }
        write(1, 0..<50, .bool(true))
        #expect(covered() == 1)
        write(2, 50..<100, .bool(true))
        #expect(covered() == 1)
        #expect(!scene.liar.isClosed)
        #expect(scene.liar.logs.contains { "\($0.metadata)".contains("more than a save may") }, "\(scene.liar.logs)")
        write(3, 100..<101, .bool(true))
        #expect(covered() == 1)
        let reason =
            "what bad plays is left out here, because it fills the save with more than a save may hold; "
            + "make the save smaller there, or go on without that device: hearth unpair bad"
        var (status, sync) = try said(scene)
        #expect(status == reason && sync == ["game: \(reason)"], "\(status ?? "nothing") \(sync ?? [])")
        // Later it has less than that.
        scene.liar.now = scene.liar.now + .seconds(61)
        write(4, 0..<70, nil)
        #expect(covered() == 4)
        #expect(!scene.liar.isClosed)
        (status, sync) = try said(scene)
        #expect(status == nil && sync == nil, "\(status ?? "nothing") \(sync ?? [])")
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.household.kill(laptop)
        try home.household.start(laptop)
        home.household.run(milliseconds: 10_000)
        for device in [laptop, deck] {
            let text = home.household.text(of: path, on: device) ?? ""
            #expect(text.contains(#""coins":8,"title":"b""#) && text.contains(#""f99":true"#), "\(text)")
        }
    }

    /// It makes saves without number: so many are kept as nobody has to restore, and the honest devices' are all taken.
    @Test func savesWithoutNumberAreLeftOut() throws {
        let scene = try scene { device in device.begunProfiles = 3 }
        let (home, laptop, deck) = (scene.home, scene.laptop, scene.deck)
        let made = (0..<8).map { ProfileID(random: 9, UInt64($0)) }
        func make(_ profile: ProfileID) {
            let replica = scene.liar.replica(in: profile)
            let atom = Atom(.register(.live(1), "mine"), Dot(replica: replica, sequence: 1))
            var vector = VersionVector()
            vector.advance(replica, to: .init(sequence: 1, history: 1))
            scene.liar.claim(profile, [KeyedAtom(AtomKey(.name, .latest), atom)], upTo: vector)
        }
        func kept() -> Int { made.count { laptop.machine?.engine.profiles[$0] != nil } }
        for profile in made { make(profile) }
        #expect(kept() == 3 && !scene.liar.isClosed, "\(kept()) are kept")
        #expect(scene.liar.logs.contains { $0.message.contains("a save is left out") }, "\(scene.liar.logs)")
        func troubles() throws -> [String] {
            let status = home.household.ask(StatusRequest(), on: laptop)
            return try #require(laptop.replies[status]?.last?.message(StatusReport.self)).troubles
        }
        let said = try troubles()
        #expect(said.contains { $0.hasPrefix("bad has more saves than the 3") }, "\(said)")
        // It stays so after a start, and what an honest device begins comes.
        home.household.kill(laptop)
        try home.household.start(laptop)
        home.household.run(milliseconds: 5_000)
        #expect(kept() == 3)
        for number in 0..<3 {
            try home.add("/games/deck\(number).json", #"{"n":\#(number)}"#, name: "deck\(number)", on: deck)
        }
        home.household.run(milliseconds: 10_000)
        let names = laptop.machine?.engine.profiles.values.compactMap(\.state.name) ?? []
        #expect(Set(names).isSuperset(of: ["deck0", "deck1", "deck2"]), "\(names)")
        home.household.save(#"{"coins":8,"title":"b"}"#, to: path, on: deck)
        home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [laptop, deck], within: 10_000)
    }
}
