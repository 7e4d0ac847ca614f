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
        for length in [AtomContent.lengthLimit, AtomContent.lengthLimit + 1, .max] {
            let why = refusal(AtomKey(place, .set, sub: [0x31]), .membership(length: length, 1))
            #expect((why == nil) == (length == AtomContent.lengthLimit))
        }
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
