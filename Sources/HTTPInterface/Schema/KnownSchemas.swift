import HouseholdAgent
import MergeCore

/// The JSON of types that say nothing of it by what they ask for: simple values, and those that are written as a text or
/// a number and read further.
enum KnownSchemas {
    /// The schema of a type and some value of it; `nil` where the type is none of these.
    static func of<Value>(_ type: Value.Type) -> (schema: Schema, value: Value)? {
        guard let known = all[ObjectIdentifier(type)], let value = known.value as? Value else { return nil }
        return (known.schema, value)
    }

    private struct Known: Sendable {
        let schema: Schema
        let value: any Sendable
    }

    /// Rules as a request takes them.
    static let rules = #"{"rules":[{"path":"/coins","merge":"counter"},{"path":"/best","merge":"max"}]}"#

    private static let all: [ObjectIdentifier: Known] = {
        var all: [ObjectIdentifier: Known] = [:]
        func know<Value: Sendable>(_ value: Value, _ schema: Schema) {
            all[ObjectIdentifier(Value.self)] = Known(schema: schema, value: value)
        }
        know("", .text)
        know(false, .boolean)
        know(0.0 as Double, .number)
        know(0 as Int, .integer)
        know(0 as Int32, .integer)
        know(0 as Int64, .integer)
        know(0 as UInt16, .integer)
        know(0 as UInt64, .integer)
        know(RuleSet.empty, .textThat("holds rules as JSON, and not as YAML; for example \(rules)"))
        know(ProfileID(high: 0, low: 1), .text)
        know(WallTime(milliseconds: 0), .integer)
        know(PeerAddress(host: "127.0.0.1", port: 1), .text)
        know(Base64Bytes(bytes: []), .text)
        if let mark = PlayMark(token: "0", client: 1, clientStart: 1) {
            let members = [("token", Schema.text), ("process", .integer), ("processStart", .integer)]
            know(mark, .object(members.map { Schema.Property(name: $0, schema: $1, isRequired: true) }))
        }
        return all
    }()
}
