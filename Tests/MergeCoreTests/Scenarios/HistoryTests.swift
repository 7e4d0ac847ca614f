import LosslessJSON
import MergeCore
import Testing

/// Steps of a profile's history: what they name, what they hold at most, and what their bytes may be.
@Suite struct HistoryTests {
    private let place = DocumentPath([.member("coins")])
    private static let ruleSet = MergeCoreTests.rules([
        "/level": MergeRule(.max), "/best": MergeRule(.min), "/coins": MergeRule(.counter),
        "/themes": MergeRule(.union),
        "/friends": MergeRule(.set), "/done": MergeRule(.flag), "/items[id]/count": MergeRule(.counter),
    ])

    /// What the last write, join or epoch of a device changed.
    private func step(
        _ device: Device, since former: ProfileState, as origin: HistoryEntry.Origin = .save
    ) -> HistoryEntry {
        let keys = device.state.delta(beyond: former.vector).map(\.key)
        return device.state.history(since: former, touching: keys, at: 5, as: origin)
    }

    private func words(_ entry: HistoryEntry) -> [String] {
        entry.changes.map { "\($0.path) \($0.old?.spelled ?? "–") → \($0.new?.spelled ?? "–")" }
    }

    @Test func aSaveNamesWhatItChangedAndNothingElse() {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        let former = devices[0].state
        devices[0].edit { $0.setting("coins", to: 480).setting("level", to: 12).setting("name", to: nil) }
        #expect(words(step(devices[0], since: former)) == ["/coins 500 → 480", "/name \"Ada\" → –"])
    }

