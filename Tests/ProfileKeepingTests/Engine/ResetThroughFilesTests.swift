import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

/// Resets through files and records: the game's own field, a game that goes on from memory, a crash in between.
@Suite struct ResetThroughFilesTests {
    typealias Kept = TestDevice<MemoryFiles, MemoryRecord>

    static var rules: RuleSet {
        get throws {
            try RuleSet(
                TestDevice<MemoryFiles, MemoryRecord>.rules.entries,
                resets: [Reset("progress", [RulePattern(parsing: "/coins"), RulePattern(parsing: "/level")])],
                resetAt: "/again")
        }
    }

    private func save(_ coins: Int, _ level: Int, again: String = "null", lap: String = "1.50") -> [UInt8] {
        let lines = [
            "\"name\": \"Ada\"", "\"coins\": \(coins)", "\"level\": \(level)", "\"lap\": \(lap)", "\"again\": \(again)",
        ]
        return Array("{\n  \(lines.joined(separator: ",\n  "))\n}\n".utf8)
    }

    /// Two devices that keep one profile.
    private func household() throws -> (a: Kept, b: Kept, id: ProfileID) {
        var a = try Kept(MemoryFiles(), MemoryRecord(), path: "/a/save.json", number: 1)
        a.engine.files.saveByRename(save(500, 30), at: a.path)
        let ids = FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1))
        let id = try a.engine.add(file: a.path, name: "test", rules: Self.rules, ids: ids, now: a.now)
        var b = try Kept(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        try b.restore(id, from: a)
        try a.settle(id)
        return (a, b, id)
    }

    private func value(_ device: Kept) throws -> JSONValue {
        try JSONValue(parsing: try #require(device.engine.files.bytes(at: device.path)))
    }

    @Test func theGamesOwnResetFieldReachesTheOtherDevice() throws {
        var (a, b, id) = try household()
        a.engine.files.saveByRename(save(3, 1, again: "true"), at: a.path)
        try a.settle(id)
        #expect(a.engine.profiles[id]?.file.status == .good)
        try b.join(id, from: a)
        try b.settle(id)
        #expect(try value(b)["coins"] == 3 && value(b)["level"] == 1)
        #expect(try value(b)["again"] == nil, "the field stays on its device")
        // A reset happens when the field changes, not while it stays set: later play counts.
        a.engine.files.saveByRename(save(10, 2, again: "true"), at: a.path)
        try a.settle(id)
        b.engine.files.saveByRename(Array(#"{"name":"Ada","coins":4,"level":3,"lap":1.50}"#.utf8), at: b.path)
        try b.settle(id)
        try b.join(id, from: a)
        try b.settle(id)
        try a.join(id, from: b)
        try a.settle(id)
        #expect(try value(a)["coins"] == 11 && value(a)["level"] == 3)
        #expect(try value(b)["coins"] == 11 && value(b)["level"] == 3)
    }

    /// The game has the file open while Hearth writes what the other device earned, and then starts over in it.
    @Test func aResetInASwappedAwayFileKeepsWhatWasThereBefore() throws {
        var (a, b, id) = try household()
        let handle = try #require(a.engine.files.holdOpen(a.path))
        b.engine.files.saveByRename(save(510, 30), at: b.path)
        try b.settle(id)
        try a.join(id, from: b)
        #expect(a.project(id) == .written)
        a.engine.files.write(save(507, 31), into: handle)
        try a.engine.clearDisplaced(id, now: a.now + ProfileEngine<MemoryFiles, MemoryRecord>.displacedTime)
        a.engine.files.write(save(3, 1, again: "true"), into: handle)
        a.engine.files.release(handle)
        try a.settle(id)
        try b.join(id, from: a)
        try b.settle(id)
        for device in [a, b] { #expect(try value(device)["coins"] == 3 && value(device)["level"] == 1) }
        let kept = a.engine.files.backupContents(of: id).compactMap { try? JSONValue(parsing: $0)["coins"] }
        #expect(Set(kept).isSuperset(of: [500, 507, 510]), "\(kept)")
    }

    /// Without the field the same save is a regressed one, and no edit.
    @Test func withoutTheFieldTheSameSaveIsNoReset() throws {
        var (a, _, id) = try household()
        a.engine.files.saveByRename(save(0, 1), at: a.path)
        #expect(try a.engine.ingest(id, now: a.now) == .questioned)
        try a.settle(id)
        #expect(try value(a)["coins"] == 500 && value(a)["level"] == 30)
    }

    @Test func aRegressedSaveCanBeMeant() throws {
        var (a, b, id) = try household()
        a.engine.files.saveByRename(save(0, 1), at: a.path)
        try a.settle(id)
        try a.engine.reset(id, .everything, to: JSONDocument(parsing: save(0, 1)), now: a.now)
        try a.settle(id)
        try b.join(id, from: a)
        try b.settle(id)
        #expect(try value(b)["coins"] == 0 && value(b)["level"] == 1)
    }

    /// The game runs on with its old progress in memory, over a restart of the agent as well.
    @Test(arguments: [true, false]) func aGameThatGoesOnFromMemoryBringsNothingBack(resetHere: Bool) throws {
        var (a, b, id) = try household()
        let selector = PathSelector(patterns: try Self.rules.resets[0].patterns)
        if resetHere {
            try a.engine.reset(id, selector, now: a.now)
        } else {
            try b.engine.reset(id, selector, now: b.now)
        }
        try b.settle(id)
        for step in 1...3 {
            if !resetHere { try a.join(id, from: b) }
            try a.settle(id)
            #expect(try value(a)["coins"] == 0 && value(a)["level"] == nil, "step \(step)")
            a.engine.files.saveByRename(save(500 + 10 * step, 30 + step, lap: "1.4\(step)"), at: a.path)
            a.engine = try ProfileEngine(files: a.engine.files, store: a.engine.store)
            _ = a.engine.recover(id, now: a.now)
            try a.settle(id)
            #expect(a.engine.profiles[id]?.remark?.contains("put aside") == true)
            try b.join(id, from: a)
            try b.settle(id)
            for device in [a, b] { #expect(try value(device)["coins"] == 0 && value(device)["level"] == nil) }
            #expect(
                try value(b)["lap"] == (try JSONValue(parsing: Array("1.4\(step)".utf8))),
                "what was not reset is an edit"
            )
        }
    }

    @Test func aRestoreReachesBothAndStays() throws {
        var (a, b, id) = try household()
        b.engine.files.saveByRename(save(700, 31), at: b.path)
        try b.settle(id)
        try a.engine.restore(id, JSONDocument(parsing: save(100, 10)), now: a.now)
        try a.settle(id)
        try a.join(id, from: b)
        try b.join(id, from: a)
        try a.settle(id)
        try b.settle(id)
        for device in [a, b] { #expect(try value(device)["coins"] == 100 && value(device)["level"] == 10) }
        #expect(a.engine.profiles[id]?.remark?.contains("put aside") == true, "what b had earned apart is named")
    }

    /// Two profiles become one: a reset that one of them had says nothing about what the other held.
    @Test(arguments: [true, false]) func joiningTwoProfilesKeepsWhatEitherHeld(keptWasReset: Bool) throws {
        var a = try Kept(MemoryFiles(), MemoryRecord(), path: "/a/save.json", number: 1)
        a.engine.files.saveByRename(save(500, 30), at: a.path)
        a.engine.files.saveByRename(save(80, 3), at: "/a/other.json")
        func add(_ path: String, _ number: UInt64) throws -> ProfileID {
            let ids = FreshIDs(profile: ProfileID(random: number, 2), replica: ReplicaID(high: number, low: 1))
            return try a.engine.add(file: path, name: "test", rules: Self.rules, ids: ids, now: a.now)
        }
        let (first, second) = (try add(a.path, 1), try add("/a/other.json", 2))
        let selector = PathSelector(patterns: try Self.rules.resets[0].patterns)
        try a.engine.reset(keptWasReset ? second : first, selector, now: a.now)
        let (coins, level) = keptWasReset ? (500, 30) : (80, 3)
        try a.engine.unbind(second)
        try a.engine.bind(second, to: a.path, now: a.now)
        #expect(a.engine.profiles[second]?.file.path == a.path && a.engine.profiles.target(of: first) == second)
        try a.settle(second)
        #expect(try value(a)["coins"] == .number(JSONNumber(coins)) && value(a)["level"] == .number(JSONNumber(level)))
    }

    /// Where no epoch can begin any more, the game's reset is an ordinary save, and its other edits count once.
    @Test func aResetThatCannotBeginCountsNothingTwice() throws {
        var (a, _, id) = try household()
        let rules = try RuleSet(
            [RuleSet.Entry(RulePattern(parsing: "/coins"), MergeRule(.counter))],
            resets: [Reset("name", [RulePattern(parsing: "/name")])], resetAt: "/again")
        try a.engine.changeRules(id, to: rules, now: a.now)
        try a.settle(id)
        // A peer claims the last of all epochs.
        let (peer, known) = (ReplicaID(high: 9, low: 9), try #require(a.engine.profiles[id]).state.vector)
        let last = EpochID(number: .max, kind: .reset, stamp: Stamp(rawValue: 0), origin: peer)
        let epoch = Epoch(selector: PathSelector(places: [DocumentPath([.member("other")])]), seen: [:])
        let key = AtomKey(.epochs, .epoch, sub: last.bytes + peer.bytes)
        let to = known.joined(VersionVector([peer: .init(sequence: 1, history: 1)]))
        let atom = KeyedAtom(key, Atom(.epoch(epoch), Dot(replica: peer, sequence: 1)))
        _ = try a.engine.join(
            id, atoms: [atom], from: known, to: to, freshReplica: ReplicaID(high: 8, low: 8), now: a.now)
        try a.settle(id)
        a.engine.files.saveByRename(save(510, 30, again: "true"), at: a.path)
        try a.settle(id)
        #expect(try value(a)["coins"] == 510)
        let total = try #require(a.engine.profiles[id]).state.value(at: DocumentPath([.member("coins")]))
        #expect(total == 510)
    }
}
