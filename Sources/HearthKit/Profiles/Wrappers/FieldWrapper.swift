import LosslessJSON
import MergeCore

/// What each property wrapper tells about its field.
protocol FieldWrapper: Codable, Sendable {
    associatedtype Value: Codable & Sendable
    var wrappedValue: Value { get }
    /// The wrapper as written in the source, such as `@Counter`.
    static var attribute: String { get }
    /// Whether rules may apply inside the value.
    static var contents: FieldContents { get }
    /// How the field merges. Valid only for a wrapper from the type's `init()`: a decoded one has lost its options
    /// (`by:`, `limit:` …).
    func declaration() throws -> FieldDeclaration
}

/// Whether rules may apply inside the value of a wrapper.
enum FieldContents {
    /// Rules may apply: the value contains parts.
    case fields
    /// Rules may not apply: the value is saved as one.
    case oneValue
    /// Rules have no meaning here: the value stays on the device.
    case local
}

/// How a field with a wrapper merges.
enum FieldDeclaration {
    /// Each leaf by itself: the value, or each entry of a dictionary.
    case leaves(MergeRule)
    /// The value as a whole.
    case whole(MergeRule)
    /// As a set whose elements have this rule; a dictionary holds one such set for each entry.
    case elements(MergeRule)
    /// As a list of parts that are identified by a member.
    case keyed(by: JSONString, element: any ProfilePart.Type)
    /// Like a field without a wrapper.
    case plain
}

extension Decoder {
    /// Reads the value of a wrapper; the save holds it without the wrapper.
    func bare<Value: Decodable>() throws -> Value { try singleValueContainer().decode(Value.self) }
}

extension Encoder {
    /// Writes the value of a wrapper, without the wrapper.
    func bare(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
