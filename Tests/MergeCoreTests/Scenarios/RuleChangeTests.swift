import LosslessJSON
import MergeCore
import Testing

@Suite struct RuleChangeTests {
    /// One device changes the rules with its own file at hand; the others hear of it and write what was not seen.
    private func change(_ devices: inout [Device], _ index: Int, to rules: RuleSet) {
        let snapshot = devices[index].snapshots.last?.document
        devices[index].clock += .milliseconds(1)
        let context = WriteContext(
            replica: devices[index].replica, now: devices[index].clock, fileTime: devices[index].clock,
            base: devices[index].state.vector)
        _ = devices[index].state.changeRules(to: rules, document: snapshot, context)
    }

    @Test func maximumBecomesCounterWhileAnotherMakesUnseenProgress() {
        var devices = Device.household(3, rules(["/coins": .init(.max)]), sharing: #"{"coins":100}"#)
        devices[1].save(#"{"coins":150}"#)
        change(&devices, 0, to: rules(["/coins": .init(.counter)]))
        settle(&devices)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"coins":150}"#, count: 3))
        devices[0].save(#"{"coins":160}"#)
        devices[2].save(#"{"coins":120}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"coins":130}"#, count: 3))
    }

    @Test func localBecomesSynced() {
        var devices = Device.household(2, rules(["/name": .init(.local)]), sharing: #"{"name":"a","n":1}"#)
        devices[1].save(#"{"name":"b","n":1}"#)
        change(&devices, 0, to: .empty)
        settle(&devices)
        settle(&devices)
        #expect(devices[0].value == devices[1].value)
        devices[0].save(#"{"name":"c","n":1}"#)
        settle(&devices)
        #expect(devices.map { $0.value["name"] } == ["c", "c"])
    }

    @Test func latestBecomesMaximum() {
        var devices = Device.household(2, sharing: #"{"level":5}"#)
        devices[0].save(#"{"level":3}"#)
        devices[1].clock += .milliseconds(1_000)
        devices[1].save(#"{"level":9}"#)
        change(&devices, 0, to: rules(["/level": .init(.max)]))
        settle(&devices)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"level":9}"#, count: 2))
    }

    /// Nothing of a file is lost where the rules take a place apart in another way.
    @Test(arguments: [
        ("/inv[id]/n", "/other"), ("/other", "/inv[id]/n"), ("/other", "/inv/*/n"), ("/inv/*/n", "/other"),
        ("/inv[id]/n", "/inv/*/n"), ("/inv/*/n", "/inv[id]/n"),
    ])
    func anotherShapeKeepsTheContent(before: String, after: String) {
        let save = #"{"inv":[{"id":1,"n":2,"x":"y"},{"id":2,"n":3}]}"#
        var devices = Device.household(3, rules([before: .init(.latest)]), sharing: save)
        devices[1].save(#"{"inv":[{"id":1,"n":2,"x":"y"},{"id":2,"n":4}]}"#)
        settle(&devices)
        change(&devices, 0, to: rules([after: .init(.latest)]))
        settle(&devices)
        let expected = json(#"{"inv":[{"id":1,"n":2,"x":"y"},{"id":2,"n":4}]}"#)
        #expect(devices.map(\.value) == Array(repeating: expected, count: 3), "\(before) to \(after)")
        #expect(Projection.newDocument(of: devices[2].state) == expected)
        // And it goes on merging under the new rules, removals included.
        devices[2].save(#"{"inv":[{"id":1,"n":2,"x":"z"}]}"#)
        settle(&devices)
        let last = json(#"{"inv":[{"id":1,"n":2,"x":"z"}]}"#)
        #expect(devices.map(\.value) == Array(repeating: last, count: 3), "\(before) to \(after), then removed")
    }

    @Test func wholeAndBack() {
        var devices = Device.household(2, sharing: #"{"pos":{"x":1,"y":1}}"#)
        devices[0].save(#"{"pos":{"x":2,"y":1}}"#)
        settle(&devices)
        change(&devices, 0, to: rules(["/pos": .init(.latest, whole: true)]))
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"pos":{"x":2,"y":1}}"#, count: 2))
        devices[1].save(#"{"pos":{"x":7,"y":7}}"#)
        settle(&devices)
        change(&devices, 1, to: .empty)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"pos":{"x":7,"y":7}}"#, count: 2))
        devices[0].save(#"{"pos":{"x":7}}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"pos":{"x":7}}"#, count: 2))
    }

    /// What was counted in an earlier time under the same rule is not counted again.
    @Test func aCounterThatReturnsDoesNotCountTwice() {
        let counter = rules(["/coins": .init(.counter)])
        var devices = Device.household(2, counter, sharing: #"{"coins":100}"#)
        devices[0].save(#"{"coins":150}"#)
        settle(&devices)
        change(&devices, 0, to: rules(["/coins": .init(.latest)]))
        settle(&devices)
        for amount in [160, 30] {
            devices[1].save("{\"coins\":\(amount)}")
            settle(&devices)
            change(&devices, 0, to: counter)
            settle(&devices)
            #expect(devices.map(\.shown) == Array(repeating: "{\"coins\":\(amount)}", count: 2))
            change(&devices, 0, to: rules(["/coins": .init(.latest)]))
            settle(&devices)
            #expect(devices.map(\.shown) == Array(repeating: "{\"coins\":\(amount)}", count: 2))
        }
    }

    @Test func namesAndJoinedNotesTravel() {
        var devices = Device.household(2, sharing: "{}")
        func context(_ device: Device) -> WriteContext {
            WriteContext(replica: device.replica, now: device.clock, fileTime: device.clock, base: device.state.vector)
        }
        _ = devices[0].state.note(.name, "Ada", context(devices[0]))
        devices.sync(0, 1)
        #expect(devices.map(\.state.name) == ["Ada", "Ada"])
        devices[1].clock -= .milliseconds(1_000_000)
        _ = devices[1].state.note(.name, "Grace", context(devices[1]))
        devices.sync(0, 1)
        #expect(devices.map(\.state.name) == ["Grace", "Grace"])
        // Joined into two: everybody takes the same one, until it is taken back.
        let (low, high) = (ProfileID(random: 1, 1), ProfileID(random: 2, 2))
        _ = devices[0].state.note(.joined, .string(JSONString(high.description)), context(devices[0]))
        _ = devices[1].state.note(.joined, .string(JSONString(low.description)), context(devices[1]))
        devices.sync(0, 1)
        #expect(devices.map(\.state.joinedInto) == [high, high])
        #expect(devices.map(\.state.joinedBy) == [devices[0].replica, devices[0].replica])
        _ = devices[0].state.takeBackJoined(context(devices[0]))
        devices.sync(0, 1)
        #expect(devices.map(\.state.joinedInto) == [nil, nil])
        #expect(devices.map(\.shown) == ["{}", "{}"])
    }

    /// The notes of a joined profile come back where the two are joined the other way. Values and rules that a bad member
    /// put under such a place do not.
    @Test func nothingButNotesComesBackFromAJoinedProfile() {
        let devices = Device.household(2, sharing: #"{"coins":5}"#)
        let (kept, gone) = (ProfileID(random: 1, 1), ProfileID(random: 2, 2))
        var source = ProfileState()
        let replica = ReplicaID(high: 9, low: 9)
        for (number, name) in ["#joined", "#rules", "/coins"].enumerated() {
            let path = DocumentPath(encoded: Array("#of/\(kept.hex)/\(name)".utf8))
            let dot = Dot(replica: replica, sequence: UInt64(number) + 1)
            let content = AtomContent.register(
                .live(WallTime(milliseconds: 1 << 41)), .string(JSONString(gone.description)))
            let atom = KeyedAtom(AtomKey(path, name == "#rules" ? .rules : .latest), Atom(content, dot))
            _ = source.join([atom], vector: VersionVector([replica: .init(sequence: dot.sequence, history: 1)]))
        }
        var target = devices[0].state
        _ = target.join(source, notes: [.joined], of: gone, into: kept)
        #expect(target.joinedInto == gone)
        #expect(target.rules == devices[0].state.rules && target.rulesHeld == nil)
        #expect(Projection.newDocument(of: target) == json(#"{"coins":5}"#))
    }

    @Test func rulesThisVersionDoesNotKnowAreHeldAndRelayed() {
        var devices = Device.household(2, rules(["/a": .init(.max)]), sharing: #"{"a":1}"#)
        let newer = KeyedAtom(
            AtomKey(.rules, .rules),
            Atom(
                .register(
                    Stamp(rawValue: .max), ["set": ["rules": [["path": "/a", "merge": "average"]]], "seen": [:]]),
                dot(7, 1)))
        devices[0].state.join([newer], vector: vector([7: 1]))
        #expect(devices[0].state.rulesHeld != nil)
        #expect(devices[0].state.rules == devices[1].state.rules)
        devices[1].state.join(devices[0].state.delta(beyond: devices[1].state.vector), vector: devices[0].state.vector)
        #expect(devices[1].state.atom(newer.key) == newer.atom)
        #expect(devices[1].state.rulesHeld != nil)
    }
}
