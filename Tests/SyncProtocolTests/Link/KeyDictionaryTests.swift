import LosslessJSON
import MergeCore
import Testing

@testable import SyncProtocol

/// Keys and epochs that are sent once.
@Suite struct KeyDictionaryTests {
    private func key(_ number: Int, sub: [UInt8] = []) -> WireKey {
        WireKey(path: Array("/leaf/\(number)".utf8), kind: 0, own: false, sub: sub)
    }

    @Test func aNumberStandsForExactlyItsKey() {
        var dictionary = KeyDictionary()
        let keys = [
            key(1), key(12), WireKey(path: key(1).path, kind: 255, own: false, sub: []),
            WireKey(path: key(1).path, kind: 0, own: true, sub: []), key(1, sub: [0]), key(1, sub: Array("2".utf8)),
            WireKey(path: [], kind: 0, own: false, sub: []), WireKey(path: [], kind: 0, own: false, sub: key(1).path),
        ]
        for key in keys {
            #expect(dictionary.number(of: key) == nil)
            dictionary.add(key)
        }
        for (index, key) in keys.enumerated() {
            #expect(dictionary.number(of: key) == index + 1)
            #expect(dictionary.key(index + 1) == key)
        }
        #expect(dictionary.key(0) == nil)
        #expect(dictionary.key(keys.count + 1) == nil)
    }

    @Test func aFullDictionaryStillKnowsWhatItHolds() {
        var (sent, known) = (KeyDictionary(), KeyDictionary())
        for number in 0..<Limits.keyNames + 5 {
            if number == 1_000 { #expect(sent.number(of: key(7)) == 8) }
            sent.add(key(number))
            known.add(key(number))
        }
        #expect(sent.count == Limits.keyNames)
        #expect(known.count == Limits.keyNames)
        #expect(sent.number(of: key(Limits.keyNames - 1)) == Limits.keyNames)
        #expect(sent.number(of: key(Limits.keyNames)) == nil)
        // Looked for the first time when it is full.
        #expect(known.number(of: key(12_345)) == 12_346)
        #expect(known.key(Limits.keyNames) == key(Limits.keyNames - 1))
    }

    @Test func bytesAreBoundedToo() {
        var dictionary = KeyDictionary()
        dictionary.add(key(0, sub: [UInt8](repeating: 1, count: Limits.keyName)))
        #expect(dictionary.count == 0, "a key that is too long got a number")
        let sub = [UInt8](repeating: 1, count: 1_000)
        for number in 0..<10_000 { dictionary.add(key(number + 100_000, sub: sub)) }
        #expect(dictionary.count == Limits.keyNameBytes / (1_000 + key(100_000).path.count))
        // A smaller one may still find room, at both sides alike.
        let count = dictionary.count
        dictionary.add(key(1))
        #expect(dictionary.count == count + 1)
    }

    /// Long keys, parts of either replica, kinds side by side: sent in full, by number, and by the other side's number.
    @Test func everyKeyArrivesHoweverItIsNamed() {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        network.connect("a", "b")
        network.run()
        let long = JSONString(String(repeating: "long/", count: 250))
        func write(_ node: Node, _ round: Int) {
            let number = ExactDecimal(text: "\(round)")!
            let stamp = Stamp.live(WallTime(milliseconds: 1_000_000 + Int64(round)))
            let tag = JSONValue.string(JSONString("t\(round)"))
            let coins = DocumentPath([.member("coins")])
            node.put(
                profile,
                [
                    (AtomKey(DocumentPath([.member(long)]), .latest), .register(stamp, .bool(round % 3 == 0))),
                    (AtomKey(coins, .counter, sub: node.replica.bytes), .tally(earned: number, spent: .zero)),
                    (AtomKey(coins, .counter), .baseline(number)),
                    (AtomKey(coins, .latest), .register(stamp, nil)),
                    (AtomKey(DocumentPath([.member("tags")]), .union, sub: tag.canonicalBytes), .member(tag)),
                    (
                        AtomKey(DocumentPath([.member("odd")]), AtomKind(rawValue: 200), sub: [1]),
                        .opaque([UInt8(round)])
                    ),
                ])
        }
        for round in 1...6 {
            let node = round % 2 == 0 ? a : b
            write(node, round)
            network.publish(node.name, profile)
            network.run()
            expectSame(network, profile)
        }
        #expect(a.offers == 0 && b.offers == 0)
    }

    @Test func epochsTravelWithTheirAtoms() throws {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        let a = network.nodes["a"]!
        a.write(profile, from: nil, to: #"{"coins":5,"level":3,"name":"Ada"}"#)
        network.connect("a", "b")
        network.run()
        for round in 0..<3 {
            var state = a.states[profile]!
            let now = WallTime(milliseconds: 1_700_000_100_000 + Int64(round))
            _ = try state.reset(
                PathSelector(places: [DocumentPath([.member("coins")])]),
                to: try JSONDocument(parsing: Array(#"{"coins":\#(round)}"#.utf8)),
                WriteContext(replica: a.replica, now: now, fileTime: now, base: state.vector))
            a.states[profile] = state
            network.publish("a", profile)
            network.run()
            a.write(
                profile, from: #"{"coins":0}"#, to: #"{"coins":\#(70 + round),"level":\#(round)}"#,
                now: now + .milliseconds(1))
            network.publish("a", profile)
            network.run()
        }
        network.connect("b", "c")
        network.run()
        expectSame(network, profile)
        let coins = AtomKey(DocumentPath([.member("coins")]), .latest)
        let states = network.nodes.values.compactMap { $0.states[profile] }
        #expect(states.allSatisfy { $0.epochs.count == 3 && $0.atom(coins)?.epoch == $0.epochs[0].id })
    }

    @Test func moreEpochsThanTheDictionaryTakesArriveAllTheSame() throws {
        let count = Limits.epochNames + 20
        let (a, b) = (Node("a", 1), Node("b", 2))
        let network = Network(a, b)
        var state = ProfileState()
        var atoms: [KeyedAtom] = []
        for number in 0..<count {
            let epoch = EpochID(
                number: UInt64(number), kind: .restore, stamp: Stamp(rawValue: 5), origin: ReplicaID(high: 8, low: 8))
            let dot = Dot(replica: a.replica, sequence: 1)
            for leaf in ["x", "y"] {
                let path = DocumentPath([.member(JSONString("\(leaf)\(number)"))])
                atoms.append(KeyedAtom(AtomKey(path, .flag), Atom(.flag(true), dot, epoch: epoch)))
            }
        }
        state.join(atoms, vector: VersionVector([a.replica: .init(sequence: 1, history: 4)]))
        a.states[profile] = state
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        #expect(Set(b.states[profile]!.sortedAtoms.compactMap(\.atom.epoch)).count == count)
    }
}