    /// A reset writes one atom, and empties many places; each is named.
    @Test func aResetNamesAllThatItEmptied() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        let former = devices.map(\.state)
        try devices[0].reset("/level", "/coins", "/items")
        let expected = ["/coins 500 → 0", "/items/[1] {\"id\":1,\"count\":3} → –", "/level 30 → –"]
        #expect(words(step(devices[0], since: former[0], as: .reset)) == expected)
        // Elsewhere it comes by a merge, and is a reset all the same, by the one who made it.
        devices[1].pull(devices[0])
        let merged = step(devices[1], since: former[1], as: .merge)
        #expect(words(merged) == expected)
        #expect(merged.origin == .reset && merged.writers == [replica(1)])
    }

    @Test func newRulesNameWhatShowsOtherwise() {
        var devices = Device.household(1, .empty, sharing: #"{"laps":[2,1]}"#)
        let former = devices[0].state
        let sorted = rules(["/laps": MergeRule(.union, limit: 1)])
        let context = devices[0].context(former.vector)
        _ = devices[0].state.changeRules(to: sorted, document: devices[0].snapshots[0].document, context)
        #expect(step(devices[0], since: former, as: .rules).changes.map(\.path.description) == ["/laps"])
    }

    /// What went with a container is named under the write that removed it, whether a few containers went or many.
    @Test(arguments: [3, 16, 17, 40]) func containersThatWentAreNamedWithAllInThem(count: Int) throws {
        let towns = (10..<60).map { "\"t\($0)\":{\"n\":\($0)}" }
        var devices = Device.household(2, Self.ruleSet, sharing: "{\(towns.joined(separator: ","))}")
        let former = devices[1].state
        // Each in a save of its own, so that each has a writer's dot of its own.
        for gone in 1...count { devices[0].save("{\(towns.dropFirst(gone).joined(separator: ","))}") }
        devices[1].pull(devices[0])
        let changes = step(devices[1], since: former, as: .merge).changes
        #expect(changes.map(\.path.description) == (10..<10 + count).map { "/t\($0)/n" })
        #expect(changes.allSatisfy { $0.dot.replica == replica(1) })
        #expect(Set(changes.map { $0.dot.sequence }).count == count)
    }

    /// A place that new rules leave to each device is as it was in every file.
    @Test func whatBecomesLocalDidNotGo() {
        var devices = Device.household(1, .empty, sharing: #"{"lives":3,"laps":[2,1]}"#)
        let former = devices[0].state
        let context = devices[0].context(former.vector)
        _ = devices[0].state.changeRules(
            to: rules(["/lives": MergeRule(.local)]), document: devices[0].snapshots[0].document, context)
        #expect(step(devices[0], since: former, as: .rules).changes.isEmpty)
    }

    /// The highest sequence number at a place need not be the write that just came in.
    @Test func aMergeIsWhoseItIs() {
        var devices = Device.household(3, Self.ruleSet, sharing: ResetTests.save)
        for coins in 501...520 { devices[0].set("coins", .number(JSONNumber(coins))) }
        settle(&devices)
        devices[1].edit { $0.setting("coins", to: 500).setting("name", to: "Bo") }
        devices[2].edit { $0.setting("level", to: 99) }
        devices[1].pull(devices[2])
        let former = devices[0].state
        devices[0].pull(devices[1])
        let merged = step(devices[0], since: former, as: .merge)
        #expect(words(merged) == ["/coins 520 → 500", "/level 30 → 99", "/name \"Ada\" → \"Bo\""])
        #expect(merged.writers == [replica(2), replica(3)])
    }

    /// An element that came is named once, not again for each thing in it, and goes with an undo.
    @Test func anElementIsNamedAsAWhole() throws {
        var devices = Device.household(1, Self.ruleSet, sharing: ResetTests.save)
        let former = devices[0].state
        devices[0].edit { $0.setting("items", to: [["id": 1, "count": 4], ["id": 2, "count": 9]]) }
        let entry = step(devices[0], since: former)
        #expect(words(entry) == ["/items/[1]/count 3 → 4", "/items/[2] – → {\"id\":2,\"count\":9}"])
        let context = devices[0].context(devices[0].state.vector)
        _ = try devices[0].state.undo(entry, context)
        devices[0].project()
        #expect(devices[0].value["items"] == [["id": 1, "count": 3]])
    }

    /// An undo is a step as well: taken back, things are as they were after the first.
    @Test func anUndoCanBeUndone() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        var former = devices[0].state
        devices[0].edit {
            $0.setting("coins", to: 700).setting("level", to: 35).setting("themes", to: ["a", "b", "c"])
                .setting("friends", to: nil).setting("name", to: "Bo")
        }
        let after = devices[0].value
        var entry = step(devices[0], since: former)
        for round in 0..<4 {
            settle(&devices)
            former = devices[1].state
            let context = devices[1].context(former.vector)
            _ = try devices[1].state.undo(entry, context)
            entry = step(devices[1], since: former, as: .undo)
            settle(&devices)
            for device in devices {
                #expect(
                    device.value == (round % 2 == 0 ? json(ResetTests.save) : after),
                    "round \(round): \(device.shown)"
                )
            }
        }
    }

    @Test func whatIsTooMuchIsCountedAndNotTakenBack() throws {
        let save = JSONValue.object((0..<740).map { JSONMember(key: JSONString("k\($0)"), value: 1) })
        var devices = Device.household(1, .empty, sharing: "{}")
        let former = devices[0].state
        devices[0].save(document(save), on: devices[0].snapshots[0])
        let entry = step(devices[0], since: former)
        #expect(entry.changes.count == 500 && entry.more == 240)
        #expect(try HistoryEntry(time: 5, origin: .save, encodedChanges: entry.encodedChanges) == entry)
        let context = devices[0].context(devices[0].state.vector)
        let error = #expect(throws: EpochError.self) { _ = try devices[0].state.undo(entry, context) }
        #expect(error?.description.contains("740 places, of which 500 are remembered") == true)
    }

    /// A step is never larger than its limit, whatever the values weigh; from the first that does not fit on, they are
    /// counted.
    @Test func largeValuesAreCountedInstead() throws {
        let long = String(repeating: "x", count: 400_000)
        var devices = Device.household(1, .empty, sharing: "{}")
        let former = devices[0].state
        devices[0].save(#"{"a":"\#(long)","b":"\#(long)","c":"\#(long)","d":1}"#)
        let entry = step(devices[0], since: former)
        #expect(entry.changes.map(\.path.description) == ["/a", "/b"] && entry.more == 2)
        #expect(entry.encodedChanges.count <= HistoryEntry.byteLimit)
    }

    /// A value that no parser reads again inside what surrounds it is counted, not stored: nothing may be stored that
    /// cannot be read.
    @Test func whatNestsTooDeepIsCounted() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let value = try JSONValue(parsing: Array(deep.utf8))
        var device = Device(1)
        let set = rules(["/set": MergeRule(.set)])
        _ = device.state.changeRules(to: set, document: nil, device.context(.init()))
        let former = device.state
        let key = AtomKey(DocumentPath([.member("set")]), .set, sub: value.canonicalBytes)
        let atom = KeyedAtom(key, Atom(.membership(length: 1, value), dot(2, 1)))
        device.state.join([atom], vector: vector([2: 1]))
        let entry = device.state.history(since: former, touching: [key], at: 5, as: .merge)
        #expect(entry.changes.isEmpty && entry.more == 1)
    }

    /// Keys of peers that are no place at all are passed over.
    @Test func whatIsNoPlaceIsNotNamed() {
        var device = Device(1)
        let key = AtomKey(DocumentPath(encoded: Array("no slash".utf8)), .latest)
        device.state.join(
            [KeyedAtom(key, Atom(.register(.live(1), 1), dot(2, 1)))], vector: vector([2: 1]))
        #expect(device.state.history(since: ProfileState(), touching: [key], at: 5).isEmpty)
    }

    // MARK: Bytes

    private var sample: HistoryEntry {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        devices[1].edit { $0.setting("name", to: "\u{1F3AE}").setting("grid", to: nil) }
        devices[0].edit { $0.setting("items", to: [["id": "a/b~", "count": 100]]).setting("level", to: 31) }
        devices[0].pull(devices[1])
        return step(devices[0], since: ProfileState(), as: .merge)
    }

    @Test func itsBytesAreReadBack() throws {
        let entry = sample
        #expect(entry.changes.count > 8 && Set(entry.changes.map(\.dot.replica)).count == 2)
        let read = try HistoryEntry(time: entry.time, origin: entry.origin, encodedChanges: entry.encodedChanges)
        #expect(read == entry)
        for (a, b) in zip(read.changes, entry.changes) {
            #expect(a.old?.spelled == b.old?.spelled && a.new?.spelled == b.new?.spelled)
        }
    }

    /// Lowered places come after the orders, at most five of them, each cut to what the form holds.
    @Test func loweredPlacesAreReadBack() throws {
        let long = String(repeating: "\u{1F3AE}", count: 400)
        let set = rules(["/stars/*": MergeRule(.max)])
        let members = (0..<7).map { #""\#($0 == 0 ? long : "k\($0)")":90"# }.joined(separator: ",")
        let before = #"{"stars":{\#(members)}}"#
        let old = try JSONDocument(parsing: Array(before.utf8))
        let new = try JSONDocument(parsing: Array(before.replacing("90", with: "80").utf8))
        let meaning = SaveMeaning(DocumentDiff(from: old, to: new, rules: set), of: old, rules: set) { _ in false }
        var entry = sample
        entry.name(lowered: meaning.lowered)
        #expect(entry.lowered.count == 5 && entry.moreLowered == 2)
        #expect(entry.lowered.allSatisfy { $0.unicodeScalars.count <= 200 })
        let bytes = entry.encodedChanges
        let read = try HistoryEntry(time: entry.time, origin: entry.origin, encodedChanges: bytes)
        #expect(read == entry)
        for count in 0..<bytes.count {
            #expect(throws: StateCodingError.self) {
                _ = try HistoryEntry(time: 0, origin: .save, encodedChanges: Array(bytes[..<count]))
            }
        }
        // Nothing else is stored in the new form, so that a former Hearth reads it.
        #expect(bytes.first == 3 && [1, 2].contains(sample.encodedChanges.first))
    }

    /// The step of an undo keeps the part of each counter in which it took an amount back.
    @Test func theStepOfAnUndoIsReadBack() throws {
        let entry = try undone
        let bytes = entry.encodedChanges
        #expect(bytes.first == 4)
        let read = try HistoryEntry(time: entry.time, origin: entry.origin, encodedChanges: bytes)
        #expect(read == entry && read.encodedChanges == bytes)
        // Parts are of changes that are there, each at most once, in order.
        let parts = 2 * 26
        for (index, value) in [(parts, 1), (parts, 3), (26, 0), (26, 9), (25, 2), (parts - 1, 7)] as [(Int, UInt8)] {
            var other = bytes
            other[bytes.count - index - (index == parts ? 1 : 0)] = value
            #expect(throws: StateCodingError.self) {
                _ = try HistoryEntry(time: 0, origin: .undo, encodedChanges: other)
            }
        }
    }

    /// Two counters of which a step is taken back.
    private var undone: HistoryEntry {
        get throws {
            let merges = rules(["/coins": MergeRule(.counter), "/gems": MergeRule(.counter)])
            var devices = Device.household(1, merges, sharing: #"{"coins":3,"gems":1,"name":"Ada"}"#)
            let start = devices[0].state
            devices[0].save(#"{"coins":5,"gems":9,"name":"Bo"}"#)
            let played = devices[0].state
            _ = try devices[0].state.undo(step(devices[0], since: start), devices[0].context(played.vector))
            return step(devices[0], since: played)
        }
    }

    /// Cut anywhere it is refused; with any byte changed it is refused or something else, and never a trap.
    @Test(arguments: [false, true]) func damagedBytesAreRefused(isUndone: Bool) throws {
        let bytes = isUndone ? try undone.encodedChanges : sample.encodedChanges
        for count in 0..<bytes.count {
            #expect(throws: StateCodingError.self) {
                _ = try HistoryEntry(time: 0, origin: .save, encodedChanges: Array(bytes[..<count]))
            }
        }
        #expect(throws: StateCodingError.self) {
            _ = try HistoryEntry(time: 0, origin: .save, encodedChanges: bytes + [0])
        }
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 1] as [UInt8] {
                var other = bytes
                other[index] = value
                _ = try? HistoryEntry(time: 0, origin: .save, encodedChanges: other)
            }
        }
    }

    @Test(arguments: [
        [], [2, 0, 0, 0], [2, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 6], [4, 0, 0, 0],
        [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], [1, 0, 0, 0xF5, 3],
        [1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    ]) func hostileBytesAreRefused(_ bytes: [UInt8]) {
        #expect(throws: StateCodingError.self) { _ = try HistoryEntry(time: 0, origin: .save, encodedChanges: bytes) }
    }

    /// No argument: each would be printed, byte by byte.
    @Test func hostileMegabytesAreRefused() {
        let bytes = [UInt8](repeating: 1, count: 1 << 21)
        #expect(throws: StateCodingError.self) { _ = try HistoryEntry(time: 0, origin: .save, encodedChanges: bytes) }
    }

    // MARK: Beside the steps

    /// Each had enough, together they had not; one that alone went below zero is a debt its game allows.
    @Test func aPurseSpentTwiceIsNamed() {
        var devices = Device.household(
            2,
            rules(["/coins": MergeRule(.counter), "/debt": MergeRule(.counter)]),
            sharing: #"{"coins":300,"debt":5}"#
        )
        devices[0].edit { $0.setting("coins", to: 100).setting("debt", to: -20) }
        devices[1].set("coins", 180)
        #expect(devices[0].state.shortfalls.isEmpty)
        settle(&devices)
        for device in devices {
            let found = device.state.shortfalls
            #expect(found.map(\.path) == [place] && found.first?.amount == ExactDecimal(-20))
            #expect(found.first?.spent.map(\.amount.text) == ["200", "120"])
            #expect(device.value["coins"] == 0)
        }
        devices[0].set("coins", 50)
        #expect(devices[0].state.shortfalls.isEmpty, "it was earned back")
    }

    @Test func theLastWriteIsTheNewestStamp() {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        devices[0].set("name", "Bo")
        devices[1].clock += .milliseconds(1_000)
        devices[1].set("name", "Cy")
        let time = devices[1].clock
        devices[0].set("coins", 1)
        settle(&devices)
        #expect(devices[0].state.lastWrite == LastWrite(time: time, replica: replica(2)))
        #expect(ProfileState().lastWrite == nil)
    }
}
