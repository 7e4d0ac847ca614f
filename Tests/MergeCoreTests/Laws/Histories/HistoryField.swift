import LosslessJSON
import TestSupport

@testable import MergeCore

/// A member of a random save: its rules, what it holds at first, and what a game does to it.
struct HistoryField: Sendable {
    /// How the ledger can tell what a place must show from what games wrote.
    enum Account: Sendable { case sum, members, bits, largest, truth }

    let name: String
    /// By what follows the member's path.
    let rules: [(suffix: String, rule: MergeRule)]
    let start: JSONValue
    var account: Account?
    /// Members of one family can take each other's rules.
    var family: String?
    let edit: @Sendable (JSONValue?, inout SeededRandom) -> JSONValue?

    private init(
        _ name: String,
        _ rules: KeyValuePairs<String, MergeRule>,
        _ start: JSONValue,
        _ account: Account? = nil,
        family: String? = nil,
        edit: @escaping @Sendable (JSONValue?, inout SeededRandom) -> JSONValue?
    ) {
        self.name = name
        self.rules = rules.map { ($0.key, $0.value) }
        (self.start, self.account, self.family, self.edit) = (start, account, family, edit)
    }

    static let all: [HistoryField] = [
        HistoryField("latest", [:], 1, family: "number", edit: number),
        HistoryField("max", ["": .init(.max)], 3, .largest, family: "number", edit: number),
        HistoryField("min", ["": .init(.min, none: [0])], 0, edit: number),
        HistoryField("counter", ["": .init(.counter)], 10, .sum, family: "number", edit: amount),
        HistoryField("counter", ["": .init(.counter)], 100, .sum, family: "number", edit: amount),
        HistoryField("counter as number", ["": .init(.counter, as: .number)], "10", .sum) { old, random in
            number(amount(number(old), &random)).map { .string(JSONString($0.spelled)) }
        },
        HistoryField("max as number", ["": .init(.max, as: .number)], "1e400", edit: big),
        HistoryField("min as number", ["": .init(.min, as: .number)], "1e400", edit: big),
        HistoryField("max as date", ["": .init(.max, as: .date)], "2024-01-01") { _, random in
            .string(JSONString("202\(random.below(9))-0\(1 + random.below(9))-01"))
        },
        HistoryField("min as date of a format", ["": .init(.min, as: .date, format: "%d.%m.%Y")], "31.12.2023") {
            _,
            random in
            .string(JSONString("0\(1 + random.below(9)).01.202\(random.below(9))"))
        },
        HistoryField("union", ["": .init(.union)], ["a"], .members, family: "list", edit: list),
        HistoryField("sorted union with a limit", ["": .init(.union, sort: "at", limit: 2)], [["at": 1]], .members) {
            old,
            random in
            guard case .array(let all)? = old else { return [["at": number(&random)]] }
            return .array(all + [["at": number(&random), "by": number(&random)]])
        },
        HistoryField("bits", ["": .init(.union, as: .bits)], 5, .bits) { _, random in
            .number(JSONNumber(random.below(64)))
        },
        HistoryField("set", ["": .init(.set)], ["a", "b"], family: "list", edit: list),
        HistoryField("set with a limit", ["": .init(.set, limit: 2)], ["a", "b"], edit: list),
        HistoryField("flag", ["": .init(.flag)], false, .truth) { _, random in
            random.chance(10) ? JSONValue?.none : .bool(random.chance(40))
        },
        HistoryField("furthest", ["": .init(.furthest, by: ["level", "xp"])], ["level": 1, "xp": 1]) { _, random in
            random.chance(10) ? JSONValue?.none : ["level": number(&random), "xp": number(&random)]
        },
        HistoryField("choice", ["": .init(.choice)], "open") { _, random in
            random.chance(10) ? JSONValue?.none : .string(JSONString(random.pick(["good", "bad", "worse"])))
        },
        HistoryField("whole", ["": .init(.latest, whole: true)], ["x": 1, "y": 1]) { _, random in
            random.chance(10) ? JSONValue?.none : ["x": number(&random), "y": number(&random)]
        },
        HistoryField("local", ["": .init(.local)], 1, edit: number),
        HistoryField("free", [:], ["a": ["b": 1], "c": [1]]) { old, random in
            RandomSaves.free(old ?? [:], 3, &random)
        },
        HistoryField("indexed", ["/*": .init(.latest)], [1, 2]) { _, random in
            random.chance(10) ? JSONValue?.none : .array((0..<random.below(4)).map { _ in number(&random) })
        },
        HistoryField(
            "keyed",
            ["[id]/count": .init(.counter), "[id]/marks": .init(.set), "[id]/top": .init(.max)],
            [["id": 1, "count": 2]],
            edit: inventory
        ),
    ]

    // MARK: What games do

    private static func number(_ random: inout SeededRandom) -> JSONValue { .number(JSONNumber(random.below(20))) }

    private static func number(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        random.chance(8) ? JSONValue?.none : number(&random)
    }

    /// A number, or a string that holds one.
    private static func number(_ value: JSONValue?) -> JSONValue? {
        if case .string(let text)? = value { return JSONNumber(text: text.string).map { .number($0) } }
        return value
    }

    /// Something earned, something spent, or all of it gone.
    private static func amount(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .number(let number)? = old, let known = Int(number.text) else {
            return .number(JSONNumber(random.below(20)))
        }
        if random.chance(5) { return nil }
        return .number(JSONNumber(random.chance(60) ? known + random.below(30) : known - random.below(known + 1)))
    }

    private static func big(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        .string(JSONString("\(1 + random.below(9)).5e40\(random.below(9))"))
    }

    private static func list(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .array(var list)? = old, !random.chance(4) else { return random.chance(50) ? JSONValue?.none : [] }
        if random.chance(45), !list.isEmpty { list.remove(at: random.below(list.count)) }
        let new = JSONValue.string(JSONString(random.pick(["a", "b", "c", "d", "e", "f"])))
        if random.chance(70), !list.contains(new) { list.append(new) }
        return .array(list)
    }

    private static func inventory(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .array(var list)? = old, !random.chance(4) else { return [] }
        let index = list.isEmpty ? 0 : random.below(list.count)
        if !list.isEmpty, random.chance(20) {
            list.remove(at: index)
        } else if !list.isEmpty, random.chance(60) {
            let name = random.pick(["count", "top", "name", "marks"])
            let new = name == "marks" ? Self.list(list[index]["marks"], &random) : number(&random)
            list[index] = list[index].setting(JSONString(name), to: new)
        } else {
            let id = random.pick([1, 2, "b"] as [JSONValue])
            guard !list.contains(where: { $0["id"] == id }) else { return old }
            list.append(["id": id, "count": number(&random)])
        }
        return .array(list)
    }
}
