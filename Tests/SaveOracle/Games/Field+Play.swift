extension Field {
    /// What becomes of a value when the game is played for a while: most of it stays, some of it changes as games do it.
    ///
    /// - Parameter losing: How often a place that only grows is lowered: once in so many times; never for 0.
    package func play(_ value: JSON, _ dice: inout Dice, losing: Int = 0) -> JSON {
        switch self {
        case .value(let rule, let kind):
            guard dice.once(in: 3) else { return value }
            return Self.played(value, rule, kind, &dice, losing: losing)
        case .list(let rule, let elements):
            return dice.once(in: 3) ? Self.played(value, rule, elements, &dice) : value
        case .object(let fields): return Self.played(value, fields, &dice, losing: losing)
        case .dictionary(let field, let exception): return played(value, field, exception, &dice, losing: losing)
        case .totals(let rule): return Self.playedTotals(value, rule, &dice)
        case .keyed(let key, let fields): return Self.played(value, key, fields, &dice, losing: losing)
        case .indexed(let field):
            var elements = (value.elements ?? []).map { field.play($0, &dice, losing: losing) }
            if dice.once(in: 5) { elements.append(field.save(&dice)) }
            if dice.once(in: 20), !elements.isEmpty { elements.removeLast() }
            return .array(elements)
        case .whole(let rule, let field):
            guard dice.once(in: 2) else { return value }
            return rule.merge == .choice && dice.once(in: 3) ? field.save(&dice) : field.play(value, &dice)
        }
    }

    private static func played(
        _ value: JSON,
        _ fields: [(name: String, field: Field)],
        _ dice: inout Dice,
        losing: Int
    ) -> JSON {
        var value = value
        for (name, field) in fields {
            guard let member = value[name] else {
                if dice.once(in: 3) { value = value.setting(name, to: field.save(&dice)) }
                continue
            }
            // A member that does not only grow may go.
            let rules = field.rules(at: Pattern([]))
            let mayGo = rules.allSatisfy { !$0.rule.onlyGrows && $0.rule.merge != .local } || losing > 0
            let isGone = mayGo && dice.once(in: 24)
            value = value.setting(name, to: isGone ? nil : field.play(member, &dice, losing: losing))
        }
        return value
    }

    private func played(
        _ value: JSON,
        _ field: Field,
        _ exception: Field?,
        _ dice: inout Dice,
        losing: Int
    ) -> JSON {
        var members = (value.members ?? []).map { member in
            let inner = member.name == Self.exceptional ? exception ?? field : field
            return JSON.Member(member.name, inner.play(member.value, &dice, losing: losing))
        }
        let onlyGrows = field.rules(at: Pattern([])).contains { $0.pattern.steps.isEmpty && $0.rule.onlyGrows }
        if dice.once(in: 8), !onlyGrows || losing > 0, !members.isEmpty {
            members.remove(at: dice.number(0...members.count - 1))
        }
        let name = Self.word(&dice)
        if dice.once(in: 3), !members.contains(where: { $0.name == name }) {
            members.append(JSON.Member(name, field.save(&dice)))
        }
        return .object(members)
    }

    private static func playedTotals(_ value: JSON, _ rule: Rule, _ dice: inout Dice) -> JSON {
        var value = value
        for _ in 0..<dice.number(0...2) {
            let (group, name) = (word(&dice), word(&dice))
            let inner = value[group] ?? .object([])
            let old = inner[name].flatMap { Rule(.counter).number($0) } ?? .zero
            let new = old + ExactNumber(dice.number(1...30))
            value = value.setting(group, to: inner.setting(name, to: .number(new.description)))
        }
        if !rule.onlyGrows, dice.once(in: 10), let group = value.members?.first?.name {
            value = value.setting(group, to: nil)
        }
        return value
    }

    private static func played(
        _ value: JSON,
        _ key: String,
        _ fields: [(name: String, field: Field)],
        _ dice: inout Dice,
        losing: Int
    ) -> JSON {
        var elements = (value.elements ?? []).map { played($0, fields, &dice, losing: losing) }
        if dice.once(in: 5), !elements.isEmpty { elements.remove(at: dice.number(0...elements.count - 1)) }
        if dice.once(in: 3) {
            let id: JSON =
                if case .number? = (value.elements ?? []).first?[key] { .number("\(dice.number(1...9))") } else {
                    .string(word(&dice))
                }
            if !elements.contains(where: { $0[key]?.identity == id.identity }) {
                let new = element(key, id, fields, &dice)
                if dice.once(in: 3) { elements.insert(new, at: 0) } else { elements.append(new) }
            }
        }
        if dice.once(in: 8) { elements.shuffle(using: &dice) }
        return .array(elements)
    }

    private static func played(_ value: JSON, _ rule: Rule, _ elements: Elements, _ dice: inout Dice) -> JSON {
        var list = value.elements ?? []
        if rule.merge != .union, dice.once(in: 3), !list.isEmpty { list.remove(at: dice.number(0...list.count - 1)) }
        for _ in 0..<dice.number(0...2) {
            let new = elements.one(&dice)
            if dice.once(in: 4) { list.insert(new, at: 0) } else { list.append(new) }
        }
        if rule.sort == nil, dice.once(in: 6) { list.shuffle(using: &dice) }
        return Self.list(list, rule)
    }

    private static func played(_ value: JSON, _ rule: Rule, _ kind: Kind, _ dice: inout Dice, losing: Int) -> JSON {
        if losing > 0, rule.onlyGrows, dice.once(in: losing) { return Self.value(rule, kind, &dice) }
        // Where nothing only grows, anything may stand there next.
        let next = Self.value(rule, kind, &dice)
        switch rule.merge {
        case .latest, .choice, .local, .set, .furthest: return next
        case .max, .min:
            if rule.isNone(value) { return next }
            return rule.isNone(next) || rule.compare(next, value) != rule.better ? value : next
        case .flag: return .bool(true)
        case .union:
            let bits = (rule.bits(value) ?? 0) | (1 << UInt64(dice.number(0...11)))
            return .number(String(bits))
        case .counter:
            let old = rule.number(value) ?? .zero
            let step = ExactNumber(dice.number(1...60))
            let new = dice.once(in: 3) && !(old < step) ? old - step : old + step
            if case .string = value { return .string(new.description) }
            if case .money = kind {
                let parts = new.description.split(separator: ".")
                let behind = parts.count > 1 ? String(parts[1]) : ""
                return .number("\(parts[0]).\(behind)\(String(repeating: "0", count: 2 - behind.count))")
            }
            return .number(new.description)
        }
    }
}
