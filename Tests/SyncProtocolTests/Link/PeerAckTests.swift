import MergeCore
import SyncProtocol
import Testing

/// Acknowledgements of devices that the other end has no link to.
@Suite struct PeerAckTests {
    private let far = DeviceID(high: 1, low: 2)
    private let unknown = DeviceID(high: 3, low: 4)

    private func pair() -> (network: Network, a: Node, b: Node) {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        a.write(profile, from: nil, to: #"{"level":3}"#)
        network.connect("a", "b")
        network.run()
        return (network, a, b)
    }

    private func ack(_ sequence: UInt64, isFileBehind: Bool = false) -> PeerAck {
        let vector = VersionVector([ReplicaID(high: 9, low: 9): .init(sequence: sequence, history: sequence + 7)])
        return PeerAck(vector: vector, isFileBehind: isFileBehind, through: [unknown])
    }

    private func pass(_ ack: PeerAck?, _ network: Network, _ node: Node, to peer: String) {
        network.perform(node.lines[peer]!.link.pass(ack, about: profile, of: far), node, peer)
        network.run()
    }

    @Test func anAckIsPassedOnAsItIs_onceAndUntilItIsGone() {
        let (network, a, b) = pair()
        pass(ack(1), network, b, to: "a")
        #expect(a.acks.isEmpty, "nobody wants it")
        network.perform(a.lines["b"]!.link.wantAcks(of: [far]), a, "b")
        network.run()
        #expect(b.acksWanted.map(\.devices) == [[far]])
        pass(ack(1), network, b, to: "a")
        pass(ack(1), network, b, to: "a")
        #expect(a.acks.map(\.ack) == [ack(1)])
        pass(ack(1, isFileBehind: true), network, b, to: "a")
        pass(nil, network, b, to: "a")
        pass(nil, network, b, to: "a")
        #expect(a.acks.map(\.ack) == [ack(1), ack(1, isFileBehind: true), nil])
        // An acknowledgement may be older than the one before, for its device may have lost something.
        pass(ack(9), network, b, to: "a")
        pass(ack(3), network, b, to: "a")
        #expect(a.acks.last?.ack == ack(3))
        #expect(a.closures.isEmpty && b.closures.isEmpty)
    }

    @Test func whatIsWantedNoMoreIsForgotten_andSaidAgainWhereItIsWantedAgain() {
        let (network, a, b) = pair()
        for wanted in [[far], [], [far]] as [Set<DeviceID>] {
            network.perform(a.lines["b"]!.link.wantAcks(of: wanted), a, "b")
            let isForgotten = a.lines["b"]!.link.ack(profile, of: far) == nil
            #expect(isForgotten)
            network.run()
            pass(ack(1), network, b, to: "a")
        }
        #expect(a.acks.map(\.ack) == [ack(1), ack(1)])
    }

    /// What a device says of itself is its acknowledgement, and nothing of what others have said.
    @Test func theOwnAckIsWhatWasConfirmed() {
        let (_, a, b) = pair()
        let (ofB, ofA) = (a.lines["b"]!.link.ack(profile), b.lines["a"]!.link.ack(profile))
        #expect(ofB == PeerAck(vector: b.vector(profile), isFileBehind: false))
        #expect(ofA == PeerAck(vector: a.vector(profile), isFileBehind: false))
    }
}
