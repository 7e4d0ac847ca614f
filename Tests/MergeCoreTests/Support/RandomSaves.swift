import LosslessJSON
import MergeCore
import TestSupport

/// A save that uses every rule, and random things a game does to it.
enum RandomSaves {
    static let rules = MergeCoreTests.rules([
        "/best": .init(.max), "/low": .init(.min, none: [0]), "/coins": .init(.counter),
        "/gems": .init(.counter, as: .number), "/seen": .init(.max, as: .date), "/huge": .init(.max, as: .number),
        "/tags": .init(.union), "/friends": .init(.set), "/done": .init(.flag), "/secret": .init(.local),
        "/settings/**": .init(.local), "/settings/sound": .init(.latest), "/pos": .init(.latest, whole: true),
        "/inv[id]/count": .init(.counter), "/inv[id]/marks": .init(.set), "/inv[id]/level": .init(.max),
        "/inv[id]/parts[p]/n": .init(.latest), "/row/*": .init(.latest), "/tracks/*/top": .init(.max),
    ])

    static let start = #"""
        {
          "best": 3, "low": 0, "coins": 100, "gems": "5", "seen": "2024-01-01", "huge": "1e400",
          "tags": ["a"], "friends": ["x", "y"], "done": false, "secret": 1,
          "settings": {"sound": 1, "size": [1, 2]},
          "pos": {"x": 1, "y": 2},
          "inv": [{"id": 1, "count": 2, "name": "axe"}, {"id": "b", "count": 1, "parts": [{"p": 1, "n": 1}]}],
          "row": [1, 2, 3], "tracks": [{"top": 1}, {"top": 2, "by": "me"}],
          "free": {"a": {"b": 1, "c": [1, 2]}, "d": null}
        }
        """#

    /// `nil` in a condition's branch would be the JSON value null.
    private static let gone = JSONValue?.none

    /// One random edit of a random member.
    static func edited(_ save: JSONValue, _ random: inout SeededRandom) -> JSONValue {
        let name = random.pick([
            "best", "low", "coins", "gems", "seen", "huge", "tags", "friends", "done", "secret", "settings", "pos",
            "inv",
            "inv", "inv", "row", "row", "tracks", "free", "free", "free",
        ])
        let key = JSONString(name)
        return save.setting(key, to: member(name, save[key], &random))
    }

    private static func member(_ name: String, _ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        switch name {
        case "best", "low": return .number(JSONNumber(random.below(20)))
        case "coins": return random.chance(5) ? gone : .number(JSONNumber(random.below(200)))
        case "gems": return .string(JSONString(random.pick(["1", "2.5", "1e2", "300", "0"])))
        case "seen": return .string(JSONString("202\(random.below(9))-01-01"))
        case "huge": return .string(JSONString("\(1 + random.below(9))e40\(random.below(9))"))
        case "tags", "friends": return elements(old, &random)
        case "done": return .bool(random.chance(30))
        case "settings": return random.chance(10) ? gone : ["sound": .number(JSONNumber(random.below(9))), "size": [7]]
        case "pos": return random.chance(10) ? gone : ["x": .number(JSONNumber(random.below(9))), "y": 1]
        case "inv": return inventory(old, &random)
        case "row": return random.chance(10) ? gone : .array((0..<random.below(5)).map { _ in small(&random) })
        case "tracks": return tracks(old, &random)
        case "free": return free(old ?? [:], 3, &random)
        default: return small(&random)
        }
    }

    private static func small(_ random: inout SeededRandom) -> JSONValue { .number(JSONNumber(random.below(9))) }

    private static func elements(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .array(var list)? = old, !random.chance(5) else { return random.chance(50) ? gone : ["z"] }
        if random.chance(50), !list.isEmpty { list.remove(at: random.below(list.count)) }
        let new = JSONValue.string(JSONString(random.pick(["a", "b", "c", "x", "y", "z"])))
        if random.chance(60), !list.contains(new) { list.insert(new, at: random.below(list.count + 1)) }
        return .array(list)
    }

    private static func inventory(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .array(var list)? = old, !random.chance(4) else { return random.chance(50) ? gone : [] }
        if random.chance(30), !list.isEmpty {
            list.remove(at: random.below(list.count))
        } else if random.chance(50), !list.isEmpty {
            let index = random.below(list.count)
            let name = random.pick(["count", "name", "level", "marks", "parts"])
            let key = JSONString(name)
            let new: JSONValue? =
                switch name {
                case "marks": elements(list[index][key], &random)
                case "parts": random.chance(30) ? gone : [["p": small(&random), "n": small(&random)]]
                case "name": random.chance(30) ? gone : small(&random)
                default: small(&random)
                }
            list[index] = list[index].setting(key, to: new)
        } else {
            let id = random.pick([1, 2, "b", "c"] as [JSONValue])
            guard !list.contains(where: { $0["id"] == id }) else { return old }
            list.append(["id": id, "count": small(&random), "name": small(&random)])
        }
        return .array(list)
    }

    private static func tracks(_ old: JSONValue?, _ random: inout SeededRandom) -> JSONValue? {
        guard case .array(var list)? = old, !random.chance(5) else { return [["top": small(&random)]] }
        if random.chance(20), !list.isEmpty { list.removeLast() }
        if random.chance(20) { list.append(["top": small(&random)]) }
        if !list.isEmpty { list[random.below(list.count)] = ["top": small(&random), "by": small(&random)] }
        return .array(list)
    }

    /// Any JSON, changed anywhere, in any way.
    static func free(_ old: JSONValue, _ depth: Int, _ random: inout SeededRandom) -> JSONValue {
        guard case .object(let members) = old, depth > 0, !random.chance(15) else { return any(depth, &random) }
        let name = JSONString(random.pick(["a", "b", "c", "", "~/\u{E9}", "e\u{301}"]))
        if random.chance(20) { return old.setting(name, to: nil) }
        if let value = members.first(where: { $0.key == name })?.value {
            return old.setting(name, to: free(value, depth - 1, &random))
        }
        return old.setting(name, to: any(depth - 1, &random))
    }

    private static func any(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch random.below(depth > 0 ? 9 : 5) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2: return json(random.pick(["1", "1.0", "-0", "1e2", "123456789012345678901234567890.5", "1e400"]))
        case 3: return .string(JSONString(random.pick(["", "\u{0}\"\\", "e\u{301}", "\u{E9}", "\u{1F600}"])))
        case 4: return random.chance(50) ? [:] : []
        case 5: return [small(&random), [:], "x"]
        default:
            return ["a": any(depth - 1, &random), "b": random.chance(50) ? small(&random) : any(depth - 1, &random)]
        }
    }
}
