import LosslessJSON
import MergeCore
import Testing

/// A rule that takes each element of an array by a key as one value: `/quests[id]: {merge: furthest, by: [stage]}`.
@Suite struct WholeElementTests {
    private static let rules = MergeCoreTests.rules([
        "/huts[id]": MergeRule(.latest, whole: true), "/quests[id]": MergeRule(.furthest, by: ["stage"]),
        "/talks[id]": MergeRule(.choice),
    ])

    private let base = #"{"huts":[{"id":"a","tile":[1,2]}],"quests":[{"id":"q","stage":1,"note":"x"}],"talks":[]}"#

    @Test func aNewElementComesWhole() throws {
        let one = base.replacing("]}],\"quests", with: "]},{\"id\":\"b\",\"tile\":[3]}],\"quests")
            .replacing("\"talks\":[]", with: "\"talks\":[{\"id\":7,\"said\":{\"yes\":1}}]")
        #expect(try merge(base, one, base: base, rules: Self.rules) == one)
        #expect(try merge(one, base, base: base, rules: Self.rules) == one)
    }

    @Test func anElementChangesWhole() throws {
        let one = #"{"huts":[{"id":"a","tile":[9]}],"quests":[{"id":"q","stage":2,"note":"x"}],"talks":[]}"#
        let other = #"{"huts":[{"id":"a","roof":1}],"quests":[{"id":"q","stage":1,"note":"y"}],"talks":[]}"#
        let merged = #"{"huts":[{"id":"a","roof":1}],"quests":[{"id":"q","stage":2,"note":"x"}],"talks":[]}"#
        #expect(try merge(one, other, base: base, rules: Self.rules) == merged)
        #expect(try merge(other, one, base: base, rules: Self.rules, times: (200, 100)) == merged)
    }

    @Test func anElementThatIsRemovedIsGone_unlessItChanged() throws {
        let none = #"{"huts":[],"quests":[{"id":"q","stage":1,"note":"x"}],"talks":[]}"#
        #expect(try merge(base, none, base: base, rules: Self.rules) == none)
        let changed = base.replacing("[1,2]", with: "[5]")
        #expect(try merge(none, changed, base: base, rules: Self.rules) == changed)
    }

    @Test func devicesAgree() {
        var devices = Device.household(3, Self.rules, sharing: base)
        devices[1].set("huts", [["id": "a", "tile": [1, 2]], ["id": "c", "tile": [4], "roof": true]])
        settle(&devices)
        devices[2].set("huts", [["id": "c", "tile": [6], "roof": true]])
        settle(&devices)
        for device in devices {
            #expect(device.value["huts"] == [["id": "c", "tile": [6], "roof": true]], "\(device.value)")
        }
    }

    /// A file that holds an element's key alone, as one that was written under rules for its members, gets all of it.
    @Test func aFileThatLacksTheValueGetsIt() throws {
        let save = #"{"quests":[{"id":"q","stage":1,"note":"x"}]}"#
        let state = Device.household(1, Self.rules, sharing: save)[0].state
        let bare = document(#"{"quests":[{"id":"q"}]}"#)
        #expect(text(try bare.patched(Projection(of: state, onto: bare).edits)) == save)
    }

    @Test(arguments: ["huts", "quests", "talks"]) func aChangeIsInTheHistory_andIsTakenBack(_ name: String) throws {
        let save = base.replacing(#""talks":[]"#, with: #""talks":[{"id":7,"said":1}]"#)
        let other = save.replacing("[1,2]", with: "[9]").replacing(#""stage":1"#, with: #""stage":2"#)
            .replacing(#""said":1"#, with: #""said":2"#)
        let name = JSONString(name)
        var devices = Device.household(2, Self.rules, sharing: save)
        let (old, new, before) = (json(save)[name], json(other)[name], devices[0].state)
        devices[0].set(name, new)
        settle(&devices)
        let keys = devices[0].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[0].state.history(since: before, touching: keys, at: 5)
        #expect(entry.changes.count == 1 && entry.changes[0].old != entry.changes[0].new, "\(entry.changes)")
        try devices[0].undo(since: before)
        settle(&devices)
        for device in devices { #expect(device.value[name] == old, "\(device.value)") }
    }
}
