import MergeCore
import SyncProtocol
import Testing

/// Words of devices that the other end has no link to.
@Suite struct WordTests {
    private let far = DeviceID(high: 1, low: 2)
    private let stranger = DeviceID(high: 3, low: 4)

    private func pair() -> (network: Network, a: Node, b: Node) {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        a.write(profile, from: nil, to: #"{"level":3}"#)
        network.connect("a", "b")
        network.run()
        return (network, a, b)
    }

    private func word(_ sequence: UInt64, isFileBehind: Bool = false) -> PeerWord {
        let vector = VersionVector([ReplicaID(high: 9, low: 9): .init(sequence: sequence, history: sequence + 7)])
        return PeerWord(vector: vector, isFileBehind: isFileBehind, through: [stranger])
    }

    private func pass(_ word: PeerWord?, _ network: Network, _ node: Node, to peer: String) {
        network.perform(node.lines[peer]!.link.pass(word, about: profile, of: far), node, peer)
        network.run()
    }

    @Test func aWordIsPassedOnAsItIs_onceAndUntilItIsGone() {
        let (network, a, b) = pair()
        pass(word(1), network, b, to: "a")
        #expect(a.words.isEmpty, "nobody wants it")
        network.perform(a.lines["b"]!.link.wantWords(of: [far]), a, "b")
        network.run()
        #expect(b.wordsWanted.map(\.devices) == [[far]])
        pass(word(1), network, b, to: "a")
        pass(word(1), network, b, to: "a")
        #expect(a.words.map(\.word) == [word(1)])
        pass(word(1, isFileBehind: true), network, b, to: "a")
        pass(nil, network, b, to: "a")
        pass(nil, network, b, to: "a")
        #expect(a.words.map(\.word) == [word(1), word(1, isFileBehind: true), nil])
        // A word may be older than the one before, for its device may have lost something.
        pass(word(9), network, b, to: "a")
        pass(word(3), network, b, to: "a")
        #expect(a.words.last?.word == word(3))
        #expect(a.closures.isEmpty && b.closures.isEmpty)
    }

    @Test func whatIsWantedNoMoreIsForgotten_andSaidAgainWhereItIsWantedAgain() {
        let (network, a, b) = pair()
        for wanted in [[far], [], [far]] as [Set<DeviceID>] {
            network.perform(a.lines["b"]!.link.wantWords(of: wanted), a, "b")
            let isForgotten = a.lines["b"]!.link.word(profile, of: far) == nil
            #expect(isForgotten)
            network.run()
            pass(word(1), network, b, to: "a")
        }
        #expect(a.words.map(\.word) == [word(1), word(1)])
    }

    /// What a device says of itself is its word, and nothing of what others have said.
    @Test func theOwnWordIsWhatWasConfirmed() {
        let (_, a, b) = pair()
        let (ofB, ofA) = (a.lines["b"]!.link.word(profile), b.lines["a"]!.link.word(profile))
        #expect(ofB == PeerWord(vector: b.vector(profile), isFileBehind: false))
        #expect(ofA == PeerWord(vector: a.vector(profile), isFileBehind: false))
    }
}
