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
}
