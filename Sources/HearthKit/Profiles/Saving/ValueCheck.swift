import LosslessJSON
import MergeCore

/// Checks that the rules can handle the values the game set, where the compiler cannot: keys of ``Keyed`` elements must
/// be unique, and numbers under ``Bits`` must not be negative.
enum ValueCheck {
    /// - Parameter former: The value that was checked last; equal members are skipped.
    /// - Throws: ``ProfileError`` that names the field.
    static func run(
        _ value: CodedValue, since former: CodedValue? = nil, _ schema: PartSchema, _ path: FieldPath
    ) throws {
        try each(value, since: former) { member, before in
            guard let field = schema.field(member.key) else { return }
            try run(member.value, since: before, field.shape, path.appending(member.key))
        }
    }

    /// Calls the body for each member that differs from the former value. A member that has moved counts as different.
    private static func each(
        _ value: CodedValue, since former: CodedValue?, _ body: (CodedMember, CodedValue?) throws -> Void
    ) throws {
        let (members, before) = (value.members ?? [], former?.members ?? [])
        for (index, member) in members.enumerated() {
            let match = index < before.count && before[index].key == member.key ? before[index].value : nil
            if match != member.value { try body(member, match) }
        }
    }

    private static func run(
        _ value: CodedValue, since former: CodedValue?, _ shape: FieldShape, _ path: FieldPath
    ) throws {
        switch shape {
        case .part(let schema): try run(value, since: former, schema, path)
        case .dictionary(let entry):
            try each(value, since: former) { member, before in
                try run(member.value, since: before, entry, path.appending(member.key))
            }
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
                try run(element, since: nil, schema, path)
            }
        case .value(let rule):
            guard rule.reading == .bits, case .plain(.number(let number)) = value, number.decimal?.isNegative == true
            else { return }
            throw path.error(.value, "is \(number), and a number whose digits are unlocks is never below 0")
        case .elements: return
        }
    }
}
