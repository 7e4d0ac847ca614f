import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Epochs as a broken or hostile peer may declare them.
@Suite struct HostileEpochTests {
    private func atom(_ text: String, sub: [UInt8]? = nil, path: DocumentPath = .epochs) -> Atom? {
        let id = EpochID(number: 1, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica(3))
        let key = AtomKey(path, .epoch, sub: sub ?? id.bytes + replica(3).bytes)
        return try? Atom(encoded: Array(text.utf8), key: key, dot(3, 1))
    }

    @Test func whatIsNoEpochIsRefused() {
        let good = #"{"patterns":["/coins"],"places":["/a"],"seen":{}}"#
        #expect(atom(good) != nil)
        #expect(atom(good, sub: []) == nil && atom(good, sub: Array(repeating: 9, count: 49)) == nil)
        #expect(atom(good, path: DocumentPath([.member("a")])) == nil)
        for text in [
            "", "[]", "1", #"{"patterns":["coins"]}"#, #"{"places":["no/slash"]}"#, ##"{"places":["#rules"]}"##,
            #"{"seen":{"xx":1}}"#, #"{"seen":{"00000000000000000000000000000003":-1}}"#,
        ] {
            #expect(atom(text) == nil, "\(text)")
        }
        let many = (0...PathSelector.patternLimit).map { "\"/p\($0)\"" }.joined(separator: ",")
        #expect(atom(#"{"patterns":[\#(many)]}"#) == nil)
        let deep = (0..<11).map { "\"" + String(repeating: "/**/x", count: 10) + "/\($0)\"" }
        #expect(atom(#"{"patterns":[\#(deep.prefix(10).joined(separator: ","))]}"#) != nil)
        #expect(atom(#"{"patterns":[\#(deep.joined(separator: ","))]}"#) == nil)
    }

    private func declaration(of patterns: [RulePattern], by writer: Int, _ number: UInt64) -> KeyedAtom {
        let id = EpochID(number: number, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica(3))
        return KeyedAtom(
            AtomKey(.epochs, .epoch, sub: id.bytes + replica(writer).bytes),
            Atom(
                .epoch(Epoch(selector: PathSelector(patterns: patterns), seen: [:])),
                Dot(replica: replica(writer), sequence: number)))
    }

    /// What the epochs of one replica name is bounded over all of them. The same part may start over without end, and
    /// devices that were told different epochs accept one another.
    @Test func patternsOfManyEpochs() throws {
        let many = try (0..<60).map { try RulePattern(parsing: "/p\($0)/**/x/**/y") }
        var state = Device.household(1, rules([:]), sharing: #"{"p0":{"x":{"y":1}}}"#)[0].state
        let first = declaration(of: Array(many.prefix(50)), by: 50, 1)
        #expect(state.refusal(of: [first]) == nil)
        state.join([first], vector: VersionVector([replica(50): .init(sequence: 1, history: 1)]))
        let second = declaration(of: Array(many.suffix(10)), by: 50, 2)
        #expect(state.refusal(of: [second])?.contains("100 steps \"**\"") == true)
        #expect(state.refusal(of: [declaration(of: Array(many.suffix(10)), by: 51, 2)]) == nil)
        #expect(state.refusal(of: (2..<100).map { declaration(of: Array(many.prefix(50)), by: 50, $0) }) == nil)
        let halves = [many.prefix(30), many.suffix(30)].enumerated().map {
            declaration(of: Array($1), by: 52, UInt64($0) + 1)
        }
        #expect(state.refusal(of: halves) != nil && halves.allSatisfy { state.refusal(of: [$0]) == nil })
        // What others would refuse is not begun here.
        let context = WriteContext(replica: replica(50), now: 1, fileTime: 1, base: state.vector)
        #expect(throws: EpochError.self) {
            try state.reset(PathSelector(patterns: Array(many.suffix(10))), context)
        }
        #expect(throws: Never.self) { try state.reset(PathSelector(patterns: Array(many.prefix(10))), context) }
    }

    private func declaration(_ number: UInt64, by writer: Int = 50, _ sequence: UInt64 = 1) -> KeyedAtom {
        let id = EpochID(number: number, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica(3))
        let epoch = Epoch(selector: .everything, seen: [:])
        return KeyedAtom(
            AtomKey(.epochs, .epoch, sub: id.bytes + replica(writer).bytes),
            Atom(.epoch(epoch), Dot(replica: replica(writer), sequence: sequence)))
    }

    /// An epoch that leaves no room for a later one is refused before it is joined, however it is hidden among others.
    @Test func epochsFarBeyondTheLastOneAreRefused() throws {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":5}"#)
        try devices[0].reset("/coins")
        settle(&devices)
        let state = devices[1].state
        let gap = ProfileState.epochGap
        #expect(state.refusal(of: [declaration(2)]) == nil && state.refusal(of: [declaration(1 + gap)]) == nil)
        for number in [.max, 1 << 48, 2 + gap] {
            #expect(state.refusal(of: [declaration(number)]) != nil, "\(number)")
            #expect(state.refusal(of: [declaration(2), declaration(number)]) != nil || number == 2 + gap)
        }
        // Two devices that were told different epochs, each of them in bounds, accept one another.
        let (low, high) = (declaration(1 + gap / 2), declaration(1 + gap, by: 51))
        var other = state
        other.join([low], vector: VersionVector([replica(50): .init(sequence: 1, history: 1)]))
        #expect(other.refusal(of: [high]) == nil)
        #expect(other.refusal(of: [declaration(1 + gap + gap / 2, by: 52)]) == nil)
        // Reset, restore and undo still work beyond the largest one that was taken.
        other.join([high], vector: VersionVector([replica(51): .init(sequence: 1, history: 1)]))
        devices[1].state = other
        try devices[1].reset("/coins")
        devices[1].project()
        #expect(devices[1].value["coins"] == nil || devices[1].value["coins"] == 0)
    }

