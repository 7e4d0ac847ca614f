extension Field {
    /// Something that a game must hold for a kind of thing to happen in it: random games hold it too seldom.
    package enum Wish: String, CaseIterable, Sendable {
        /// What is the device's own.
        case device
        /// Counters at the top; one is written with two digits behind the point.
        case purse, toll
        /// A number that only grows, and a list that does.
        case record, unlocked
        /// Subtrees that are one value each: the furthest counts, or the player chooses.
        case run, path
        /// Objects that come and go with a counter in each, by names that the game makes up and by a key.
        case herd, crew
    }

    /// A whole save, and what is wished for beside, under the name of the wish.
    package static func save(_ dice: inout Dice, wishes: [Wish]) -> Field {
        guard case .object(let fields) = save(&dice) else { preconditionFailure("a game is an object") }
        return .object(fields + wishes.map { ($0.rawValue, $0.field) })
    }
}

extension Field.Wish {
    var field: Field {
        let counted: [(name: String, field: Field)] = [
            ("count", .value(Rule(.counter), .amount)), ("mood", .value(.standard, .word)),
        ]
        switch self {
        case .device:
            let own: [(name: String, field: Field)] = [
                ("volume", .value(.standard, .amount)), ("screen", .value(.standard, .word)),
            ]
            return .whole(Rule(.local), .object(own))
        case .purse: return .value(Rule(.counter), .amount)
        case .toll: return .value(Rule(.counter), .money)
        case .record: return .value(Rule(.max), .amount)
        case .unlocked: return .list(Rule(.union), .words)
        case .run:
            var rule = Rule(.furthest)
            rule.by = ["chapter", "points"]
            return .whole(
                rule,
                .object([
                    ("chapter", .value(Rule(.max), .amount)), ("points", .value(.standard, .amount)),
                    ("where", .value(.standard, .word)),
                ]))
        case .path: return .value(Rule(.choice), .word)
        case .herd: return .dictionary(.object(counted), exception: nil)
        case .crew: return .keyed("id", counted)
        }
    }
}
