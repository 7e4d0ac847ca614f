import LosslessJSON
import MergeCore
import Testing

/// What a three-way merge makes of two documents, case by case.
struct MergeTableTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var rules = RuleSet.empty
        var base: String?
        var a: String
        var b: String
        var result: String
        var testDescription: String { name }
        var isLocal: Bool { rules.entries.contains { $0.rule.merge == .local } }
    }

    static let cases: [Case] = [
        Case(
            name: "different members",
            base: #"{"x": 1, "y": 1}"#,
            a: #"{"x": 2, "y": 1}"#,
            b: #"{"x": 1, "y": 2}"#,
            result: #"{"x": 2, "y": 2}"#
        ),
        Case(
            name: "the same member: the later file",
            base: #"{"x": 1}"#,
            a: #"{"x": 2}"#,
            b: #"{"x": 3}"#,
            result: #"{"x": 3}"#
        ),
        Case(
            name: "removed in B",
            base: #"{"x": 1, "y": 2}"#,
            a: #"{"x": 1, "y": 2}"#,
            b: #"{"y": 2}"#,
            result: #"{"y": 2}"#
        ),
        Case(
            name: "removed in A, untouched in B",
            base: #"{"x": 1, "y": 2}"#,
            a: #"{"y": 2}"#,
            b: #"{"x": 1, "y": 2}"#,
            result: #"{"y": 2}"#
        ),
        Case(
            name: "removed in A, changed later in B",
            base: #"{"x": 1, "y": 2}"#,
            a: #"{"y": 2}"#,
            b: #"{"x": 5, "y": 2}"#,
            result: #"{"y": 2, "x": 5}"#
        ),
        Case(
            name: "a purse: earned here, spent there",
            rules: rules(["/coins": .init(.counter)]),
            base: #"{"coins": 100}"#,
            a: #"{"coins": 350}"#,
            b: #"{"coins": 20}"#,
            result: #"{"coins": 270}"#
        ),
        Case(
            name: "a purse without an ancestor: the larger, not the sum",
            rules: rules(["/coins": .init(.counter)]),
            base: nil,
            a: #"{"coins": 100}"#,
            b: #"{"coins": 120}"#,
            result: #"{"coins": 120}"#
        ),
        Case(
            name: "a purse below nothing shows 0",
            rules: rules(["/coins": .init(.counter)]),
            base: #"{"coins": 100}"#,
            a: #"{"coins": 0}"#,
            b: #"{"coins": 10}"#,
            result: #"{"coins": 0}"#
        ),
        Case(
            name: "the higher level of the older file",
            rules: rules(["/level": .init(.max)]),
            base: #"{"level": 3}"#,
            a: #"{"level": 7}"#,
            b: #"{"level": 5}"#,
            result: #"{"level": 7}"#
        ),
        Case(
            name: "a level never falls",
            rules: rules(["/level": .init(.max)]),
            base: #"{"level": 9}"#,
            a: #"{"level": 9}"#,
            b: #"{"level": 5}"#,
            result: #"{"level": 9}"#
        ),
        Case(
            name: "the best lap, 0 is none",
            rules: rules(["/lap": .init(.min, none: [0, .null])]),
            base: nil,
            a: #"{"lap": 0}"#,
            b: #"{"lap": 61.5}"#,
            result: #"{"lap": 61.5}"#
        ),
        Case(
            name: "unlocked on both",
            rules: rules(["/themes": .init(.union)]),
            base: #"{"themes": ["a"]}"#,
            a: #"{"themes": ["b", "a"]}"#,
            b: #"{"themes": ["a", "c"]}"#,
            result: #"{"themes": ["b", "a", "c"]}"#
        ),
        Case(
            name: "a friend removed and one added",
            rules: rules(["/friends": .init(.set)]),
            base: #"{"friends": ["a", "b"]}"#,
            a: #"{"friends": ["b"]}"#,
            b: #"{"friends": ["a", "b", "c"]}"#,
            result: #"{"friends": ["b", "c"]}"#
        ),
        Case(
            name: "once true",
            rules: rules(["/done": .init(.flag)]),
            base: #"{"done": false}"#,
            a: #"{"done": true}"#,
            b: #"{"done": false}"#,
            result: #"{"done": true}"#
        ),
        Case(
            name: "local stays as in A",
            rules: rules(["/settings/**": .init(.local)]),
            base: #"{"settings": {"v": 1}}"#,
            a: #"{"settings": {"v": 1}}"#,
            b: #"{"settings": {"v": 2}}"#,
            result: #"{"settings": {"v": 1}}"#
        ),
        Case(
            name: "a place is one value",
            rules: rules(["/at": .init(.latest, whole: true)]),
            base: #"{"at": {"x": 0, "y": 0}}"#,
            a: #"{"at": {"x": 5, "y": 0}}"#,
            b: #"{"at": {"x": 0, "y": 7}}"#,
            result: #"{"at": {"x": 0, "y": 7}}"#
        ),
        Case(
            name: "things told apart by their id",
            rules: rules(["/bag[id]/n": .init(.counter)]),
            base: #"{"bag": [{"id": "potion", "n": 5}]}"#,
            a: #"{"bag": [{"id": "potion", "n": 3}]}"#,
            b: #"{"bag": [{"id": "rope", "n": 1}, {"id": "potion", "n": 6}]}"#,
            result: #"{"bag": [{"id": "rope", "n": 1}, {"id": "potion", "n": 4}]}"#
        ),
        Case(
            name: "numbers beyond any Double",
            rules: rules(["/n": .init(.counter)]),
            base: #"{"n": 9007199254740993000000000000001}"#,
            a: #"{"n": 9007199254740993000000000000003}"#,
            b: #"{"n": 9007199254740993000000000000005}"#,
            result: #"{"n": 9007199254740993000000000000007}"#
        ),
        Case(
            name: "another kind of thing",
            base: #"{"x": 1}"#,
            a: #"{"x": 1}"#,
            b: #"{"x": {"y": 2}}"#,
            result: #"{"x": {"y": 2}}"#
        ),
        Case(name: "the root itself", base: "1", a: "1", b: "[2]", result: "[2]"),
        Case(
            name: "only a spelling, in B",
            base: #"{"x": 1, "y": [1, 2]}"#,
            a: #"{"x": 1, "y": [1, 2]}"#,
            b: #"{"x": 1.0, "y": [1, 2.00]}"#,
            result: #"{"x": 1.0, "y": [1, 2.00]}"#
        ),
        Case(
            name: "only a spelling, in A",
            base: #"{"x": 1}"#,
            a: #"{"x": 1e0}"#,
            b: #"{"x": 1}"#,
            result: #"{"x": 1e0}"#
        ),
        Case(
            name: "another spelling in each",
            base: #"{"x": 1}"#,
            a: #"{"x": 1e0}"#,
            b: #"{"x": 1.0}"#,
            result: #"{"x": 1e0}"#
        ),
        Case(
            name: "byte order mark and line ends stay",
            base: "\u{FEFF}{\r\n  \"x\": 1\r\n}\r\n",
            a: "\u{FEFF}{\r\n  \"x\": 1\r\n}\r\n",
            b: "{\"x\":2}",
            result: "\u{FEFF}{\r\n  \"x\": 2\r\n}\r\n"
        ),
        Case(
            name: "an element removed in A, in which B only lowered what its rule keeps: gone",
            rules: rules(["/bag[id]/best": .init(.max), "/won": .init(.union)]),
            base: #"{"bag": [{"id": 1, "best": 3}, {"id": 2, "best": 1}], "won": []}"#,
            a: #"{"bag": [{"id": 2, "best": 1}], "won": []}"#,
            b: #"{"bag": [{"id": 1, "best": 2}, {"id": 2, "best": 1}], "won": [8, 9]}"#,
            result: #"{"bag": [{"id": 2, "best": 1}], "won": [8, 9]}"#
        ),
        Case(
            name: "an object removed in A, in which B only lowered what its rule keeps: gone",
            rules: rules(["/seasons/*/best": .init(.max), "/won": .init(.union)]),
            base: #"{"seasons": {"s1": {"best": 3}, "s2": {"best": 1}}, "won": []}"#,
            a: #"{"seasons": {"s2": {"best": 1}}, "won": []}"#,
            b: #"{"seasons": {"s1": {"best": 2}, "s2": {"best": 1}}, "won": [8, 9]}"#,
            result: #"{"seasons": {"s2": {"best": 1}}, "won": [8, 9]}"#
        ),
        Case(
            name: "an object removed in A, and emptied in B of what its rule puts back: gone",
            rules: rules(["/seen/*": .init(.flag)]),
            base: #"{"seen": {"intro": false}, "x": 1, "y": 1, "z": 1}"#,
            a: #"{"x": 1, "y": 1, "z": 1}"#,
            b: #"{"seen": {}, "x": 1, "y": 2, "z": 1}"#,
            result: #"{"x": 1, "y": 2, "z": 1}"#
        ),
        Case(
            name: "an element removed in A, in which B lowered one thing and changed another: whole",
            rules: rules(["/bag[id]/best": .init(.max), "/won": .init(.union)]),
            base: #"{"bag": [{"id": 1, "best": 3, "n": 1}, {"id": 2, "best": 1}], "won": []}"#,
            a: #"{"bag": [{"id": 2, "best": 1}], "won": []}"#,
            b: #"{"bag": [{"id": 1, "best": 2, "n": 5}, {"id": 2, "best": 1}], "won": [8, 9]}"#,
            result: #"{"bag": [{"id": 1, "best": 3, "n": 5}, {"id": 2, "best": 1}], "won": [8, 9]}"#
        ),
    ]

    @Test(arguments: cases) func gives(_ it: Case) throws {
        let result = try merge(it.a, it.b, base: it.base, rules: it.rules)
        #expect(result == it.result)
    }

    /// A file merged with itself is itself, byte for byte, with and without an ancestor.
    @Test(arguments: cases) func withItself(_ it: Case) throws {
        #expect(try merge(it.a, it.a, rules: it.rules) == it.a)
        #expect(try merge(it.a, it.a, base: it.a, rules: it.rules) == it.a)
    }

    /// Both orders give the same values, wherever nothing is local.
    @Test(arguments: cases.filter { !$0.isLocal }) func inBothOrders(_ it: Case) throws {
        let one = try document(merge(it.a, it.b, base: it.base, rules: it.rules, times: (100, 200)))
        let other = try document(merge(it.b, it.a, base: it.base, rules: it.rules, times: (200, 100)))
        #expect(Self.sorted(one.value(one.root)) == Self.sorted(other.value(other.root)))
    }

    @Test func latest_earlierFileLoses() throws {
        #expect(try merge(#"{"x": 2}"#, #"{"x": 3}"#, base: #"{"x": 1}"#, times: (200, 100)) == #"{"x": 2}"#)
        #expect(try merge(#"{"x": 2}"#, #"{"x": 3}"#, times: (200, 100)) == #"{"x": 2}"#)
    }

    @Test func latest_atEqualTimes_bWins() throws {
        #expect(try merge(#"{"x": 2}"#, #"{"x": 3}"#, base: #"{"x": 1}"#, times: (100, 100)) == #"{"x": 3}"#)
        #expect(try merge(#"{"x": 3}"#, #"{"x": 2}"#, base: #"{"x": 1}"#, times: (100, 100)) == #"{"x": 2}"#)
        #expect(try merge(#"{"x": 3}"#, #"{"x": 2}"#, times: (100, 100)) == #"{"x": 2}"#)
        #expect(try merge(#"{"x": 3}"#, #"{"x": 2}"#, times: (-5, 0)) == #"{"x": 2}"#)
    }

    /// The order inside sets and keyed arrays is presentation.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements):
            .array(elements.map(sorted).sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) })
        case .object(let members): .object(members.map { JSONMember(key: $0.key, value: sorted($0.value)) })
        default: value
        }
    }
}
