import LosslessJSON
import MergeCore
import SyncProtocol
import Testing

/// What the order of an array costs on the wire.
@Suite struct OrderBytesTests {
    @Test func movingOneOfAThousandElementsSendsOneAtom() throws {
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/list"), MergeRule(.set))])
        let (a, b) = (Node("a", 1), Node("b", 2))
        let network = Network(a, b)
        var state = ProfileState()
        let context = WriteContext(replica: a.replica, now: 1, fileTime: 1, base: VersionVector())
        _ = state.changeRules(to: rules, document: nil, context)
        a.states[profile] = state
        // In no order that could go without saying.
        var list = (0..<1_000).map { "\"item \($0 * 617 % 1_000)\"" }
        var text = "{\"list\":[\(list.joined(separator: ","))]}"
        a.write(profile, from: "{}", to: text)
        let plain = a.states[profile]!.sortedAtoms.filter { $0.key.kind != .order }.count
        #expect(a.states[profile]!.atomCount - plain == 1_000)
        network.connect("a", "b")
        network.run()
        func bytes(_ now: WallTime) -> Int {
            let next = "{\"list\":[\(list.joined(separator: ","))]}"
            a.write(profile, from: text, to: next, now: now)
            text = next
            network.traffic = [:]
            network.publish("a", profile)
            network.run()
            let shown = Projection.newDocument(of: b.states[profile]!)?.jsonBytes ?? []
            #expect(String(decoding: shown, as: UTF8.self) == text)
            return (network.traffic["a>b"] ?? 0) - 6
        }
        list.insert(list.remove(at: 900), at: 100)
        let move = bytes(1_700_000_010_000)
        list.append("\"a new one\"")
        let append = bytes(1_700_000_020_000)
        list.insert(list.remove(at: 3), at: 700)
        let again = bytes(1_700_000_030_000)
        print("an array of 1,000: moving one takes \(move) and \(again) bytes, appending one \(append)")
        // 66 bytes each are the signature.
        #expect(move <= 64 + 66 && again <= 64 + 66 && append <= 96 + 66)
    }
}
