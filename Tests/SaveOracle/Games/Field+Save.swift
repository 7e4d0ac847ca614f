extension Field {
    private static let words = [
        "oak", "fern", "sky", "mill", "rook", "tide", "moss", "lamp", "fox", "gate", "höhle", "a b",
    ]

    static func word(_ dice: inout Dice) -> String { dice.pick(words) }

    /// A value that such a field may begin with.
    package func save(_ dice: inout Dice) -> JSON {
        switch self {
        case .value(let rule, let kind): return Self.value(rule, kind, &dice)
        case .list(let rule, let elements):
            let count = dice.number(0...5)
            return Self.list((0..<count).map { _ in elements.one(&dice) }, rule)
        case .object(let fields): return .object(fields.map { JSON.Member($0.name, $0.field.save(&dice)) })
        case .dictionary(let field, let exception):
            var members = dice.some(Self.words, dice.number(0...4)).map { JSON.Member($0, field.save(&dice)) }
            if let exception { members.append(JSON.Member(Self.exceptional, exception.save(&dice))) }
            return .object(members)
        case .totals:
            return .object(
                dice.some(Self.words, dice.number(0...3)).map { group in
                    let inner = dice.some(Self.words, dice.number(0...3))
                    return JSON.Member(group, .object(inner.map { .init($0, .number("\(dice.number(0...900))")) }))
                }
            )
        case .keyed(let key, let fields):
            let ids = dice.once(in: 3) ? (1...6).map { JSON.number("\($0)") } : Self.words.map { JSON.string($0) }
            return .array(dice.some(ids, dice.number(0...5)).map { Self.element(key, $0, fields, &dice) })
        case .indexed(let field): return .array((0..<dice.number(0...4)).map { _ in field.save(&dice) })
        case .whole(_, let field): return field.save(&dice)
        }
    }

    static func element(_ key: String, _ id: JSON, _ fields: [(name: String, field: Field)], _ dice: inout Dice) -> JSON
    {
        .object([JSON.Member(key, id)] + fields.filter { $0.name != key }.map { .init($0.name, $0.field.save(&dice)) })
    }

    /// A list without an element twice, in the order its rule wants.
    static func list(_ elements: [JSON], _ rule: Rule) -> JSON {
        guard rule.merge != .latest else { return .array(elements) }
        var seen = Set<String>()
        var list = elements.filter { seen.insert($0.identity).inserted }
        if let sort = rule.sort {
            func key(_ element: JSON) -> ExactNumber {
                if case .number(let text)? = element[sort] { ExactNumber(text) ?? .zero } else { .zero }
            }
            list.sort { key($0) > key($1) }
        }
        return .array(Array(list.prefix(rule.limit ?? .max)))
    }

    static func value(_ rule: Rule, _ kind: Kind, _ dice: inout Dice) -> JSON {
        if let none = rule.none.first, dice.once(in: 4) { return JSON(none) ?? .null }
        switch kind {
        case .amount:
            if rule.merge == .counter, dice.once(in: 8) { return .number("-\(dice.number(1...9))") }
            return .number("\(dice.number(rule.none.isEmpty ? 0...40 : 1...900))")
        case .decimal: return .number(dice.pick(["1.0", "2.5", "74.20", "1e2", "0.125", "33.3"]))
        case .money: return .number("\(dice.number(0...40)).\(dice.pick(["00", "50", "07", "20"]))")
        case .huge: return .number("\(dice.number(1...9))" + String(repeating: "0123456789", count: dice.number(1...4)))
        case .text:
            if rule.merge == .counter { return .string("\(dice.number(0...5000))") }
            return .string(dice.pick(["9e20", "7.18e+369377954", "12", "1e451546774583606", "95e19", "0"]))
        case .date(let format):
            return .string(date(dice.number(19_000...20_000) * 86_400 + dice.number(0...86_399), format, &dice))
        case .word: return .string(word(&dice))
        case .truth: return .bool(dice.once(in: 3))
        case .bits: return .number("\(dice.number(0...255))")
        case .anything:
            return dice.pick([.null, .string(""), .string("x"), .number("-3"), .number("0"), .bool(true), .array([])])
        }
    }

    /// A moment as the game spells it, wherever it stands on a map.
    static func date(_ seconds: Int, _ format: String?, _ dice: inout Dice) -> String {
        let offset = format == nil ? dice.pick([0, 0, 2, -6]) : 0
        let local = seconds + offset * 3_600
        let (days, rest) = (local / 86_400, local % 86_400)
        // From days to a date (proleptic Gregorian), for days after 2000.
        let shifted = days + 719_468 - 5 * 146_097
        let ofEra = shifted
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * ofYear + 2) / 153
        let (day, month) = (ofYear - (153 * index + 2) / 5 + 1, index < 10 ? index + 3 : index - 9)
        let year = 2_000 + yearOfEra + (month <= 2 ? 1 : 0)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map(two)
        switch format {
        case "%d.%m.%Y": return "\(two(day)).\(two(month)).\(year)"
        case .some: return "\(year)/\(two(month))/\(two(day)) \(time.joined(separator: ":"))"
        case nil:
            let zone = offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(two(abs(offset))):00"
            return "\(year)-\(two(month))-\(two(day))T\(time.joined(separator: ":"))\(zone)"
        }
    }
}

extension Field.Elements {
    /// One element that a game may put into the list.
    func one(_ dice: inout Dice) -> JSON {
        switch self {
        case .words: .string(Field.word(&dice))
        case .numbers: .number("\(dice.number(1...12))")
        case .objects:
            .object([.init("kind", .string(Field.word(&dice))), .init("tier", .number("\(dice.number(1...2))"))])
        case .log:
            .object([
                .init("at", .number("\(dice.number(1...100_000))")), .init("score", .number("\(dice.number(1...99))")),
            ])
        }
    }
}
