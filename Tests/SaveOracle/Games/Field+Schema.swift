extension Field {
    private static let names = [
        "coins", "level", "gems", "hero", "town", "stats", "bag", "log", "best", "quests", "map", "story", "friends",
        "theme", "energy", "laps", "shop", "unlocks", "badges", "pets", "notes", "season", "story_flags", "xp",
    ]

    /// A whole save, over every rule and option.
    package static func save(_ dice: inout Dice) -> Field {
        object(dice.number(2...9), depth: 0, &dice)
    }

    private static func object(_ count: Int, depth: Int, _ dice: inout Dice) -> Field {
        .object(dice.some(names, count).map { ($0, field(depth: depth, &dice)) })
    }

    private static func field(depth: Int, _ dice: inout Dice) -> Field {
        guard depth < 3 else { return value(&dice) }
        switch dice.number(1...20) {
        case 1...8: return value(&dice)
        case 9...11: return list(&dice)
        case 12: return object(dice.number(1...3), depth: depth + 1, &dice)
        case 13...14:
            // The exception is no container, so that the patterns cannot meet.
            let member = dice.once(in: 2) ? value(&dice) : object(dice.number(1...3), depth: depth + 1, &dice)
            guard case .value = member else { return .dictionary(member, exception: nil) }
            return .dictionary(member, exception: dice.once(in: 3) ? value(&dice) : nil)
        case 15: return .totals(Rule(dice.pick([.counter, .max, .latest])))
        case 16...17:
            let fields = dice.some(names, dice.number(1...3)).map { ($0, field(depth: depth + 2, &dice)) }
            return .keyed(dice.pick(["id", "name"]), fields.filter { $0.0 != "name" })
        case 18: return indexed(&dice)
        default: return whole(depth: depth, &dice)
        }
    }

    private static func indexed(_ dice: inout Dice) -> Field {
        var member = value(&dice)
        while member.rules(at: Pattern([])).isEmpty { member = value(&dice) }
        return .indexed(dice.once(in: 2) ? .object([("stars", member), ("best", value(&dice))]) : member)
    }

    private static func whole(depth: Int, _ dice: inout Dice) -> Field {
        switch dice.number(1...4) {
        case 1:
            var rule = Rule(.latest)
            rule.isWhole = true
            return .whole(rule, object(dice.number(1...3), depth: 2, &dice))
        case 2:
            var rule = Rule(.furthest)
            rule.by = dice.pick([["chapter", "points"], ["points"]])
            rule.reading = dice.pick([nil, nil, .number, .date])
            let points: Kind = rule.reading == .number ? .text : rule.reading == .date ? .date(nil) : .amount
            return .whole(
                rule,
                .object([
                    ("chapter", .value(Rule(.max), .amount)), ("points", .value(.standard, points)),
                    ("where", .value(.standard, .word)), ("seen", .list(.standard, .words)),
                ])
            )
        case 3:
            return .whole(Rule(.choice), dice.once(in: 2) ? .value(.standard, .word) : object(2, depth: 3, &dice))
        default:
            guard depth == 0 else { return .value(.standard, .word) }
            if dice.once(in: 3) { return .value(Rule(.local), .word) }
            return .whole(Rule(.local), object(dice.number(1...3), depth: 2, &dice))
        }
    }

    private static func value(_ dice: inout Dice) -> Field {
        switch dice.number(1...16) {
        case 1: return .value(Rule(.max), dice.pick([.amount, .decimal, .huge]))
        case 2: return .value(Rule(dice.pick([.max, .max, .min]), as: .number), .text)
        case 3: return .value(none(Rule(.min), &dice), dice.pick([.amount, .decimal]))
        case 4: return .value(none(Rule(.max), &dice), .amount)
        case 5...7: return .value(Rule(.counter), dice.pick([.amount, .amount, .decimal, .huge]))
        case 8: return .value(Rule(.counter, as: .number), .text)
        case 9...10: return .value(Rule(.flag), .truth)
        case 11: return .value(Rule(.union, as: .bits), .bits)
        case 12:
            var rule = Rule(dice.pick([.max, .min]), as: .date)
            rule.format = dice.pick([nil, nil, "%d.%m.%Y", "%Y/%m/%d %H:%M:%S"])
            return .value(rule, .date(rule.format))
        case 13: return .value(Rule(.choice), .word)
        default: return .value(.standard, dice.pick([.word, .amount, .decimal, .truth, .anything]))
        }
    }

    private static func none(_ rule: Rule, _ dice: inout Dice) -> Rule {
        var rule = rule
        rule.none = dice.pick([[], ["0"], ["0", "null"], ["-1"], ["null", "false", "-1"]])
        return rule
    }

    private static func list(_ dice: inout Dice) -> Field {
        switch dice.number(1...6) {
        case 1...2: return .list(Rule(.union), dice.pick([.words, .numbers, .objects]))
        case 3...4: return .list(Rule(.set), dice.pick([.words, .numbers, .objects]))
        case 5:
            var rule = Rule(dice.pick([.union, .set]))
            (rule.sort, rule.limit) = ("at", dice.once(in: 2) ? dice.number(2...6) : nil)
            if rule.limit != nil, dice.once(in: 3) { rule.sort = nil }
            return .list(rule, rule.sort == nil ? dice.pick([.words, .numbers]) : .log)
        default: return .list(.standard, dice.pick([.words, .numbers, .objects]))
        }
    }
}