    @Test func aWriteInAnEpochThatNobodyDeclaredIsRefused() throws {
        let devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":5}"#)
        let declared = declaration(1)
        let id = try #require(EpochKey(declared.key.sub)?.id)
        let write = KeyedAtom(
            AtomKey(DocumentPath([.member("b")]), .latest),
            Atom(.register(Stamp(rawValue: 1), 1), Dot(replica: replica(50), sequence: 2), epoch: id))
        #expect(devices[0].state.refusal(of: [write]) != nil)
        #expect(devices[0].state.refusal(of: [declared, write]) == nil)
    }

    /// What is written again where a game had removed more stands in an epoch just above the one in force, which nobody
    /// declares. Such writes are honest, and a removal after a removal goes another step.
    @Test func aWriteInAnEpochJustAboveADeclaredOneIsTaken() throws {
        let start = #"{"inv":[{"id":1,"n":9}]}"#
        var devices = Device.household(2, rules(["/inv[id]/n": MergeRule(.max)]), sharing: start)
        try devices[0].restore(start)
        devices[0].project()
        settle(&devices)
        var epochs = Set<EpochID>()
        for save in [#"{"inv":[]}"#, #"{"inv":[{"id":1,"n":5}]}"#, #"{"inv":[]}"#, #"{"inv":[{"id":1,"n":2}]}"#] {
            devices[0].save(save)
            let written = devices[0].state.delta(beyond: devices[1].state.vector)
            epochs.formUnion(written.compactMap(\.atom.epoch))
            #expect(devices[1].state.refusal(of: written) == nil, "\(save)")
            settle(&devices)
            #expect(devices.map(\.shown) == [save, save])
        }
        #expect(epochs.count == 3, "the epoch in force and two steps above it: \(epochs)")
    }

    @Test func onlyNearStepsAboveADeclaredEpochAreTaken() throws {
        let devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":5}"#)
        let declared = declaration(1)
        let id = try #require(EpochKey(declared.key.sub)?.id)
        func refusal(_ high: UInt64, _ low: UInt64, number: UInt64 = 1) -> String? {
            let epoch = EpochID(
                number: number, kind: id.kind, stamp: id.stamp,
                origin: ReplicaID(high: id.origin.high &+ high, low: id.origin.low &+ low))
            let write = KeyedAtom(
                AtomKey(DocumentPath([.member("b")]), .latest),
                Atom(.register(Stamp(rawValue: 1), 1), Dot(replica: replica(50), sequence: 2), epoch: epoch))
            return devices[0].state.refusal(of: [declared, write])
        }
        #expect(refusal(0, 0) == nil && refusal(0, 1) == nil && refusal(0, 1 << 20) == nil)
        #expect(refusal(0, 1 << 21) != nil && refusal(1, 0) != nil && refusal(1, 1) != nil)
        #expect(refusal(0, .max) != nil && refusal(.max, .max) != nil && refusal(0, 1, number: 2) != nil)
    }

    /// A reset of an old version counts as declared on a device whose rules no steps lead to from there: who still plays
    /// that version writes in the epoch of the reset, and is honest.
    @Test func aWriteInAnEpochOfAVersionWithoutStepsIsTaken() throws {
        let list: KeyValuePairs<String, MergeRule> = ["/coins": MergeRule(.counter)]
        var devices = Device.household(2, rulesOf(1, [], list), sharing: #"{"v":"1","coins":5}"#)
        try devices[0].reset("/coins")
        settle(&devices)
        let later = try RuleSet(
            rules(list).entries, version: "3", versionAt: "/v",
            migrations: [Migration(from: "2", to: "3", steps: [.rename(at("/gems"), to: "jewels")])])
        _ = devices[0].state.changeRules(to: later, document: nil, devices[0].context(devices[0].state.vector))
        #expect(devices[0].state.epochs.map(\.id) == devices[1].state.epochs.map(\.id))
        devices[1].save(#"{"v":"1","coins":7}"#)
        let written = devices[1].state.delta(beyond: devices[0].state.vector)
        #expect(written.contains { $0.atom.epoch != nil } && !written.contains { $0.key.kind == .epoch })
        #expect(devices[0].state.refusal(of: written) == nil)
        devices.sync(0, 1)
        devices.sync(1, 0)
        #expect(devices[0].state.sortedAtoms == devices[1].state.sortedAtoms)
    }

    /// Hearth's own notes are no part of the document: no epoch covers them.
    @Test func noEpochCoversNotesOrRules() throws {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":5}"#)
        let before = devices[0].state.rules
        _ = devices[0].state.note(.name, "game", devices[0].context(devices[0].state.vector))
        _ = try devices[0].state.reset(.everything, devices[0].context(devices[0].state.vector))
        settle(&devices)
        for device in devices { #expect(device.state.rules == before && device.state.name == "game") }
    }
}
