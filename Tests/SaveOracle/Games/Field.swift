/// A part of a made-up game's save: what it holds, how it changes, and the rule that fits it.
package indirect enum Field: Sendable {
    /// One value.
    case value(Rule, Kind)
    /// A list of values: `union`, `set`, or one value as a whole.
    case list(Rule, Elements)
    /// Members with names of their own.
    case object([(name: String, field: Field)])
    /// Members whose names the game makes up; one of them may be another thing than the others.
    case dictionary(Field, exception: Field?)
    /// Numbers in groups, however deep, under one rule for all.
    case totals(Rule)
    /// Objects told apart by a member.
    case keyed(String, [(name: String, field: Field)])
    /// An array taken apart by position.
    case indexed(Field)
    /// A subtree that is one value, and what is in it.
    case whole(Rule, Field)

    package enum Kind: Sendable {
        case amount, decimal, huge, text, date(String?), word, truth, bits, anything
        /// With two digits behind the point, whatever they are.
        case money
    }

    package enum Elements: Sendable { case words, numbers, objects, log }

    /// The member under which a dictionary has something else.
    static let exceptional = "since"

    /// The rules of the field and of all in it.
    package func rules(at pattern: Pattern) -> [(pattern: Pattern, rule: Rule)] {
        func below(_ steps: Pattern.Step...) -> Pattern { Pattern(pattern.steps + steps) }
        switch self {
        case .value(let rule, _), .list(let rule, _): return rule == .standard ? [] : [(pattern, rule)]
        case .object(let fields): return fields.flatMap { $0.field.rules(at: below(.name($0.name))) }
        case .dictionary(let field, let exception):
            var rules = field.rules(at: below(.any))
            if let exception {
                let others = exception.rules(at: below(.name(Self.exceptional)))
                rules += others.isEmpty ? [(below(.name(Self.exceptional)), .standard)] : others
            }
            return rules
        case .totals(let rule): return [(below(.deep), rule)]
        case .keyed(let key, let fields):
            let rules = fields.flatMap { $0.field.rules(at: below(.keyed(key), .name($0.name))) }
            return rules.isEmpty ? [(below(.keyed(key)), .standard)] : rules
        case .indexed(let field): return field.rules(at: below(.any))
        case .whole(let rule, _):
            return rule.merge == .local ? [(below(.deep), rule)] : [(pattern, rule)]
        }
    }
}
