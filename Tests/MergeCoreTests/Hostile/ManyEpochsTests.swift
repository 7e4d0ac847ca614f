import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Many epochs of one member: their number is bounded, and many that come at once do what they do one by one.
@Suite struct ManyEpochsTests {
    private let writer = replica(50)

    private func declaration(
        _ number: Int, _ selector: PathSelector, by replica: ReplicaID, seen: [ReplicaID: UInt64] = [:]
    ) -> KeyedAtom {
        let id = EpochID(number: UInt64(number), kind: .reset, stamp: Stamp(rawValue: 0), origin: replica)
        return KeyedAtom(
            EpochKey(id, replica).atomKey,
            Atom(.epoch(Epoch(selector: selector, seen: seen)), Dot(replica: replica, sequence: UInt64(number))))
    }

    private func place(_ text: String) -> PathSelector {
        PathSelector(places: [DocumentPath(encoded: Array(text.utf8))])
    }

    private func end(_ sequence: Int, of replica: ReplicaID) -> VersionVector {
        VersionVector([replica: .init(sequence: UInt64(sequence), history: 1)])
    }

    @Test func ofOneReplicaOnlySoManyAreTaken() {
        var state = Device.household(1, rules([:]), sharing: #"{"coins":5}"#)[0].state
        let limit = ProfileState.epochsTaken
        let most = (1...limit).map { declaration($0, place("/x\($0)"), by: writer) }
        let more = declaration(limit + 1, place("/y"), by: writer)
        #expect(state.refusal(of: most) == nil)
        #expect(state.refusal(of: most + [more])?.contains("more than 4096 epochs") == true)
        state.join(most, vector: end(limit, of: writer))
        #expect(state.refusal(of: [more]) != nil && !state.hasRoomForEpoch(of: writer))
        // The same declaration again is none more, and another replica has room of its own.
        #expect(state.refusal(of: [most[0]]) == nil)
        #expect(state.refusal(of: [declaration(limit + 1, place("/y"), by: replica(51))]) == nil)
    }

    /// A replica that began more before that was limited is taken all the same, and may declare again what a repair
    /// took back; it begins nothing more.
    @Test func moreThanADeviceBeginsIsTaken() throws {
        var device = Device.household(1, rules([:]), sharing: #"{"coins":5}"#)[0]
        let limit = ProfileState.epochsOfReplica
        let all = (1...limit + 2).map { declaration($0, place("/x\($0)"), by: writer) }
        #expect(device.state.refusal(of: all) == nil && device.state.crowded(by: all).isEmpty)
        device.state.join(Array(all.dropLast()), vector: end(limit + 1, of: writer))
        #expect(device.state.refusal(of: [all[limit + 1]]) == nil && !device.state.hasRoomForEpoch(of: writer))
        let context = WriteContext(replica: writer, now: 1, fileTime: 1, base: device.state.vector)
        #expect(throws: EpochError.self) { try device.state.reset(.everything, context) }
        // A write of another device belongs to the epoch that the repair took back.
        let last = try #require(EpochKey(all[limit + 1].key.sub)).id
        let write = KeyedAtom(
            AtomKey(DocumentPath([.member(JSONString("x\(limit + 2)"))]), .latest),
            Atom(.register(.live(1), 7), Dot(replica: replica(51), sequence: 1), epoch: last))
        device.state.join([write], vector: end(1, of: replica(51)))
        var joined = JoinResult()
        let again = device.state.declareAgain([all[limit + 1]], as: writer, &joined)
        #expect(again.map(\.key) == [all[limit + 1].key])
        #expect(device.state.epochs.contains { $0.id == last })
    }

    /// Of two devices each holds no more of a replica than is taken, and together it is more: neither is at fault.
    @Test func whatIsTooMuchOnlyTogetherIsKnownAsSuch() {
        var state = Device.household(1, rules([:]), sharing: #"{"coins":5}"#)[0].state
        let limit = ProfileState.epochsTaken
        let all = (1...limit + 1).map { declaration($0, place("/x\($0)"), by: writer) }
        let (here, there) = (Array(all.prefix(limit / 2)), Array(all.dropFirst(limit / 2)))
        state.join(here, vector: end(limit / 2, of: writer))
        #expect(state.refusal(of: there) != nil && state.crowded(by: there) == [writer])
        #expect(state.crowded(by: Array(there.dropLast())).isEmpty, "as many as are taken")
        #expect(state.refusal(of: all) != nil && state.crowded(by: all).isEmpty, "too many by themselves")
    }

    /// At the bound a device can start nothing over as that replica; it saves on, also over a value with the last stamp.
    @Test func aDeviceAtTheBoundSavesOn() {
        var device = Device.household(1, rules(["/coins": .init(.counter)]), sharing: #"{"coins":5,"title":"a"}"#)[0]
        let (first, limit) = (Int(device.state.vector.sequence(of: device.replica)), ProfileState.epochsOfReplica)
        let own = (1...limit).map { number in
            let known = declaration(number, place("/x\(number)"), by: device.replica)
            let dot = Dot(replica: device.replica, sequence: UInt64(first + number))
            return KeyedAtom(known.key, Atom(known.atom.content, dot))
        }
        device.state.join(own, vector: end(first + limit, of: device.replica))
        #expect(throws: EpochError.self) {
            try device.state.reset(.everything, device.context(device.state.vector))
        }
        device.save(#"{"coins":9,"title":"b"}"#)
        #expect(device.value["coins"] == 9 && device.value["title"] == "b")
        // Another replica of the device goes on.
        let context = WriteContext(replica: replica(7), now: 1, fileTime: 1, base: device.state.vector)
        #expect(throws: Never.self) { try device.state.reset(.everything, context) }
    }

    /// All at once they put the same in force, and put the same progress aside, as one after the other.
    @Test(arguments: 0..<40) func manyAtOnceAreAsOneByOne(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let save = #"{"a":{"x":1,"y":2},"b":{"x":{"z":3}},"c":[1,2],"d":4}"#
        var device = Device.household(1, rules(["/d": .init(.max)]), sharing: save)[0]
        device.save(save.replacing(#""d":4"#, with: #""d":7"#).replacing(#""x":1"#, with: #""x":6"#))
        let before = device.state
        let last = before.vector.sequence(of: device.replica)
        let patterns = try ["/*/x", "/**/z", "/a/*", "/d"].map { try RulePattern(parsing: $0) }
        let places = ["", "/a", "/a/x", "/b/x", "/c", "/d", "/none"].map { DocumentPath(encoded: Array($0.utf8)) }
        let epochs = (1...12).map { number in
            let isPattern = random.chance(40)
            let selector = PathSelector(
                patterns: isPattern ? [random.pick(patterns)] : [], places: isPattern ? [] : [random.pick(places)])
            let seen = [device.replica: random.pick([0, last - 1, last])]
            return declaration(number, selector, by: writer, seen: seen)
        }
        var (atOnce, oneByOne) = (before, before)
        let result = atOnce.join(epochs, vector: end(12, of: writer))
        var overridden: Set<KeyedAtom> = []
        for (number, epoch) in epochs.enumerated() {
            overridden.formUnion(oneByOne.join([epoch], vector: end(number + 1, of: writer)).overridden)
        }
        #expect(Set(result.overridden) == overridden && result.overridden.count == overridden.count)
        #expect(atOnce.sortedAtoms == oneByOne.sortedAtoms)
        #expect(Projection.newDocument(of: atOnce)?.jsonBytes == Projection.newDocument(of: oneByOne)?.jsonBytes)
        for (path, kind) in before.places where !path.isReserved {
            let key = AtomKey(path, kind)
            let expected = epochs.last { atom in
                guard case .epoch(let epoch) = atom.atom.content else { return false }
                return epoch.selector.covers(path)
            }
            #expect(atOnce.inForce(key) == expected.flatMap { EpochKey($0.key.sub)?.id }, "\(path)")
            #expect(oneByOne.inForce(key) == atOnce.inForce(key), "\(path)")
            let registry = atOnce.epochRegistry
            for last in [0, 6, 12] {
                let vector = end(last, of: writer)
                let seen = registry.known.first { $0.isSeen(by: vector) && $0.covers(path) }?.id
                #expect(registry.inForce(path, seen: vector) == seen, "\(path) for who has seen \(last)")
            }
        }
        // Read from the record, it is the same again.
        let read = try ProfileState(decoding: atOnce.encoded)
        for (path, kind) in before.places {
            #expect(read.inForce(AtomKey(path, kind)) == atOnce.inForce(AtomKey(path, kind)), "\(path)")
        }
    }
}
