import LosslessJSON
import MergeCore
import TestSupport

/// Random rules and random documents in one small alphabet, so that places meet rules, come and go, and come back.
struct RandomWriter {
    private var random: SeededRandom
    let rules: RuleSet
    /// Whether the game keeps numbers as text where its rules read such.
    private let writesText: Bool

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var entries: [RuleSet.Entry] = []
        for pattern in ["/a", "/b", "/c/*/a", "/c/*/b", "/c/*/d/*", "/d/*", "/e[id]/a", "/e[id]/b", "/f/**", "/a/b"] {
            guard random.chance(55), let path = try? RulePattern(parsing: pattern) else { continue }
            let rule = random.pick(
                [
                    .init(.max), .init(.min, none: [0]), .init(.max, as: .number), .init(.counter), .init(.counter),
                    .init(.flag), .init(.union), .init(.set), .init(.union, as: .bits), .init(.latest),
                    .init(.latest, whole: true), .init(.choice), .init(.furthest, by: ["a"]),
                    .init(.counter, as: .number),
                ] as [MergeRule])
            guard pattern != "/f/**" || (!rule.isWhole && !rule.whole) else { continue }
            if (try? RuleSet(entries + [.init(path, rule)])) != nil { entries.append(.init(path, rule)) }
        }
        rules = (try? RuleSet(entries)) ?? .empty
        writesText = random.chance(50)
        self.random = random
    }

    /// The rules as text.
    var listed: String {
        rules.entries.map { entry in
            let reading = entry.rule.reading.map { " as \($0.rawValue)" } ?? ""
            return "\(entry.pattern): \(entry.rule.merge.rawValue)\(reading)\(entry.rule.whole ? " whole" : "")"
        }.joined(separator: "\n")
    }

    /// A value for a place under a rule: what the rule reads, or now and then what counts as nothing.
    private mutating func leaf(_ rule: MergeRule, after old: JSONValue?) -> JSONValue {
        let small = JSONValue.number(JSONNumber(random.below(9)))
        switch rule.merge {
        case .max, .min: return grown(rule, old)
        case .counter where rule.reading == .number:
            return writesText ? .string(JSONString("\(random.below(9) - 2)")) : small
        case .counter: return .number(JSONNumber(random.below(12) - 3))
        case .flag: return .bool(old == .bool(true) || random.chance(40))
        case .union where rule.reading == .bits:
            let former = old.flatMap { if case .number(let n) = $0 { Int(n.text) } else { nil } } ?? 0
            return .number(JSONNumber(former | (random.chance(40) ? 0 : random.below(8))))
        case .union, .set:
            var list: [JSONValue] = if case .array(let former)? = old { former } else { [] }
            if rule.merge == .set, !list.isEmpty, random.chance(50) { list.remove(at: random.below(list.count)) }
            let new = JSONValue.number(JSONNumber(random.below(5)))
            if random.chance(60), !list.contains(new) { list.append(new) }
            return .array(list)
        case .furthest, .choice: return ["a": small]
        case .latest, .local: return random.pick([small, .null, "x", [1, [2]], [:], [], .bool(false)])
        }
    }

    private mutating func grown(_ rule: MergeRule, _ old: JSONValue?) -> JSONValue {
        guard case .number(let number)? = old, let former = Int(number.text), !rule.none.contains(number_(former))
        else {
            return number_(rule.none.isEmpty || random.chance(60) ? 1 + random.below(9) : 0)
        }
        return number_(rule.merge == .max ? former + random.below(3) : max(1, former - random.below(3)))
    }

    private func number_(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

    /// Any value at a place, with what the rules want there.
    private mutating func value(_ path: DocumentPath, _ depth: Int, after old: JSONValue?) -> JSONValue {
        let rule = rules.rule(for: path)
        guard rule == .standard, depth < 4 else { return leaf(rule, after: old) }
        // An element that only grows and vanishes alone is put back.
        if path.description == "/e" { return inventory(path, old) }
        if path.description == "/d", random.chance(50), !rules.rule(for: path.appending(.index(0))).isGrowOnly {
            return .array((0..<random.below(3)).map { value(path.appending(.index($0)), depth + 1, after: nil) })
        }
        guard depth < 1 || ["/c", "/d", "/f"].contains(where: { path.description.hasPrefix($0) }), random.chance(85)
        else { return leaf(rule, after: old) }
        var members: [JSONMember] = []
        for name in ["a", "b", "d"] where random.chance(60) {
            let key = JSONString(name)
            members.append(JSONMember(key: key, value: value(path.appending(.member(key)), depth + 1, after: nil)))
        }
        return .object(members)
    }

    private mutating func inventory(_ path: DocumentPath, _ old: JSONValue?) -> JSONValue {
        var list: [JSONValue] = if case .array(let former)? = old { former } else { [] }
        if !list.isEmpty, random.chance(40) {
            list.remove(at: random.below(list.count))
            return .array(list)
        }
        let id = number_(random.below(3))
        let place = path.appending(.element(id.canonicalBytes))
        if let index = list.firstIndex(where: { $0["id"] == id }) {
            let name = JSONString(random.pick(["a", "b"]))
            list[index] = list[index].setting(
                name, to: value(place.appending(.member(name)), 4, after: list[index][name]))
        } else if random.chance(60) {
            var members = [JSONMember(key: "id", value: id)]
            for name in ["a", "b"] as [JSONString] where random.chance(60) {
                members.append(JSONMember(key: name, value: value(place.appending(.member(name)), 4, after: nil)))
            }
            list.append(.object(members))
        }
        return .array(list)
    }

    mutating func start() -> JSONValue {
        var result = JSONValue.object([])
        for name in ["a", "b", "c", "d", "e", "f"] as [JSONString] where random.chance(60) {
            result = result.setting(name, to: value(DocumentPath([.member(name)]), 1, after: nil))
        }
        return result
    }

    /// The save after some play: values change, containers and what may vanish alone come and go.
    mutating func edited(_ save: JSONValue, _ path: DocumentPath = .root, _ depth: Int = 0) -> JSONValue {
        guard case .object(let members) = save, rules.rule(for: path) == .standard else {
            return value(path, depth, after: save)
        }
        let names: [JSONString] = depth == 0 ? ["a", "b", "c", "d", "e", "f"] : ["a", "b", "d"]
        var result = save
        let first = random.below(names.count)
        for offset in 0...random.below(2) {
            let name = names[(first + offset) % names.count]
            let place = path.appending(.member(name))
            let old = members.first { $0.key == name }?.value
            guard let old else {
                result = result.setting(name, to: value(place, depth + 1, after: nil))
                continue
            }
            // What only grows is put back where it vanishes alone.
            if random.chance(30), !grows(old, place) {
                result = result.setting(name, to: nil)
            } else {
                result = result.setting(name, to: edited(old, place, depth + 1))
            }
        }
        return result
    }

    private func grows(_ value: JSONValue, _ path: DocumentPath) -> Bool {
        let rule = rules.rule(for: path)
        return rule.isGrowOnly
    }
}
