import LosslessJSON
import MergeCore
import SyncProtocol
import Testing

/// How many bytes things cost on the wire. TLS adds 22 to each send.
@Suite struct SizeTests {
    private static func document(sections: Int, leaves: Int) -> String {
        let parts = (0..<sections).map { section in
            let leaves = (0..<leaves).map { #""leaf-\#(section * leaves + $0)":\#($0)"# }.joined(separator: ",")
            return #""section-\#(section)":{\#(leaves)}"#
        }
        return "{\(parts.joined(separator: ","))}"
    }

    /// The bytes of one delta and its ack for one changed leaf, in a profile of this size.
    private static func warmBytes(leaves: Int) -> (delta: Int, ack: Int, delivered: Int) {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: document(sections: leaves / 100, leaves: 100))
        network.connect("a", "b")
        network.run()
        network.traffic = [:]
        let old = #"{"section-123":{"leaf-45678":12}}"#
        let new = #"{"section-123":{"leaf-45678":4711}}"#
        network.nodes["a"]!.write(profile, from: old, to: new)
        network.publish("a", profile)
        network.run()
        expectSame(network, profile)
        return (network.traffic["a>b"] ?? 0, network.traffic["b>a"] ?? 0, network.nodes["b"]!.deltas.count)
    }

    @Test func oneLeafCostsTheSameInASmallAndALargeProfile() {
        let small = Self.warmBytes(leaves: 100)
        let large = Self.warmBytes(leaves: 5_000)
        #expect(small.delta + small.ack <= 120 + 66, "\(small)")
        #expect(small == large)
        #expect(small.delta == 49 + 66, "a change of the wire: \(small)")
        #expect(small.ack == 23, "a change of the wire: \(small)")
    }

    @Test func anIdlePingIsSmall() {
        var link = Forge.openLink()
        #expect(link.tick(now: 20_000).sent.count == 6)
    }

    @Test func aWholeStateIsCompact() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: Self.document(sections: 100, leaves: 100))
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        let bytes = network.traffic["a>b"] ?? 0
        #expect(bytes < 10_000 * 24, "\(bytes) bytes for 10,000 leaves")
    }

    @Test func fiveMegabytesTravelInChunks() {
        let network = Network(Node("a", 1), Node("b", 2))
        network.slice = 16_384
        let text = String(repeating: "x", count: 480)
        let members = (0..<10_000).map { #""entry-\#($0)":"\#(text)\#($0)""# }.joined(separator: ",")
        network.nodes["a"]!.write(profile, from: nil, to: "{\(members)}")
        network.connect("a", "b")
        var largest = 0
        while !network.queue.isEmpty {
            largest = max(largest, network.queue[0].bytes.count)
            network.step()
        }
        expectSame(network, profile)
        #expect(network.nodes["b"]!.deltas.count == 1)
        #expect(largest <= Limits.chunk + 1_024, "\(largest)")
    }

    /// Values that are alike cost little on the wire, and still no frame stands for more than a receiver takes.
    @Test func oneLargeValueAtManyPlacesTravels() {
        let network = Network(Node("a", 1), Node("b", 2))
        let text = String(repeating: "z", count: 100_000)
        let members = (0..<200).map { #""place-\#($0)":"\#(text)""# }.joined(separator: ",")
        network.nodes["a"]!.write(profile, from: nil, to: "{\(members)}")
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
        #expect(network.nodes["a"]!.closures.isEmpty && network.nodes["b"]!.closures.isEmpty)
        let bytes = network.traffic["a>b"] ?? 0
        #expect(bytes < 200 * 2_000, "\(bytes) bytes for 200 equal values")
    }

    @Test func oneHugeValueTravelsInPieces() {
        let network = Network(Node("a", 1), Node("b", 2))
        let node = network.nodes["a"]!
        let text = JSONValue.string(JSONString(String(repeating: "y", count: 3_000_000)))
        let stamp = Stamp.live(1)
        node.put(
            profile,
            [
                (AtomKey(DocumentPath([.member("before")]), .latest), .register(stamp, 1)),
                (AtomKey(DocumentPath([.member("huge")]), .latest), .register(stamp, text)),
                (AtomKey(DocumentPath([.member("after")]), .latest), .register(stamp, 2)),
            ]
        )
        node.put(profile, [(AtomKey(DocumentPath([.member("huger")]), .latest), .register(stamp, text))])
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
    }

    @Test func whatCannotBeSentIsSaid() throws {
        let network = Network(Node("a", 1), Node("b", 2))
        let node = network.nodes["a"]!
        node.put(
            profile,
            [
                (AtomKey(DocumentPath([.member(JSONString(String(repeating: "k", count: 5_000)))]), .flag), .flag(true))
            ]
        )
        network.connect("a", "b")
        network.run()
        #expect(node.unsendable.count == 1)
        #expect(node.closures.isEmpty)
        #expect(network.nodes["b"]!.deltas.isEmpty)
        // The link goes on with other profiles.
        let other = ProfileID(high: 7, low: 7)
        node.write(other, from: nil, to: #"{"a":1}"#)
        network.publish("a", other)
        network.publish("a", profile)
        network.run()
        #expect(network.nodes["b"]!.states[other]?.vector == node.vector(other))
        #expect(node.unsendable.count == 1)
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func slicesDoNotMatter(_ slice: Int) {
        let network = Network(Node("a", 1), Node("b", 2))
        network.slice = slice
        network.nodes["a"]!.write(profile, from: nil, to: Self.document(sections: 2, leaves: 50))
        network.nodes["b"]!.write(profile, from: nil, to: #"{"mine":true}"#)
        network.connect("a", "b")
        network.run()
        expectSame(network, profile)
    }

    @Test func thousandsOfProfilesAreListedInBoundedFrames() {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        for number in 0..<3_000 {
            a.put(ProfileID(high: 3, low: UInt64(number)), [(AtomKey(.name, .flag), .flag(true))])
        }
        b.states = a.states
        network.connect("a", "b")
        network.run()
        #expect(a.deltas.isEmpty && b.deltas.isEmpty)
        #expect((network.traffic["a>b"] ?? 0) < 3_000 * 48, "\(network.traffic)")
    }
}
