import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import ProfileKeeping

/// A save that held less is set aside, and the file shows what it had: to the byte, with what is the device's own.
@Suite struct SetAsideFileTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private static let path = "/a/save.json"
    private static let whole = Array(
        """
        {
          "coins": 305,
          "level": 7,
          "inv": [{"id": "s", "count": 5, "fav": true}, {"id": "h", "count": 2}],
          "opt": {"vol": 0.5, "keys": {"jump": "space"}}
        }

        """.utf8)

    private func device() throws -> (device: Device, id: ProfileID) {
        let files = MemoryFiles()
        var device = try Device(files, MemoryRecord(power: files.power), path: Self.path, number: 1)
        files.saveByRename(Self.whole, at: Self.path)
        let merges: [(String, MergeRule.Merge)] = [
            ("/coins", .counter), ("/level", .max), ("/inv[id]/count", .counter), ("/inv[id]/fav", .local),
            ("/opt/**", .local),
        ]
        let rules = try RuleSet(
            merges.map { RuleSet.Entry(try RulePattern(parsing: $0.0), MergeRule($0.1)) })
        let id = try device.engine.add(
            file: Self.path, name: "test", rules: rules,
            ids: FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1)), now: device.now)
        try device.settle(id)
        return (device, id)
    }

    @Test(
        arguments: [
            "{}", #"{"coins":0,"level":1}"#, #"{"coins":0,"level":1,"inv":[],"opt":{"vol":1,"keys":{}}}"#,
        ], [false, true])
    func theFileShowsWhatItHad(save: String, isKilled: Bool) throws {
        var (device, id) = try device()
        device.engine.files.saveByRename(Array(save.utf8), at: Self.path)
        if isKilled {
            // The save is taken up, and Hearth ends before it writes the file.
            _ = try device.engine.ingest(id, now: device.now)
            device = try Device(device.engine.files, device.engine.store, path: Self.path, number: 1)
        }
        try device.settle(id)
        #expect(device.engine.profiles[id]?.notices.question != nil)
        #expect(device.engine.files.bytes(at: Self.path) == Self.whole)
        try device.engine.keepState(id)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: Self.path) == Self.whole)
    }

    /// A game writes its defaults, and then what it had in memory, before Hearth may write the file.
    @Test(arguments: [false, true]) func aGameThatGoesOnFromMemoryCountsOnce(isAnswered: Bool) throws {
        var (device, id) = try device()
        let played = String(decoding: Self.whole, as: UTF8.self).replacing("305", with: "309")
        device.engine.files.saveByRename(Array(#"{"coins":0,"level":1,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        #expect(device.engine.profiles[id]?.notices.question != nil)
        if isAnswered {
            try device.engine.keepState(id)
            device = try Device(device.engine.files, device.engine.store, path: Self.path, number: 1)
        }
        device.engine.files.saveByRename(Array(played.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        try device.settle(id)
        #expect(device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) } == played)
    }

    /// The player says that the defaults were meant, while the game runs, and it goes on from them.
    @Test func whatIsPlayedAfterAnAcceptedSaveCounts() throws {
        var (device, id) = try device()
        let defaults = Array(#"{"coins":0,"level":1,"inv":[]}"#.utf8)
        device.engine.files.saveByRename(defaults, at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        try device.engine.restore(id, try JSONDocument(parsing: defaults), now: device.now)
        device.engine.files.saveByRename(Array(#"{"coins":7,"level":2,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        try device.settle(id)
        let text = try #require(device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) })
        #expect(text.contains(#""coins":7,"level":2"#), "\(text)")
    }

    /// A game that begins anew goes on from its defaults, before Hearth may write the file.
    @Test func aGameThatGoesOnFromItsDefaultsIsNotTakenForTheOther() throws {
        var (device, id) = try device()
        device.engine.files.saveByRename(Array(#"{"coins":0,"level":1,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        device.engine.files.saveByRename(Array(#"{"coins":4,"level":1,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        try device.settle(id)
        let text = try #require(device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) })
        #expect(text.contains(#""coins":309"#) || text.contains(#""coins": 309"#), "\(text)")
    }

    /// It holds what came in meanwhile as well.
    @Test func whatCameInIsInItAsWell() throws {
        var (device, id) = try device()
        let others = MemoryFiles()
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        others.saveByRename(
            Array(#"{"coins":315,"level":7,"inv":[{"id":"s","count":5},{"id":"h","count":2}]}"#.utf8), at: other.path)
        try other.settle(id)
        device.engine.files.saveByRename(Array("{}".utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        _ = try device.joinAndWrite(id, from: other)
        try device.settle(id)
        let text = String(decoding: Self.whole, as: UTF8.self).replacing("305", with: "315")
        #expect(device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) } == text)
    }

    /// What came in meanwhile is written together with what the file had, and then the game saves from memory, where it has
    /// only the latter.
    @Test(arguments: [false, true]) func aGameThatGoesOnFromMemoryHadNotReadWhatCameIn(isKilled: Bool) throws {
        var (device, id) = try device()
        let others = MemoryFiles()
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        others.saveByRename(
            Array(#"{"coins":315,"level":8,"inv":[{"id":"s","count":5},{"id":"h","count":2}]}"#.utf8), at: other.path)
        try other.settle(id)
        device.engine.files.saveByRename(Array(#"{"coins":0,"level":1,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        try device.join(id, from: other)
        try device.settle(id)
        if isKilled { device = try Device(device.engine.files, device.engine.store, path: Self.path, number: 1) }
        let played = String(decoding: Self.whole, as: UTF8.self).replacing("305", with: "309")
        device.engine.files.saveByRename(Array(played.utf8), at: Self.path)
        try device.settle(id)
        let text = played.replacing("309", with: "319").replacing("7", with: "8")
        #expect(device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(device.engine.profiles[id]?.notices.question?.reason != .heldLess(.afterEmpty))
    }

    /// Just when what the file had is put back, the game saves from memory.
    @Test func aSaveThatIsSwappedAwayGoesOnFromMemoryToo() throws {
        var (device, id) = try device()
        device.engine.files.saveByRename(Array(#"{"coins":0,"level":1,"inv":[]}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        let (files, played) = (
            device.engine.files, String(decoding: Self.whole, as: UTF8.self).replacing("305", with: "309")
        )
        files.power.setHook { operation throws(StorageFault) in
            guard case .exchange = operation else { return }
            files.saveByRename(Array(played.utf8), at: Self.path)
        }
        _ = device.project(id)
        files.power.setHook(nil)
        try device.settle(id)
        #expect(files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) } == played)
        #expect(device.engine.profiles[id]?.notices.question?.reason != .heldLess(.afterEmpty))
    }

    /// The game goes on from what was set aside, and saves settings of its own: they stay.
    @Test func whatTheGameSavesAfterwardsStays() throws {
        var (device, id) = try device()
        device.engine.files.saveByRename(Array(#"{"coins":0,"level":1}"#.utf8), at: Self.path)
        _ = try device.engine.ingest(id, now: device.now)
        let next = #"{"coins":2,"level":1,"opt":{"vol":0.9}}"#
        device.engine.files.saveByRename(Array(next.utf8), at: Self.path)
        try device.settle(id)
        let file = device.engine.files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(file.contains(#""vol":0.9"#), "\(file)")
    }
}
