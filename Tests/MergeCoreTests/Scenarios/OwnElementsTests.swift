import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Elements of arrays under `local`: every machine has its own, whatever the others play.
@Suite struct OwnElementsTests {
    private static let ways = ["/x[id]", "/x[id]/**", "/x[id]/*", "/x/*", "/x/**"]

    private func rules(_ way: String) -> RuleSet {
        MergeCoreTests.rules([way: .init(.local), "/c": .init(.counter)])
    }

    @Test(
        arguments: ways,
        [
            (#"[{"id":1,"a":2}]"#, #"[{"id":5,"a":3}]"#), (#"[{"id":1,"a":1},{"id":2,"a":9}]"#, #"[{"id":1,"a":3}]"#),
            (#"[{"id":2},{"id":1,"a":1}]"#, #"[]"#), (#"[{"id":3,"a":[1]}]"#, "null"),
            (#"[{"id":3,"a":[1]}]"#, #"{"id":4}"#), (#"[{"id":3,"a":[1]}]"#, "7"),
        ])
    func eachMachineKeepsItsOwn(way: String, played: (String, String)) throws {
        var devices = Device.household(2, rules(way), sharing: #"{"x":[{"id":1,"a":1}],"c":0}"#)
        devices[0].save(#"{"x":\#(played.0),"c":1}"#)
        devices[1].save(#"{"x":\#(played.1),"c":1}"#)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"x":\#(played.0),"c":2}"#))
        #expect(devices[1].value == json(#"{"x":\#(played.1),"c":2}"#))
        #expect(!devices.contains { $0.state.sortedAtoms.contains { [.element, .order].contains($0.key.kind) } })
        // What is played on does not reach the other one either, and the first file of a third one holds nothing of it.
        devices[0].save(#"{"x":[{"id":8,"a":1},{"id":7}],"c":3}"#)
        devices.sync(0, 1)
        #expect(devices[1].value["x"] == json(played.1) && devices[1].value["c"] == 3)
        let first = try #require(SaveForm.text(of: document(devices[0].shown), rules: rules(way)))
        #expect(text(first) == (way == "/x/**" ? #"{"c":3}"# : #"{"x":[],"c":3}"#))
    }

    /// They become their machine's own, one is removed, and they are shared again: no element without content comes back.
    @Test(arguments: ["/x[id]", "/x[id]/**"]) func whatIsSharedAgainHoldsNoBareElement(way: String) {
        let shared = MergeCoreTests.rules([
            "/x[id]/name": .init(.latest), "/x[id]/n": .init(.counter), "/c": .init(.counter),
        ])
        var devices = Device.household(
            2, shared, sharing: #"{"x":[{"id":1,"name":"a"},{"id":2,"name":"b","n":4},{"id":3,"name":"c"}],"c":0}"#)
        func change(_ to: RuleSet) {
            let (document, context) = (document(devices[0].shown), devices[0].context(devices[0].state.vector))
            _ = devices[0].state.changeRules(to: to, document: document, context)
            devices[0].touched = nil
            devices[0].project()
            settle(&devices)
        }
        change(rules(way))
        devices[0].save(#"{"x":[{"id":1,"name":"a"},{"id":3,"name":"d"}],"c":1}"#)
        settle(&devices)
        #expect(devices[1].value["x"] == json(#"[{"id":1,"name":"a"},{"id":2,"name":"b","n":4},{"id":3,"name":"c"}]"#))
        change(shared)
        settle(&devices)
        for device in devices {
            guard case .array(let elements)? = device.value["x"] else { continue }
            #expect(elements.count >= 2 && elements.allSatisfy { $0["name"] != nil }, "\(device.shown)")
        }
        #expect(devices[0].value == devices[1].value && devices[0].value["c"] == 1)
    }

    @Test func aFirstFileHasTheListAndNoElement() throws {
        for way in Self.ways where way != "/x/**" {
            let device = Device.household(1, rules(way), sharing: #"{"x": [{"id":1,"a":1}], "c": 4}"#)[0]
            let sent = try #require(SaveForm.text(of: document(device.shown), rules: rules(way)))
            #expect(SaveForm.file(of: device.state, like: sent).map { text($0) } == #"{"x": [], "c": 4}"#, "\(way)")
        }
        // Positions before one that is synced are kept.
        let mixed = MergeCoreTests.rules(["/x/*": .init(.local), "/x/1": .init(.latest)])
        #expect(SaveForm.text(of: document(#"{"x":[7,8,9]}"#), rules: mixed).map { text($0) } == #"{"x":[null,8]}"#)
    }

    /// An element in which something is synced is an element for all, and none of them loses what is its own in it.
    @Test func whatIsSyncedInThemIsSynced() {
        let counts = MergeCoreTests.rules([
            "/x[id]": .init(.local), "/x[id]/n": .init(.counter), "/c": .init(.counter),
        ])
        var devices = Device.household(2, counts, sharing: #"{"x":[{"id":1,"a":1,"n":5},{"id":2,"a":2}],"c":0}"#)
        devices[0].save(#"{"x":[{"id":2,"a":3},{"id":1,"a":4,"n":6},{"id":3,"n":1}],"c":0}"#)
        devices[1].save(#"{"x":[{"id":1,"a":7,"n":8}],"c":0}"#)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"x":[{"id":2,"a":3},{"id":1,"a":4,"n":9},{"id":3,"n":1}],"c":0}"#))
        #expect(devices[1].value == json(#"{"x":[{"id":1,"a":7,"n":9},{"id":3,"n":1}],"c":0}"#))
        // Removed there: what is synced goes, what is local stays.
        devices[1].save(#"{"x":[{"id":3,"n":1}],"c":0}"#)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"x":[{"id":2,"a":3},{"id":1,"a":4},{"id":3,"n":1}],"c":0}"#))
        #expect(devices.map(\.wouldEdit) == [0, 0])
        // It comes to hold something synced again, and then nothing.
        devices[0].save(#"{"x":[{"id":2,"a":3},{"id":1,"a":4,"n":2},{"id":3,"n":1}],"c":0}"#)
        devices.sync(0, 1)
        let back = json(#"{"x":[{"id":1,"n":2},{"id":3,"n":1}],"c":0}"#)
        #expect(Agreed(devices[1].value, counts) == Agreed(back, counts))
        devices[0].save(#"{"x":[{"id":2,"a":3},{"id":1,"a":4},{"id":3,"n":1}],"c":0}"#)
        devices.sync(0, 1)
        #expect(devices[1].value == json(#"{"x":[{"id":3,"n":1}],"c":0}"#))
        #expect(devices[0].value == json(#"{"x":[{"id":2,"a":3},{"id":1,"a":4},{"id":3,"n":1}],"c":0}"#))
    }

    /// An element with something local in it is synced by its key, and takes that along where it is removed.
    @Test func anElementThatIsSyncedTakesItsOwnMembersAlong() {
        let pose = MergeCoreTests.rules(["/x[id]/pose": .init(.local)])
        var devices = Device.household(2, pose, sharing: #"{"x":[{"id":1,"pose":"a"},{"id":2}]}"#)
        devices[0].save(#"{"x":[{"id":2,"pose":"b"}]}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"x":[{"id":2,"pose":"b"}]}"#)
        #expect(devices[1].shown == #"{"x":[{"id":2}]}"#)
    }

    /// What was told of such elements before, by an earlier version of this program or under other rules.
    @Test func whatWasToldOfThemBeforeMovesNothing() {
        for way in ["/x[id]", "/x[id]/**", "/x[id]/*"] {
            let former = MergeCoreTests.rules(["/x[id]/n": .init(.counter)])
            var devices = Device.household(2, former, sharing: #"{"x":[{"id":1,"n":1},{"id":2}],"c":0}"#)
            devices[0].save(#"{"x":[{"id":3},{"id":1,"n":2}],"c":0}"#)
            devices.sync(0, 1)
            devices[1].save(#"{"x":[{"id":9,"n":3},{"id":3}],"c":0}"#)
            let written = devices[1].state.sortedAtoms
            #expect(written.contains { $0.key.kind == .element })
            _ = devices[0].state.changeRules(
                to: rules(way), document: nil, devices[0].context(devices[0].state.vector))
            devices[0].touched = nil
            devices.sync(0, 1)
            #expect(devices[0].shown == #"{"x":[{"id":3},{"id":1,"n":2}],"c":0}"#, "\(way)")
            #expect(devices[1].shown == #"{"x":[{"id":9,"n":3},{"id":3}],"c":0}"#, "\(way)")
            #expect(Projection.newDocument(of: devices[0].state)?["x"].map { $0 == [] } ?? true, "\(way)")
        }
    }

    /// An array that no key tells apart is nobody else's business either.
    @Test func anArrayOfOwnElementsIsNeverUnreadable() {
        var devices = Device.household(2, rules("/x[id]"), sharing: #"{"x":[{"id":1}],"c":0}"#)
        for odd in [#"[{"id":1},{"id":1}]"#, "[7]", "[{}]"] {
            devices[0].save(#"{"x":\#(odd),"c":0}"#)
            #expect(devices[0].unreadable.isEmpty)
            devices.sync(0, 1)
            #expect(devices.map(\.shown) == [#"{"x":\#(odd),"c":0}"#, #"{"x":[{"id":1}],"c":0}"#])
        }
    }

    @Test func twoFilesThatAreMergedKeepTheFirstOnes() throws {
        for way in Self.ways {
            let merged = try merge(
                #"{"x":[{"id":1,"a":2}],"c":1}"#, #"{"x":[{"id":5}],"c":1}"#, base: #"{"x":[{"id":1,"a":1}],"c":0}"#,
                rules: rules(way))
            #expect(json(merged) == json(#"{"x":[{"id":1,"a":2}],"c":2}"#), "\(way)")
        }
    }

    /// Random play of three devices with elements that hold something of their own, something synced, both or neither:
    /// all know the same in the end, no file would be edited once more, and what is a machine's own is as its game left it.
    @Test(arguments: 0..<40) func nothingOfItsOwnIsEverLost(seed: UInt64) {
        let some = MergeCoreTests.rules([
            "/x[id]": .init(.local), "/x[id]/n": .init(.counter), "/x[id]/m": .init(.latest), "/c": .init(.counter),
        ])
        func own(_ value: JSONValue) -> [[JSONValue?]] {
            guard case .array(let elements)? = value["x"] else { return [] }
            return elements.filter { $0["a"] != nil }.map { [$0["id"], $0["a"]] }
        }
        var random = SeededRandom(seed: seed)
        var devices = Device.household(3, some, sharing: #"{"x":[],"c":0}"#)
        var kept = devices.map { own($0.value) }
        for _ in 0..<30 {
            let index = random.below(3)
            if random.once(in: 3) {
                devices[index].pull(devices[random.below(3)])
                devices[index].project()
            } else {
                devices[index].edit { save in
                    guard case .array(var elements)? = save["x"] else { return save }
                    if !elements.isEmpty, random.once(in: 3) { elements.remove(at: random.below(elements.count)) }
                    if elements.count > 1, random.once(in: 4) { elements.swapAt(0, elements.count - 1) }
                    let id = JSONValue.number(JSONNumber(random.below(5)))
                    let name: JSONString = random.pick(["a", "n", "m"])
                    let value: JSONValue? = random.once(in: 4) ? nil : .number(JSONNumber(random.below(9)))
                    if let at = elements.firstIndex(where: { $0["id"] == id }) {
                        elements[at] = elements[at].setting(name, to: value)
                    } else {
                        elements.append((["id": id] as JSONValue).setting(name, to: value))
                    }
                    return save.setting("x", to: .array(elements))
                }
                kept[index] = own(devices[index].value)
            }
            let now = devices.map { own($0.value) }
            for device in devices.indices { #expect(Set(now[device]) == Set(kept[device]), "\(device)") }
        }
        settle(&devices)
        #expect(devices.map { Set(own($0.value)) } == kept.map(Set.init))
        let shown = devices.map { Projection.newDocument(of: $0.state) }
        #expect(shown.allSatisfy { $0 == shown[0] })
        #expect(devices.map(\.wouldEdit) == [0, 0, 0])
    }
}
