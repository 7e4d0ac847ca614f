import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// The order of arrays is part of the document.
@Suite struct OrderTests {
    static let ruleSet = rules([
        "/set": .init(.set), "/union": .init(.union), "/best": .init(.max), "/keyed[id]": .init(.latest),
        "/keyed[id]/parts[p]": .init(.latest),
    ])

    /// How many atoms the last write of a device made.
    private func atoms(_ device: Device, since vector: VersionVector) -> Int {
        device.state.delta(beyond: vector).count
    }

    @Test(arguments: ["set", "union"]) func aNewDeviceHasTheOrderOfTheFile(name: String) {
        let save = "{\"\(name)\":[\"z\",\"a\",10,9,\"m\"]}"
        var devices = Device.household(2, Self.ruleSet)
        devices[0].adopt(save)
        devices.sync(0, 1)
        #expect(devices[1].shown == save && devices[0].shown == save)
    }

    @Test func aNewDeviceHasKeyedElementsInOrder() {
        let save = #"{"keyed":[{"id":"z","parts":[{"p":2},{"p":1}]},{"id":10},{"id":9}]}"#
        var devices = Device.household(2, Self.ruleSet)
        devices[0].adopt(save)
        devices.sync(0, 1)
        #expect(devices[1].value == json(save))
    }

