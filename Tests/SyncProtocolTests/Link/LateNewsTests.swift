import MergeCore
import SyncProtocol
import Testing

/// What a device writes while a link is coming up, and the peer hears from somebody else before it lists its profiles: the
/// peer lacks nothing, so nothing is sent, and it would call the device behind for good.
@Suite struct LateNewsTests {
    @Test func whatThePeerHasAlreadyIsSaidToIt() {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        a.write(profile, from: nil, to: #"{"level":3}"#)
        a.lines["b"] = Node.Line(PeerLink(localName: "a", now: 0))
        b.lines["a"] = Node.Line(PeerLink(localName: "b", now: 0))
        func start(_ node: Node, _ peer: String) {
            let covered = CoveredProfiles(node.states.mapValues(\.vector))
            network.perform(
                node.lines[peer]!.link.start(profiles: covered, roster: [], salt: 1, now: 0), node, peer)
        }
        start(a, "b")
        a.write(profile, from: #"{"level":3}"#, to: #"{"level":4}"#)
        network.publish("a", profile)
        b.states = a.states
        b.believe(a)
        start(b, "a")
        network.run()
        let (ofB, ofA) = (a.lines["b"]!.link.isSettled(profile), b.lines["a"]!.link.isSettled(profile))
        #expect(ofB && ofA)
        #expect(a.closures.isEmpty && b.closures.isEmpty)
    }
}
