import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// A list under `set` or `union` that holds an element twice. Other devices hold it once, so that is said.
@Suite struct RepeatedElementTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    @Test(arguments: [MergeRule.Merge.set, .union]) func aSetThatHoldsAnElementTwiceIsNotInStep(merge: MergeRule.Merge)
        throws
    {
        let files = MemoryFiles()
        var device = try Device(files, MemoryRecord(power: files.power), path: "/a/save.json", number: 1)
        func save(_ items: String) {
            files.saveByRename(Array("{\"coins\":1,\"items\":[\(items)]}".utf8), at: device.path)
        }
        save(#""potion","potion","sword""#)
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/items"), MergeRule(merge))])
        let id = try device.engine.add(
            file: device.path, name: "test", rules: rules,
            ids: FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1)), now: device.now)
        func unread() -> [String] { device.engine.unread(id).map(\.description) }
        let said = ["/items: a set holds each element once, and this list holds one more than once"]
        try device.settle(id)
        #expect(unread() == said)
        save(#""potion","sword""#)
        try device.settle(id)
        #expect(unread() == [])
        // The set is the same as before.
        save(#""potion","sword","potion""#)
        try device.settle(id)
        #expect(unread() == said)
        device.engine.noteUnread(id)
        save(#""potion","sword","potion","bow""#)
        try device.settle(id)
        #expect(unread() == said)
        save(#""potion","sword","bow""#)
        try device.settle(id)
        #expect(unread() == [])
    }
}
