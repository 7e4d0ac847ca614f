import LosslessJSON
import MergeCore
import SwiftProtobuf
import SyncProtocol
import TestSupport
import Testing

/// Histories that a delta leaves out, and what a receiver makes of them.
@Suite struct HistoryTests {
    private let replica = ReplicaID(high: 5, low: 5)

    /// The deltas among some bytes.
    private func deltas(_ bytes: [UInt8]) throws -> [WireDelta] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var result: [WireDelta] = []
        while let frame = try decoder.next() {
            if case .delta(let delta)? = try WireFrame(serializedBytes: frame).body { result.append(delta) }
        }
        return result
    }

    @Test func theHistoryOfOneWriteIsWorkedOut() throws {
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        network.connect("a", "b")
        network.connect("b", "c")
        network.run()
        for round in 0..<4 {
            let node = network.nodes[["a", "c"][round % 2]]!
            node.write(profile, from: #"{}"#, to: #"{"n":\#(round),"m\#(round)":"x"}"#)
            network.publish(node.name, profile)
            let sent = try #require(try deltas(network.queue[0].bytes).first)
            #expect(sent.to.map(\.hasHistory) == [false], "round \(round)")
            network.run()
            // Histories are part of this.
            expectSame(network, profile)
        }
        let histories = network.nodes["b"]!.vector(profile).entries.values.map(\.history)
        #expect(histories.allSatisfy { $0 != 0 })
    }

    @Test func aHistoryThatIsNotTheHashOfTheAtomsIsSent() throws {
        let network = Network(Node("a", 1), Node("b", 2))
        network.connect("a", "b")
        network.run()
        network.nodes["a"]!.put(profile, [(AtomKey(.name, .flag), .flag(true))])
        network.publish("a", profile)
        #expect(try deltas(network.queue[0].bytes).first?.to.map(\.hasHistory) == [true])
        network.run()
        expectSame(network, profile)
    }

    @Test func severalWritesCarryTheirHistory() throws {
        let network = Network(Node("a", 1), Node("b", 2))
        network.connect("a", "b")
        network.run()
        for round in 0..<2 { network.nodes["a"]!.write(profile, from: #"{}"#, to: #"{"n\#(round)":1}"#) }
        network.publish("a", profile)
        #expect(try deltas(network.queue[0].bytes).first?.to.map(\.hasHistory) == [true])
        network.run()
        expectSame(network, profile)
    }

    @Test func whoeverCannotWorkItOutStatesTheProfileAnew() throws {
        var link = Forge.openLink()
        let early = VersionVector([replica: .init(sequence: 3, history: 77)])
        _ = link.changed(profile, vector: early)
        let actions = link.received(
            Forge.delta {
                $0.to[0].sequence = 5; $0.to[0].clearHistory()
            }, now: 1)
        #expect(actions.deltas.isEmpty)
        #expect(actions.closure == nil)
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(actions.sent)
        guard let bytes = try decoder.next(), case .vectors(let vectors)? = try WireFrame(serializedBytes: bytes).body
        else {
            Issue.record("nothing was stated")
            return
        }
        #expect(vectors.profiles.map(\.restated) == [1])
        #expect(vectors.profiles[0].entries.map(\.sequence) == [3])
    }

    @Test func whatIsCoveredAlreadyMustStayCovered() throws {
        var link = Forge.openLink()
        let later = VersionVector([replica: .init(sequence: 9, history: 77)])
        _ = link.changed(profile, vector: later)
        let bytes = Forge.delta {
            $0.to[0].sequence = 5; $0.to[0].clearHistory()
        }
        let delta = try #require(link.received(bytes, now: 1).deltas.first)
        #expect(delta.from.sequence(of: replica) == 5)
        #expect(later.joined(delta.to) == later)
    }

    /// Two devices that write under one replica id (a copied record) must notice: the same number, another history.
    @Test func aClonesWriteKeepsItsOwnHistory() throws {
        var link = Forge.openLink()
        _ = link.changed(profile, vector: VersionVector([replica: .init(sequence: 1, history: 70)]))
        _ = link.changed(profile, vector: VersionVector([replica: .init(sequence: 2, history: 71)]))
        let bytes = Forge.delta {
            $0.to[0].sequence = 2; $0.to[0].clearHistory()
        }
        let delta = try #require(link.received(bytes, now: 1).deltas.first)
        var hash = HistoryHash(70)
        for atom in delta.atoms { hash.add(atom) }
        #expect(delta.to.entries == [replica: .init(sequence: 2, history: hash.value)])
        #expect(hash.value != 71)
    }

    @Test func aMeshWithRacingRelaysAgreesOnHistories() {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
            for (one, two) in [("a", "b"), ("b", "c"), ("a", "c")] { network.connect(one, two) }
            for round in 0..<30 {
                let name = ["a", "b", "c"].randomElement(using: &random)!
                if Int.random(in: 0..<8, using: &random) == 0 { network.nodes[name]!.failingCommits = 1 }
                let leaf = Int.random(in: 0..<5, using: &random)
                let now = WallTime(milliseconds: 1_000 + Int64(round))
                network.nodes[name]!.write(profile, from: "{}", to: #"{"n\#(leaf)":\#(round)}"#, now: now)
                network.publish(name, profile)
                for _ in 0..<Int.random(in: 0..<6, using: &random) where !network.queue.isEmpty { network.step() }
            }
            network.run()
            for name in ["a", "b", "c"] {
                network.nodes[name]!.failingCommits = 0
                network.publish(name, profile)
            }
            network.run()
            #expect(
                Set(network.nodes.values.map { $0.vector(profile) }).count == 1,
                "seed \(seed): \(network.nodes.values.map { $0.vector(profile) })")
            expectSame(network, profile)
        }
    }
}
