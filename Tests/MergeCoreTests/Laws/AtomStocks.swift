import LosslessJSON
import MergeCore
import Testing

/// For one kind a few contents that a place may hold, in the order in which the rule must prefer them.
struct AtomStock: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: AtomKind
    /// Each step stands over those before it; contents of one step are equal as far as the rule goes.
    let steps: [[AtomContent]]
    /// Whether peers send such contents only where they are broken.
    let isForged: Bool

    var testDescription: String { name }

    init(_ name: String, _ kind: AtomKind, isForged: Bool = false, _ steps: [[AtomContent]]) {
        (self.name, self.kind, self.steps, self.isForged) = (name, kind, steps, isForged)
    }

    /// The key under which a content of the stock lies.
    func key(_ path: DocumentPath, _ content: AtomContent) -> AtomKey {
        switch content {
        case .position: AtomKey(path, kind, sub: Array("1".utf8))
        case .tally, .candidate, .removal: AtomKey(path, kind, sub: replica(1).bytes)
        case .member(let value): AtomKey(path, kind, sub: value.canonicalBytes)
        case .membership(_, let value) where kind == .set: AtomKey(path, kind, sub: value.canonicalBytes)
        default: AtomKey(path, kind)
        }
    }

    private static let stamps: [Stamp] = [.adopted(9), .live(1), Stamp(rawValue: .max)]

    private static func extrema(_ steps: [JSONValue]...) -> [[AtomContent]] { steps.map { $0.map { .extremum($0) } } }

    private static func pair(_ iso: String, _ spelled: String) -> JSONValue {
        [.string(JSONString(iso)), .string(JSONString(spelled))]
    }

    private static func kind(_ merge: MergeRule.Merge, _ reading: MergeRule.Reading, _ format: String? = nil)
        -> AtomKind
    {
        MergeRule(merge, as: reading, format: format).kind!
    }

    private static let registers: [[AtomContent]] = stamps.map {
        [.register($0, 1), .register($0, 2), .register($0, nil), .register($0, ["x": [1, 2]])]
    }
    private static let scalars: [[AtomContent]] = extrema(
        [.null, [1]],
        [-3],
        [1, json("1.0")],
        [2],
        [json("9007199254740993")],
        [json("9007199254740993.5")],
        ["1"],
        ["b"],
        [false],
        [true]
    )
    private static let numbers: [[AtomContent]] = extrema(
        ["b", .null],
        [-3, "-3.0"],
        [1, "1", "1e0"],
        ["2"],
        ["9007199254740993"],
        ["1e400"]
    )
    private static let dates: [[AtomContent]] = extrema(
        ["no date"],
        [7],
        ["2023-12-31T23:59:59.9Z"],
        ["2024-01-01", "2024-01-01 00:00:00 +0000", "2024-01-01T01:00:00+0100"],
        ["2024-01-02"]
    )
    private static let pairs: [[AtomContent]] = extrema(
        ["2024-01-01"],
        [pair("2023-12-31", "31.12.2023")],
        [pair("2024-01-01", "01.01.2024"), pair("2024-01-01", "1.1.24")],
        [pair("2024-01-02", "02.01.2024")]
    )

    /// What a rule cannot read stays lowest where the smallest wins, too; of values of two types the order is the same.
    private static func falling(_ steps: [[AtomContent]], unread: Int = 1, types: [Int]) -> [[AtomContent]] {
        var result = Array(steps[..<unread])
        var start = unread
        for count in types {
            result += steps[start..<start + count].reversed()
            start += count
        }
        return result
    }

    private static func candidate(_ time: WallTime, _ value: JSONValue?, _ replaced: [Int: UInt64] = [:])
        -> AtomContent
    {
        .candidate(
            .live(time),
            value,
            replaced: Dictionary(uniqueKeysWithValues: replaced.map { (replica($0.key), $0.value) })
        )
    }

    static let all: [AtomStock] = [
        AtomStock("latest", .latest, registers),
        AtomStock("rules", .rules, stamps.map { [.register($0, [:]), .register($0, ["set": 1]), .register($0, nil)] }),
        AtomStock("max", .max, scalars),
        AtomStock("min", .min, falling(scalars, types: [5, 2, 2])),
        AtomStock("max as number", kind(.max, .number), numbers),
        AtomStock("min as number", kind(.min, .number), falling(numbers, types: [5])),
        AtomStock("max as date", kind(.max, .date), dates),
        AtomStock("min as date", kind(.min, .date), falling(dates, types: [1, 3])),
        AtomStock("max as date of a format", kind(.max, .date, "%d.%m.%Y"), pairs),
        AtomStock("min as date of a format", kind(.min, .date, "%d.%m.%Y"), falling(pairs, types: [3])),
        AtomStock(
            "tally",
            .counter,
            [(0, 0), (0, 1), (1, 0), (5, 2), (5, 3)].map { [.tally(earned: .init($0), spent: .init($1))] }
        ),
        AtomStock(
            "tally as number",
            kind(.counter, .number),
            ["0", "0.1", "0.30000000000000004", "1e40"].map { [.tally(earned: .init(text: $0)!, spent: .zero)] }
        ),
        AtomStock(
            "baseline",
            .counter,
            ["-5", "0", "1", "9007199254740993", "1e40"].map { [.baseline(.init(text: $0)!)] }
        ),
        AtomStock("union", .union, [[.member(1), .member(json("1.0")), .member(json("10e-1"))]]),
        AtomStock("union as bits", kind(.union, .bits), [[.member("5"), .member("5")]]),
        AtomStock(
            "set",
            .set,
            [0, 1, 2, 3, .max].map { [.membership(length: $0, 1), .membership(length: $0, json("1.0"))] }
        ),
        AtomStock("element", .element, [0, 1, 2, .max - 1, .max].map { [.membership(length: $0, "id")] }),
        AtomStock("flag", .flag, [[.flag(false)], [.flag(true)]]),
        AtomStock(
            "choice",
            .choice,
            [[candidate(1, "a"), candidate(1, "b", [2: 7])], [candidate(9, nil, [2: 3, 3: 1]), candidate(9, "c")]]
        ),
        AtomStock(
            "furthest",
            .furthest,
            [[candidate(1, ["xp": 5])], [candidate(2, ["xp": 1], [2: 7])], [candidate(3, nil), candidate(3, "none")]]
        ),
        AtomStock("order", .order, stamps.map { [.position($0, [1]), .position($0, [1, 0, 2]), .position($0, [7])] }),
        AtomStock(
            "removal",
            .removal,
            [
                [.removal(Removal()), .removal(Removal(seen: [replica(2): 1]))],
                [.removal(Removal(seen: [replica(1): 7, replica(2): 3], final: [replica(2): 1], number: 1))],
                [.removal(Removal(number: .max)), .removal(Removal(final: [replica(3): .max], number: .max))],
            ]
        ),
        AtomStock("unknown", AtomKind(rawValue: 0x1F), [[.opaque([]), .opaque([1]), .opaque([0, 2])]]),
        AtomStock(
            "unknown reading",
            AtomKind(rawValue: AtomKind.counter.rawValue | 0x60),
            [[.opaque([]), .opaque([0xFF])]]
        ),
        // In the order of the forms.
        AtomStock(
            "mixed up",
            .latest,
            isForged: true,
            [
                [.opaque([1])], [.register(stamps[1], 1)], [.extremum(1)], [.flag(true)],
                [.tally(earned: .zero, spent: .zero)], [.baseline(.zero)], [.member(1)], [.membership(length: 1, 1)],
                [candidate(1, 1)], [.position(stamps[1], [1])],
            ]
        ),
    ]
}
