import LosslessJSON
import MergeCore

/// Whether the rules can take what the game set, as far as the compiler cannot tell.
enum ValueCheck {
    /// - Throws: ``ProfileError`` that names the field.
    static func run(_ value: CodedValue, _ schema: PartSchema, _ path: FieldPath) throws {
        for member in value.members ?? [] {
            guard let field = schema.field(member.key) else { continue }
            try run(member.value, field.shape, path.appending(member.key))
        }
    }

    private static func run(_ value: CodedValue, _ shape: FieldShape, _ path: FieldPath) throws {
        switch shape {
        case .part(let schema): try run(value, schema, path)
        case .dictionary(let entry):
            for member in value.members ?? [] { try run(member.value, entry, path.appending(member.key)) }
        case .keyed(let key, let schema):
            guard case .list(let elements) = value else { return }
            var seen = Set<JSONValue>()
            for element in elements {
                let id = element[key]?.json ?? .null
                guard seen.insert(id).inserted else {
                    throw path.error(
                        .value,
                        "two elements have the \(key) \(PlainFault.shown(id)), which tells them apart; "
                            + "give each its own"
                    )
                }
                try run(element, schema, path)
            }
        case .value(let rule):
            guard rule.reading == .bits, case .plain(.number(let number)) = value, number.decimal?.isNegative == true
            else { return }
            throw path.error(.value, "is \(number), and a number whose digits are unlocks is never below 0")
        case .elements: return
        }
    }
}
