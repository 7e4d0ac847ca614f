import LosslessJSON
import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// The figures of the wire that a user could compare with other engines: a hundred thousand leaves, and one of them.
@Suite struct CompactTests {
    /// A flat map "s/000123" to a number below 1,000,000.
    private struct Leaves {
        var values: [Int]
        var random = SeededRandom(seed: 100_000)

        init(_ count: Int) {
            values = []
            for _ in 0..<count { values.append(Int.random(in: 0..<1_000_000, using: &random)) }
        }

        func name(_ leaf: Int) -> String { "s/" + String(String(leaf + 1_000_000).dropFirst()) }

        var json: [UInt8] {
            Array("{\(values.indices.map { "\"\(name($0))\":\(values[$0])" }.joined(separator: ","))}".utf8)
        }

        func content(_ leaf: Int, _ stamp: Stamp) -> (AtomKey, AtomContent) {
            let path = DocumentPath([.member(JSONString(name(leaf)))])
            return (AtomKey(path, .latest), .register(stamp, .number(JSONNumber(text: "\(values[leaf])")!)))
        }

        mutating func change(_ leaf: Int) { values[leaf] = Int.random(in: 0..<1_000_000, using: &random) }
    }

    /// How many bytes a device that has nothing gets from a node.
    private func whole(_ node: Node) -> Int {
        let other = Node("new", 99)
        let network = Network(node, other)
        node.lines = [:]
        network.connect(node.name, "new")
        network.run()
        expectSame(network, profile)
        return network.traffic["\(node.name)>new"] ?? 0
    }

    @Test func aHundredThousandLeavesTakeNoMoreThanTheirCompressedText() {
        var leaves = Leaves(100_000)
        let (a, b) = (Node("a", 1), Node("b", 2))
        let start: WallTime = 1_700_000_000_000
        a.put(profile, leaves.values.indices.map { leaves.content($0, .live(start)) })
        let text = Deflate.compressed(leaves.json, level: 6).count
        let first = whole(a)

        // Both change a tenth, each in one save.
        b.states = a.states
        b.believe(a)
        for (node, time) in [(a, start + .seconds(60)), (b, start + .seconds(70))] {
            let changed = (0..<10_000).map { _ in Int.random(in: 0..<100_000, using: &leaves.random) }
            for leaf in changed { leaves.change(leaf) }
            node.put(profile, Set(changed).sorted().map { leaves.content($0, .live(time)) })
        }
        a.states[profile]!.join(b.states[profile]!)
        a.believe(b)
        let merged = whole(a)
        print("100,000 leaves: \(first) bytes, after merges \(merged); their text compressed \(text)")
        #expect(first <= text)
        #expect(merged <= text)

        // And now a tenth more, leaf by leaf.
        for number in 0..<10_000 {
            let leaf = Int.random(in: 0..<100_000, using: &leaves.random)
            leaves.change(leaf)
            b.put(profile, [leaves.content(leaf, .live(start + .milliseconds(80_000 + 997 * number)))])
        }
        let single = whole(b)
        print("100,000 leaves, 10,000 of them written one by one: \(single) bytes")
        #expect(single <= text)
    }

    /// One leaf, again and again, both ways, before and after both sides changed a tenth.
    @Test func aLeafThatWasSentBeforeTakes36BytesAndASignature() {
        var leaves = Leaves(20_000)
        let (a, b) = (Node("a", 1), Node("b", 2))
        let network = Network(a, b)
        var now: WallTime = 1_700_000_000_000
        func save(_ node: Node, _ changed: some Sequence<Int>) {
            let changed = Set(changed).sorted()
            now += .seconds(30)
            var state = node.states[profile] ?? ProfileState()
            let base = node.states[profile] == nil ? nil : leaves
            for leaf in changed where base != nil { leaves.change(leaf) }
            let context = WriteContext(replica: node.replica, now: now, fileTime: now, base: state.vector)
            func document(_ leaves: Leaves) -> JSONDocument {
                let members = changed.map { "\"\(leaves.name($0))\":\(leaves.values[$0])" }.joined(separator: ",")
                return try! JSONDocument(parsing: Array("{\(members)}".utf8))
            }
            if let base {
                _ = state.write(
                    DocumentDiff(from: document(base), to: document(leaves), rules: state.rules).writes, context)
            } else {
                _ = state.adopt(document(leaves), context)
            }
            node.states[profile] = state
        }
        /// Bytes of the Delta message, without the frame around it.
        func bytes(from node: Node, to other: Node) -> Int {
            network.traffic = [:]
            network.publish(node.name, profile)
            network.run()
            return (network.traffic["\(node.name)>\(other.name)"] ?? 0) - 6
        }
        save(a, leaves.values.indices)
        network.connect("a", "b")
        network.run()
        var sizes: [String: [Int]] = [:]
        for phase in ["before merges", "after merges"] {
            for (round, leaf) in [7, 19_999, 7, 12_345, 16_000, 128].enumerated() {
                // The first of a direction defines its names.
                for (node, other) in [(a, b), (b, a)] {
                    save(node, [leaf])
                    let size = bytes(from: node, to: other)
                    if round > 0 { sizes["\(phase), \(node.name) to \(other.name)", default: []].append(size) }
                }
            }
            network.disconnect("a", "b")
            for node in [a, b] {
                save(node, (0..<2_000).map { _ in Int.random(in: 0..<20_000, using: &leaves.random) })
            }
            network.connect("a", "b")
            network.run()
            // A new link has its own names: everything is said once more.
            network.disconnect("a", "b")
            b.states = [:]
            network.connect("a", "b")
            network.run()
        }
        expectSame(network, profile)
        for (title, list) in sizes.sorted(by: { $0.key < $1.key }) {
            print("one leaf, \(title): \(list) bytes")
            #expect(list.allSatisfy { $0 <= 36 + 66 }, "\(title): \(list)")
        }
        #expect(sizes.count == 4)
        #expect(b.offers == 0 && a.offers == 0)
    }
}
