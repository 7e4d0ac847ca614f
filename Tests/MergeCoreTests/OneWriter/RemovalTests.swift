import LosslessJSON
import Testing

@testable import MergeCore

/// A container that its game removed is gone everywhere, whatever rules stand inside; only what was written apart in it
/// brings it back, whole.
@Suite struct RemovalTests {
    private static let inside = rules([
        "/items/*/qty": .init(.counter), "/items/*/best": .init(.max), "/items/*/low": .init(.min, none: [0]),
        "/items/*/done": .init(.flag), "/items/*/tags": .init(.union), "/items/*/friends": .init(.set),
        "/items/*/mask": .init(.union, as: .bits), "/items/*/look": .init(.choice),
        "/items/*/parts[id]/n": .init(.counter), "/list/*/best": .init(.max), "/list/*/n": .init(.counter),
        "/bag[id]/best": .init(.max), "/bag[id]/n": .init(.counter), "/bag[id]/tags": .init(.union),
        "/n": .init(.counter), "/top": .init(.max),
    ])

    private static let item = #"""
        {"qty":5,"best":7,"low":3,"done":true,"tags":["a"],"friends":["x"],"mask":4,"look":{"h":1},
        "parts":[{"id":1,"n":2}],"name":"axe","none":null,"sub":{"deep":[1]}}
        """#
    private static let full = "{\"items\":{\"10\":\(item),\"11\":{\"qty\":1}},\"x\":1}"
    private static let less = #"{"items":{"11":{"qty":1}},"x":1}"#

    static let removals: [(String, String)] = [
        (full, less), (full, #"{"x":1}"#), (full, #"{"items":{},"x":1}"#), (full, "{}"),
        (full, #"{"items":7,"x":1}"#), (full, #"{"items":[1],"x":1}"#), (full, #"{"items":{"10":3},"x":1}"#),
        (#"{"list":[{"best":3,"n":1},{"best":4,"n":2},{"best":5}]}"#, #"{"list":[{"best":3,"n":1}]}"#),
        (#"{"list":[{"best":3,"n":1},{"best":4,"n":2}]}"#, #"{"list":[]}"#),
        (#"{"list":[{"best":3,"n":1},{"best":4,"n":2}],"x":1}"#, #"{"x":1}"#),
        (#"{"bag":[{"id":1,"best":3,"n":1},{"id":2,"best":4,"tags":["t"]}]}"#, #"{"bag":[{"id":1,"best":3,"n":1}]}"#),
        (#"{"bag":[{"id":1,"best":3,"n":1}],"x":1}"#, #"{"x":1}"#),
        (#"{"n":5,"x":1}"#, #"{"x":1}"#), (#"{"n":0,"x":1}"#, #"{"x":1}"#),
    ]

    @Test(arguments: removals) func whatWasRemovedIsGone(before: String, after: String) throws {
        var devices = Device.household(3, Self.inside, sharing: before)
        devices[0].save(after)
        devices[2].file = nil
        settle(&devices)
        #expect(devices.map { Agreed($0.value, .empty) }.allSatisfy { $0 == Agreed(json(after), .empty) })
        #expect(devices[0].shown == after)
        // Nothing comes back with a restart, or through the stored form.
        let restored = try ProfileState(decoding: devices[0].state.encoded)
        #expect(Projection(of: restored, onto: document(after)).edits.isEmpty)
        #expect(restored.holdsTheSame(as: devices[0].state))
        #expect(devices[0].state.shortfalls.isEmpty)
    }

    @Test(arguments: removals) func whatWasRemovedIsGoneFromAMerge(before: String, after: String) throws {
        // Beside much that stays: a save that lost over half would be a question.
        let (before, after) = (Self.padded(before), Self.padded(after))
        #expect(try merge(after, before, base: before, rules: Self.inside) == after)
        #expect(json(try merge(before, after, base: before, rules: Self.inside)) == json(after))
        #expect(try merge(after, after, base: before, rules: Self.inside) == after)
    }

    /// One game removes an object. Another one, which has not read that, removes a choice in it, and a third brings the
    /// object back by an edit: without the choice.
    @Test func aChoiceThatWasRemovedInARemovedObjectStaysRemoved() {
        let rules = rules(["/o/c": .init(.choice), "/o/d": .init(.furthest, by: ["n"])])
        var devices = Device.household(3, rules, sharing: #"{"o":{"c":"x","d":{"n":1},"n":1},"y":1}"#)
        devices[0].save(#"{"y":1}"#)
        let snapshot = devices[1].snapshots.last
        devices[1].pull(devices[0])
        devices[1].save(document(#"{"o":{"n":1},"y":1}"#), on: snapshot)
        devices[2].save(#"{"o":{"c":"x","d":{"n":1},"n":2},"y":1}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"o":{"n":2},"y":1}"#), "\(device.shown)") }
    }

    /// What one removed an edit of another brought back. It goes on there; that the other one removes it by then it has not
    /// read, and its own former removal is over: the container is whole.
    @Test(arguments: [
        [
            #"{"o":{"n":5,"s":{}},"x":1}"#, #"{"x":1}"#, #"{"o":{"n":5,"s":{"a":1}},"x":1}"#,
            #"{"o":{"n":5,"s":{"a":1,"b":1}},"x":1}"#,
        ],
        [
            #"{"l":[{"id":1,"n":5,"s":{}}],"x":1}"#, #"{"l":[],"x":1}"#, #"{"l":[{"id":1,"n":5,"s":{"a":1}}],"x":1}"#,
            #"{"l":[{"id":1,"n":5,"s":{"a":1,"b":1}}],"x":1}"#,
        ],
    ])
    func aRemovalThatWasOverBeforeIsNotFinal(saves: [String]) {
        let rules = rules([
            "/o/n": .init(.counter), "/o/s/*": .init(.max), "/l[id]/n": .init(.counter), "/l[id]/s/*": .init(.max),
        ])
        var devices = Device.household(2, rules, sharing: saves[0])
        devices[0].save(saves[1])
        devices[1].save(saves[2])
        settle(&devices)
        #expect(devices.map(\.value) == [json(saves[2]), json(saves[2])])
        let snapshot = devices[0].snapshots.last
        devices[1].save(saves[1])
        devices[0].pull(devices[1])
        devices[0].save(document(saves[3]), on: snapshot)
        settle(&devices)
        for device in devices { #expect(device.value == json(saves[3]), "\(device.shown)") }
    }

    /// A save that is asked about holds an array again that was removed, with unions in its elements: without the elements
    /// the unions would be in the state and in no file.
    @Test func nothingIsGainedInWhatIsGone() {
        var devices = Device.household(2, rules(["/laps[id]/pets": .init(.union)]), sharing: #"{"laps":[],"x":1}"#)
        devices[0].save(#"{"x":1}"#)
        settle(&devices)
        let save = document(#"{"laps":[{"id":"fox","pets":[1]}]}"#)
        let diff = DocumentDiff(from: devices[0].snapshots.last?.document, to: save, rules: devices[0].state.rules)
        #expect(devices[0].state.safeGains(of: diff).isEmpty)
    }

    /// What a profile had once and lost comes back whole or not at all: never the flag of an object without its counter.
    @Test(arguments: [
        [#"{"o":{},"x":1}"#], [#"{"x":1}"#], [#"{"o":{"a":{"n":5,"t":"x"}},"x":1}"#, #"{"o":{},"x":1}"#], ["reset"],
        ["reset", #"{"x":2}"#], [#"{"x":1}"#, "reset"], ["reset", #"{"o":{"b":{"n":1,"f":true,"t":"y"}},"x":2}"#],
        ["afresh"], ["afresh", #"{"o":{"a":{"n":1,"f":false,"t":"y"}},"x":2}"#],
        [#"{"x":1}"#, #"{"o":{"a":{"n":0,"t":"y"}},"x":1}"#],
    ])
    func nothingIsGainedOfWhatWasLost(saves: [String]) throws {
        let rules = rules(["/o/*/f": .init(.flag), "/o/*/n": .init(.counter), "/l[id]/f": .init(.flag)])
        let object = #"{"n":5,"f":true,"t":"x"}"#
        let list = #"[{"id":"fox","f":true,"t":"x"}]"#
        var devices = Device.household(2, rules, sharing: #"{"o":{"a":\#(object)},"l":\#(list),"x":1}"#)
        for save in saves {
            switch save {
            case "reset": try devices[0].reset("/o", "/o/**", "/l", "/l/**", to: #"{"o":{},"x":1}"#)
            case "afresh": try devices[0].reset("/o", "/o/**", "/l", "/l/**")
            default: devices[0].save(save)
            }
        }
        settle(&devices)
        let new = #"{"n":1,"f":true,"t":"z"}"#
        let save = document(#"{"o":{"a":\#(object),"new":\#(new)},"l":\#(list)}"#)
        for device in devices {
            let diff = DocumentDiff(from: device.snapshots.last?.document, to: save, rules: device.state.rules)
            let gains = device.state.safeGains(of: diff).map { "\($0.path)" }.filter { !$0.contains("new") }
            #expect(gains == [], "\(device.shown)")
        }
    }

    /// What version a file is of is its game's own word: a removal around that place takes everything else.
    @Test func theVersionOfAnotherFileStays() throws {
        let steps: [MigrationStep] = [.remove(at("/old"))]
        let rules = try RuleSet(
            [], version: "2", versionAt: "/meta/info/v", migrations: [Migration(from: "1", to: "2", steps: steps)])
        let before = #"{"meta":{"info":{"v":"2","by":"a"},"n":1},"x":1}"#
        var devices = Device.household(2, rules, sharing: before)
        devices[0].save(#"{"x":1}"#)
        devices[1].pull(devices[0])
        devices[1].project()
        #expect(devices[1].shown == #"{"meta":{"info":{"v":"2"}},"x":1}"#)
    }

    private static func padded(_ save: String) -> String {
        let members = (0..<20).map { "\"p\($0)\":\($0 + 1)" }.joined(separator: ",")
        return "{\(members)\(save == "{}" ? "" : ",")" + save.dropFirst()
    }

    /// What a game writes anew counts, also where it is less than before; the rest of the old is not there.
    @Test(arguments: removals) func whatIsAddedAgainIsNew(before: String, after: String) {
        var devices = Device.household(2, Self.inside, sharing: before)
        devices[0].save(after)
        settle(&devices)
        let anew = before.replacing("7", with: "2").replacing("true", with: "false").replacing(":5", with: ":1")
            .replacing(":4", with: ":1").replacing(#""name":"axe","#, with: "")
        for index in [1, 0] {
            devices[index].save(anew)
            settle(&devices)
            #expect(devices[1 - index].value == json(anew))
            devices[index].save(after)
            settle(&devices)
            #expect(devices.map { Agreed($0.value, .empty) } == Array(repeating: Agreed(json(after), .empty), count: 2))
        }
        devices[0].save(before)
        settle(&devices)
        #expect(devices[0].shown == before && devices[1].value == json(before))
        devices[1].file = nil
        settle(&devices)
        #expect(Agreed(devices[1].value, .empty) == Agreed(json(before), .empty))
    }

    @Test(arguments: [
        (#""name":"axe""#, #""name":"axt""#), (#""best":7"#, #""best":9"#), (#""done":true"#, #""done":true,"new":1"#),
        (#""tags":["a"]"#, #""tags":["a","b"]"#), (#""none":null,"#, ""),
    ]) func onlyAnEditApartBringsItBackWhole(old: String, new: String) throws {
        let edited = Self.full.replacing(old, with: new)
        var devices = Device.household(3, Self.inside, sharing: Self.full)
        devices[0].save(Self.less)
        devices[1].save(edited)
        settle(&devices)
        let whole = json(edited)
        #expect(devices[1].value == whole)
        #expect(devices.map { Agreed($0.value, .empty) }.allSatisfy { $0 == Agreed(whole, .empty) })
        let merged = json(try merge(edited, Self.less, base: Self.full, rules: Self.inside))
        #expect(merged == whole)
        // What goes on there is an ordinary edit, and a second removal is one.
        devices[2].save(devices[2].shown.replacing(#""name":"ax"#, with: #""name":"AX"#))
        settle(&devices)
        #expect(devices[0].shown == devices[2].shown || old != "")
        devices[1].save(Self.less)
        settle(&devices)
        #expect(devices.map { Agreed($0.value, .empty) }.allSatisfy { $0 == Agreed(json(Self.less), .empty) })
    }

    /// Both remove it, one adds it again: the counter starts where its game said.
    @Test func removedOnBothAndAddedAgain() {
        var devices = Device.household(3, Self.inside, sharing: #"{"items":{"10":{"qty":5}},"n":9}"#)
        devices[0].save(#"{"items":{}}"#)
        devices[1].save(#"{"items":{}}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"items":{}}"#, count: 3))
        devices[2].save(#"{"items":{"10":{"qty":3}},"n":0}"#)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(#"{"items":{"10":{"qty":3}},"n":0}"#) })
        devices[0].save(#"{"items":{"10":{"qty":4}},"n":2}"#)
        devices[1].save(#"{"items":{"10":{"qty":5}},"n":1}"#)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(#"{"items":{"10":{"qty":6}},"n":3}"#) })
    }

    /// A leaf that only grows and vanishes alone is put back; a removal beside it changes nothing of that.
    @Test func aGrowOnlyLeafThatVanishesAloneIsPutBack() {
        var devices = Device.household(2, Self.inside, sharing: #"{"items":{"10":{"best":7,"name":"axe"}},"top":3}"#)
        devices[0].save(#"{"items":{"10":{"name":"axe"}}}"#)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(#"{"items":{"10":{"name":"axe","best":7}},"top":3}"#) })
    }

    @Test func aRemovalIsOneStepOfTheHistoryAndCanBeTakenBack() throws {
        var devices = Device.household(2, Self.inside, sharing: Self.full)
        let former = devices[0].state
        devices[0].touched = []
        devices[0].save(Self.less)
        let entry = devices[0].state.history(since: former, touching: devices[0].touched ?? [], at: 1)
        #expect(entry.changes.contains { $0.path.description == "/items/10/best" && $0.old == 7 && $0.new == nil })
        #expect(entry.changes.contains { $0.path.description == "/items/10/qty" && $0.old == 5 && $0.new == nil })
        let context = WriteContext(
            replica: devices[0].replica, now: 1_800_000_000_000, fileTime: 1_800_000_000_000,
            base: devices[0].state.vector)
        _ = try devices[0].state.undo(entry, context)
        devices[0].touched = nil
        settle(&devices)
        #expect(devices.allSatisfy { Agreed($0.value, .empty) == Agreed(json(Self.full), .empty) })
    }

    /// A reset of what was removed makes no ghosts.
    @Test func aResetBringsNothingBack() throws {
        var devices = Device.household(2, Self.inside, sharing: Self.full)
        devices[0].save(Self.less)
        settle(&devices)
        try devices[1].reset("/items/*/qty")
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(#"{"items":{"11":{"qty":0}},"x":1}"#) })
    }

    /// An array that came back shorter than it was: what it held then does not stand behind its elements.
    @Test func whatWentWithItsArrayKeepsNoElementOfTheNextOne() {
        var devices = Device.household(2, Self.inside, sharing: #"{"list":[{"n":1},{"n":2},{"n":3},{"n":4}],"x":1}"#)
        devices[0].save(#"{"x":1}"#)
        settle(&devices)
        devices[1].save(#"{"list":[{"n":5},{"n":6},{"n":7}],"x":1}"#)
        settle(&devices)
        let last = #"{"list":[{"n":5},{"n":6}],"x":1}"#
        devices[1].save(last)
        settle(&devices)
        for device in devices { #expect(Agreed(device.value, .empty) == Agreed(json(last), .empty), "\(device.value)") }
    }

    /// What a reset leaves nothing of is empty where something stands behind it in an array by position, and not null.
    @Test func aResetLeavesNoNullInAnArrayByPosition() throws {
        var devices = Device.household(
            2, Self.inside, sharing: #"{"list":[{"best":1,"n":2},{"best":3,"n":4}],"x":1}"#)
        devices[0].save(#"{"list":[{"best":1},{"best":3,"n":4}],"x":1}"#)
        settle(&devices)
        devices[0].file = nil
        try devices[1].reset("/list/**")
        settle(&devices)
        for device in devices { #expect(device.value["list"] == json(#"[{},{"n":0}]"#), "\(device.value)") }
    }

    /// Edits in containers that nobody removed cost no atom more.
    @Test func withoutRemovalsNothingIsAdded() {
        var devices = Device.household(2, Self.inside, sharing: Self.full)
        let count = devices[0].state.atomCount
        devices[0].save(Self.full.replacing(#""best":7"#, with: #""best":8"#).replacing("axe", with: "axt"))
        #expect(devices[0].state.atomCount == count)
        #expect(devices[0].state.removals.isEmpty)
    }
}

extension ProfileState {
    fileprivate func atoms(of kind: AtomKind) -> Int { sortedAtoms.count { $0.key.kind == kind } }
}