    @Test func whatStandsInItsNaturalOrderCostsNothing() {
        var devices = Device.household(1, Self.ruleSet)
        devices[0].adopt(#"{"set":["a","b",1,2,10],"keyed":[{"id":7},{"id":80},{"id":900}]}"#)
        #expect(!devices[0].state.sortedAtoms.contains { $0.key.kind == .order })
        let before = devices[0].state.vector
        devices[0].save(#"{"set":["a","b","c",1,2,10,11],"keyed":[{"id":7},{"id":80},{"id":900},{"id":1000}]}"#)
        #expect(atoms(devices[0], since: before) == 4)
    }

    @Test func aMoveAloneTravels() {
        let save = #"{"set":["b","a","c"], "keyed":[{"id":1, "n":1.0},{"id":2},{"id":3}]}"#
        var devices = Device.household(2, Self.ruleSet, sharing: save)
        let before = devices[0].state.vector
        devices[0].save(#"{"set":["c","b","a"], "keyed":[{"id":2},{"id":1, "n":1.0},{"id":3}]}"#)
        #expect(atoms(devices[0], since: before) == 2)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"set":["c","b","a"], "keyed":[{"id":2},{"id":1, "n":1.0},{"id":3}]}"#)
        #expect(devices[0].wouldEdit == 0)
    }

    @Test func anOrderAloneIsNoPlay() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"set":["b","a"],"union":[2,1],"best":4}"#)
        let (former, base) = (devices[0].state, devices[0].snapshots[0].document)
        let save = document(#"{"set":["a","b"],"union":[1,2],"best":4}"#)
        let diff = DocumentDiff(from: base, to: save, rules: Self.ruleSet)
        #expect(diff.changes.isEmpty && diff.orders.count == 2 && !diff.losesGrowOnly)
        devices[0].save(save, on: devices[0].snapshots[0])
        let atoms = devices[0].state.delta(beyond: former.vector)
        #expect(!atoms.isEmpty && atoms.allSatisfy { $0.key.kind == .order })
        let entry = devices[0].state.history(since: former, touching: atoms.map(\.key), at: 9)
        #expect(entry.isEmpty)
        #expect(devices[0].state.lastWrite == former.lastWrite, "it was not played")
    }

    @Test func whatBothAddedComesInOneOrderEverywhere() {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"set":["m"],"keyed":[{"id":5}]}"#)
        devices[0].save(#"{"set":["m","z","x"],"keyed":[{"id":5},{"id":2},{"id":1}]}"#)
        devices[1].save(#"{"set":["m","y","a"],"keyed":[{"id":9},{"id":5},{"id":8}]}"#)
        settle(&devices)
        #expect(devices[0].shown == devices[1].shown && devices[1].shown == devices[2].shown, "\(devices.map(\.shown))")
        let set = devices[0].value["set"]!.spelled
        #expect([#"["m","z","x","y","a"]"#, #"["m","y","a","z","x"]"#].contains(set), "not mixed: \(set)")
    }

    @Test func aRemovedElementComesBackWhereItStood() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"keyed":[{"id":"c","n":1},{"id":"b"},{"id":"a"}]}"#)
        devices[0].save(#"{"keyed":[{"id":"b"},{"id":"a"}]}"#)
        devices[1].save(#"{"keyed":[{"id":"c","n":2},{"id":"b"},{"id":"a"}]}"#)
        settle(&devices)
        #expect(devices[0].shown == #"{"keyed":[{"id":"c","n":2},{"id":"b"},{"id":"a"}]}"#)
    }

    @Test func elementsThatStandThereTwiceStayAsTheyAre() {
        let save = #"{"set":["b","a","b"],"best":1}"#
        var devices = Device.household(2, Self.ruleSet, sharing: save)
        #expect(devices[0].wouldEdit == 0)
        devices[0].save(#"{"set":["b","a","b"],"best":2}"#)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"set":["b","a","b"],"best":2}"#)
        devices[0].save(#"{"set":["a","b","b"],"best":2}"#)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"set":["a","b","b"],"best":2}"#)
    }

    @Test func aRestoreBringsTheOrderBack() throws {
        let save = #"{"set":["c","a","b"],"keyed":[{"id":3},{"id":1}],"best":1}"#
        var devices = Device.household(2, Self.ruleSet, sharing: save)
        devices[0].save(#"{"set":["a","b","d"],"keyed":[{"id":1},{"id":2},{"id":3}],"best":5}"#)
        devices.sync(0, 1)
        try devices[1].restore(save)
        devices[1].project()
        devices.sync(0, 1)
        #expect(devices[0].value == json(save) && devices[1].value == json(save))
        try devices[0].reset("/set", to: #"{"set":["y","x"]}"#)
        devices[0].project()
        devices.sync(0, 1)
        #expect(devices[1].value["set"] == ["y", "x"])
    }

    @Test func aSortStandsOverTheOrder() {
        let sorted = rules(["/log": .init(.union, sort: "at")])
        var devices = Device.household(2, sorted, sharing: #"{"log":[{"at":1}]}"#)
        devices[0].save(#"{"log":[{"at":1},{"at":2}]}"#)
        devices.sync(0, 1)
        #expect(!devices[0].state.sortedAtoms.contains { $0.key.kind == .order })
        #expect(devices[1].value["log"] == [["at": 2], ["at": 1]])
    }

    @Test func otherRulesTakeTheOrderOver() {
        var devices = Device.household(2, .empty, sharing: #"{"a":[3,1,2],"b":[{"id":2},{"id":1}]}"#)
        let context = devices[0].context(devices[0].state.vector)
        let parsed = devices[0].snapshots[0].document
        let apart = rules(["/a": .init(.set), "/b[id]": .init(.latest)])
        _ = devices[0].state.changeRules(to: apart, document: parsed, context)
        devices[1].pull(devices[0])
        devices[1].file = nil
        devices[1].project()
        #expect(devices[1].value == json(#"{"a":[3,1,2],"b":[{"id":2},{"id":1}]}"#))
    }

    @Test func whatOlderPeersAddedHasAPlace() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"set":["c","a"]}"#)
        // As a peer without positions writes it.
        let context = devices[0].context(devices[0].state.vector)
        let change = LeafChange(
            path: DocumentPath([.member("set")]), rule: .init(.set), change: .elements(added: ["b", "d"], removed: []))
        _ = devices[0].state.write([change], context)
        settle(&devices)
        #expect(devices[0].value == devices[1].value && devices[0].value["set"] != nil)
        devices[0].file = nil
        devices[0].project()
        #expect(devices[0].value == devices[1].value)
    }

    @Test(arguments: [("set", 1_000), ("keyed", 1_000)]) func anOrderCostsWhatChanged(name: String, count: Int) {
        var random = SeededRandom(seed: 5)
        var list = random.shuffled((0..<count).map { JSONValue.string(JSONString("item \($0)")) })
        func save(_ list: [JSONValue]) -> String {
            let elements = name == "set" ? list : list.map { .object([JSONMember(key: "id", value: $0)]) }
            return "{\"\(name)\":\(JSONValue.array(elements).spelled)}"
        }
        var devices = Device.household(2, Self.ruleSet, sharing: save(list))
        func cost(_ next: [JSONValue]) -> (atoms: Int, bytes: Int) {
            let before = devices[0].state.vector
            devices[0].save(save(next))
            let delta = devices[0].state.delta(beyond: before)
            devices.sync(0, 1)
            #expect(devices[1].shown == save(next))
            list = next
            return (delta.count, delta.reduce(0) { $0 + $1.key.sub.count + $1.atom.encoded.count })
        }
        let start = devices[0].state.sortedAtoms.filter { $0.key.kind == .order }
        #expect(start.count <= count)
        let append = cost(list + ["a new one"])
        var moved = list
        moved.insert(moved.remove(at: 900), at: 100)
        let move = cost(moved)
        #expect(append.atoms == (name == "set" ? 2 : 3) && move.atoms == 1, "\(append) \(move)")
        #expect(move.bytes <= 32, "\(move)")
        let bytes = start.reduce(0) { $0 + $1.atom.encoded.count - 8 }
        print("\(name): \(start.count) positions of \(bytes) bytes at the start; append \(append), move \(move)")
    }

    @Test func bothOrdersOfAMergeGiveOneOrder() throws {
        func merged(_ a: String, _ b: String, base: String?) throws -> String {
            let one = try merge(a, b, base: base, rules: Self.ruleSet, times: (100, 200))
            let other = try merge(b, a, base: base, rules: Self.ruleSet, times: (200, 100))
            #expect(one == other)
            return one
        }
        let base = #"{"set":["b","a","c"]}"#
        #expect(try merged(#"{"set":["c","b","a"]}"#, base, base: base) == #"{"set":["c","b","a"]}"#)
        #expect(try merged(base, #"{"set":["c","b","a"]}"#, base: base) == #"{"set":["c","b","a"]}"#)
        let moved = try merged(#"{"set":["c","b","a"]}"#, #"{"set":["b","a","c","x"]}"#, base: base)
        #expect(moved.contains(#""c","b","a""#))
        _ = try merged(#"{"set":["b","a","c","z","y"]}"#, #"{"set":["b","a","c","y","x"]}"#, base: base)
        // Without an ancestor the later one's order stands.
        let later = #"{"set":["a","z","b"]}"#
        #expect(try merged(#"{"set":["z","b","a"]}"#, later, base: nil) == later)
        _ = try merged(#"{"set":["z","b","a"]}"#, #"{"set":["a","x","b"]}"#, base: nil)
    }
}
