import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Atoms as a broken or hostile peer may send them: nothing traps, nothing damages a file.
@Suite struct HostileAtomTests {
    static let kinds = (0...255).map { AtomKind(rawValue: UInt8($0)) }

    private func states(_ rules: RuleSet = .empty, _ save: String = #"{"a":1,"inv":[{"id":1,"n":1}]}"#) -> Device {
        Device.household(1, rules, sharing: save)[0]
    }

    private func receive(_ device: inout Device, _ atoms: [(AtomKey, AtomContent)], from number: Int = 50) {
        let replica = MergeCoreTests.replica(number)
        let next = device.state.vector.sequence(of: replica) + 1
        let keyed = atoms.map { KeyedAtom($0.0, Atom($0.1, Dot(replica: replica, sequence: next))) }
        device.state.join(keyed, vector: VersionVector([replica: .init(sequence: next, history: 1)]))
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededRandom(seed: 7)
        var readable = 0
        let seeds = [
            [], [0], Array("1".utf8), Array("1 2".utf8), Array("-1 2".utf8), Array("\"2020-01-01\"".utf8),
            Array(repeating: 0xFF, count: 8),
        ]
        for round in 0..<20_000 {
            var bytes = random.pick(seeds)
            for _ in 0..<random.below(12) { bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count + 1)) }
            let sub: [UInt8] = random.chance(50) ? [] : random.pick(seeds)
            let key = AtomKey(
                DocumentPath(encoded: random.pick([[], Array("/a".utf8), [0xFF, 0x2F]])), Self.kinds[round % 256],
                sub: sub)
            guard let content = try? AtomContent(encoded: bytes, key: key) else { continue }
            readable += 1
            if !key.kind.isKnown { #expect(content == .opaque(bytes)) }
            let again = try? AtomContent(encoded: content.encoded, key: key)
            #expect(again == content, "\(bytes) as \(key.kind) is not read back")
        }
        #expect(readable > 5_000)
    }

    @Test func unknownKindsAreKeptRelayedAndNotShown() {
        var device = states()
        var other = device
        let unknown = Self.kinds.filter { !$0.isKnown }
        #expect(unknown.count > 200)
        let path = DocumentPath([.member("a")])
        receive(&device, unknown.map { (AtomKey(path, $0), .opaque([1, 2, $0.rawValue])) })
        #expect(device.wouldEdit == 0)
        other.pull(device)
        for kind in unknown {
            #expect(other.state.atom(AtomKey(path, kind))?.content == .opaque([1, 2, kind.rawValue]))
        }
        #expect(other.state.sortedAtoms == device.state.sortedAtoms)
    }

    @Test func countersBeyondAThousandDigitsAreRefused() {
        let path = DocumentPath([.member("a")])
        let digits = String(repeating: "9", count: 1_001)
        for bytes in [
            digits, "\(digits) 0", "0 \(digits)", "1e1000", "1e1000 0", "0 1e999999999999999", "1e-1000 0", "-1 0",
            "0 -1", "1 2 3", "", " ", "1 ",
        ] {
            for sub in [[], replica(1).bytes] {
                let content = try? AtomContent(encoded: Array(bytes.utf8), key: AtomKey(path, .counter, sub: sub))
                #expect(content == nil, "\(bytes.prefix(20)) is taken")
            }
        }
        let most = String(repeating: "9", count: 1_000)
        #expect(
            (try? AtomContent(
                encoded: Array("\(most) \(most)".utf8), key: AtomKey(path, .counter, sub: replica(1).bytes))) != nil)
    }

    @Test func aSetsElementMustBeTheOneOfItsKey() {
        let path = DocumentPath([.member("a")])
        #expect((try? AtomContent(encoded: [0x32], key: AtomKey(path, .union, sub: [0x31]))) == nil)
        #expect(
            (try? AtomContent(encoded: [0, 0, 0, 0, 0, 0, 0, 1, 0x32], key: AtomKey(path, .set, sub: [0x31]))) == nil)
        #expect(
            (try? AtomContent(encoded: Array("1.0".utf8), key: AtomKey(path, .union, sub: [0x31])))
                == .member(json("1.0")))
    }

    @Test func extremesNeverTrap() {
        let all = rules(["/a": .init(.set), "/inv[id]/n": .init(.counter)])
        var device = states(all, #"{"a":["x"],"b":1,"inv":[{"id":1,"n":1}]}"#)
        let element = DocumentPath([.member("inv"), .element(Array("1".utf8))])
        receive(
            &device,
            [
                (AtomKey(DocumentPath([.member("a")]), .set, sub: Array("\"x\"".utf8)), .membership(length: .max, "x")),
                (AtomKey(element, .element), .membership(length: .max, 1)),
                (AtomKey(DocumentPath([.member("b")]), .latest), .register(Stamp(rawValue: .max), 7)),
            ])
        device.project()
        #expect(device.value["b"] == 7)
        device.save(#"{"a":[],"b":8,"inv":[{"id":1,"n":2}]}"#)
        #expect(device.value["b"] == 8)
        device.save(#"{"a":["x"],"inv":[]}"#)
        device.project()
        #expect(device.wouldEdit == 0)
        // Somebody claims the last number of our own replica: nothing is written, nothing traps.
        device.state.join([], vector: VersionVector([device.replica: .init(sequence: .max, history: 0)]))
        let before = device.state.sortedAtoms
        device.save(#"{"b":1}"#)
        #expect(device.state.sortedAtoms == before)
    }

    @Test func forgedElementsDoNotGrowTheFile() {
        let bag = rules(["/inv[id]/n": .init(.latest)])
        let inventory = DocumentPath([.member("inv")])
        let late = Stamp(rawValue: .max - 1)
        func element(_ id: String) -> DocumentPath { inventory.appending(.element(Array(id.utf8))) }
        let attacks: [[(AtomKey, AtomContent)]] = [
            // The key says one thing, the path another.
            [(AtomKey(element("5"), .element), .membership(length: 1, 7))],
            // A leaf of the element renames it.
            [(AtomKey(element("1").appending(.member("id")), .latest), .register(late, 9))],
            [
                (AtomKey(element("6"), .element), .membership(length: 1, 6)),
                (AtomKey(element("6").appending(.member("id")), .latest), .register(late, 1)),
            ],
            // An element that is no object, a membership where no element is, an index where the array is keyed.
            [(AtomKey(element("1"), .latest), .register(late, 3))],
            [(AtomKey(inventory, .element), .membership(length: 2, 1))],
            [(AtomKey(inventory.appending(.index(0)), .latest), .register(late, 3))],
            [(AtomKey(inventory, .latest), .register(late, [1, 2]))],
            [(AtomKey(element("not json"), .element), .membership(length: 1, "x"))],
            [(AtomKey(DocumentPath([.member("a")]), .latest), .register(late, ["b": 1]))],
        ]
        for (number, attack) in attacks.enumerated() {
            var device = states(bag)
            receive(&device, attack)
            device.project()
            device.project()
            #expect(device.wouldEdit == 0, "attack \(number) shows \(device.shown)")
            #expect(keysAreApart(device), "attack \(number) shows \(device.shown)")
        }
    }

    /// A field whose value has the last stamp there is: whoever has read it can still replace it, again and again.
    @Test func theLastStampFreezesNoField() throws {
        let field = AtomKey(DocumentPath([.member("title")]), .latest)
        for end in [Stamp.last.rawValue, .max, .max - 1] {
            var devices = Device.household(2, rules(["/coins": .init(.counter)]), sharing: #"{"title":"a","coins":5}"#)
            receive(&devices[0], [(field, .register(Stamp(rawValue: end), "mine"))])
            settle(&devices)
            #expect(devices.allSatisfy { $0.value["title"] == "mine" })
            for (round, title) in ["b", "c", "d", "e"].enumerated() {
                devices[round % 2].save(#"{"title":"\#(title)","coins":\#(6 + round)}"#)
                settle(&devices)
                for device in devices {
                    #expect(device.value["title"] == .string(JSONString(title)), "\(end): \(device.shown)")
                    #expect(device.value["coins"] == .number(JSONNumber(6 + round)))
                }
            }
            // One epoch was enough: in it, time begins anew.
            #expect(devices[0].state.epochs.count == 1)
            devices[0].save(#"{"coins":9}"#)
            settle(&devices)
            #expect(devices.allSatisfy { $0.value["title"] == nil })
        }
    }

    /// Path and value together nest no deeper than a save that can be read.
    @Test func whatNestsTooDeepForADocumentIsNoAtom() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        func isTaken(_ steps: Int, _ depth: Int, _ kind: AtomKind = .latest) -> Bool {
            let path = DocumentPath(Array(repeating: .member("a"), count: steps))
            let stamp = [UInt8](repeating: 0, count: kind == .latest ? 8 : 0)
            let sub = kind == .latest ? [] : nested(depth)
            return (try? AtomContent(encoded: stamp + nested(depth), key: AtomKey(path, kind, sub: sub))) != nil
        }
        #expect(isTaken(1, 511) && isTaken(505, 7))
        #expect(!isTaken(505, 8) && !isTaken(505, 500) && !isTaken(1, 512))
        // The element of a set stands in an array.
        #expect(isTaken(1, 510, .union) && !isTaken(1, 511, .union))
        // The deepest one that is taken makes a document that is read.
        var device = states()
        let path = DocumentPath(Array(repeating: .member("deep"), count: 505))
        let value = try JSONValue(parsing: nested(7))
        receive(&device, [(AtomKey(path, .latest), .register(Stamp(rawValue: .max), value))])
        let document = try #require(Projection.newDocument(of: device.state))
        _ = try JSONDocument(parsing: document.jsonBytes)
    }

    /// Stamps of a fixed band are refused in every form that begins with one; what honest devices write is below it.
    @Test func stampsBeyondAllClocksAreRefused() {
        let (place, writer) = (DocumentPath([.member("a")]), replica(50))
        func refusal(_ key: AtomKey, _ content: AtomContent) -> String? {
            states().state.refusal(of: [KeyedAtom(key, Atom(content, Dot(replica: writer, sequence: 1)))])
        }
        let beyond = [Stamp.last.rawValue + 1, .max].map(Stamp.init(rawValue:))
        for stamp in [Stamp.live(.max), Stamp.last, Stamp.adopted(.max)] + beyond {
            let contents: [(AtomKey, AtomContent)] = [
                (AtomKey(place, .latest), .register(stamp, 1)), (AtomKey(.name, .latest), .register(stamp, "x")),
                (AtomKey(place, .choice, sub: writer.bytes), .candidate(stamp, 1, replaced: [:])),
                (AtomKey(place, .order, sub: [0x31]), .position(stamp, [1])),
            ]
            for (key, content) in contents {
                #expect((refusal(key, content) == nil) == (stamp <= .last), "\(key.kind) \(stamp)")
            }
        }
        #expect(refusal(AtomKey(place, .set, sub: [0x31]), .membership(length: .max, 1)) == nil, "that is no stamp")
    }

    /// Rules with the last stamp there is: those of an honest device that has read them are of a later generation.
    @Test func theLastStampFreezesNoRules() {
        var devices = Device.household(2, rules(["/coins": .init(.counter)]), sharing: #"{"coins":5}"#)
        var set = ReplicatedRules(rules(["/coins": .init(.max)]), seen: VersionVector())
        set.generation = 7
        receive(&devices[0], [(AtomKey(.rules, .rules), .register(.last, set.json))])
        settle(&devices)
        for kind in [MergeRule(.min), MergeRule(.counter)] {
            let wanted = rules(["/coins": kind])
            _ = devices[1].state.changeRules(to: wanted, document: nil, devices[1].context(devices[1].state.vector))
            settle(&devices)
            #expect(devices.allSatisfy { $0.state.rules == wanted })
        }
    }

    private func keysAreApart(_ device: Device) -> Bool {
        guard case .array(let elements)? = device.value["inv"] else { return false }
        return Set(elements.map { $0["id"] }).count == elements.count && elements.allSatisfy { $0["id"] != nil }
    }
}

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

/// A stored state as a damaged or hostile file may hold it.
@Suite struct HostileStateTests {
    /// Every byte changed in turn, and every truncation: refused, or read as some state that can be asked for all it
    /// has.
    @Test func damagedBytesNeverTrap() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        try devices[0].reset("/coins")
        devices[1].set("coins", 510)
        settle(&devices)
        let bytes = devices[0].state.encoded
        func look(_ bytes: [UInt8]) {
            guard let state = try? ProfileState(decoding: bytes) else { return }
            _ = (state.sortedAtoms.count, state.encoded.count, state.delta(beyond: VersionVector()).count)
            _ = Projection.newDocument(of: state)
        }
        for index in bytes.indices {
            for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                look(damaged)
            }
            look(Array(bytes[..<index]))
        }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: Array(bytes.dropLast())) }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: []) }
    }

    @Test func aReplicaThatTheFileDoesNotListIsRefused() {
        // No replicas, no epochs, no vector, one record: the place "/a" of latest with a dot of replica 0.
        let columns: [[UInt8]] = [[0, 2, 0x2F, 0x61], [0, 0], [1, 2, 0], [0], [1], [0x31]]
        let bytes = Array("HearthS".utf8) + [1, 0, 0, 0, 1] + columns.flatMap { [UInt8($0.count)] + $0 }
        #expect(throws: StateCodingError.self) { try ProfileState(decoding: bytes) }
    }
}
