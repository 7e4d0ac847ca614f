import LosslessJSON
import MergeCore

/// What every field wrapper tells about its field.
protocol FieldWrapper: Codable, Sendable {
    associatedtype Value: Codable & Sendable
    var wrappedValue: Value { get }
    /// As the source has it, such as `@Counter`.
    static var attribute: String { get }
    /// What may be inside the value.
    static var contents: FieldContents { get }
    /// How the field merges. Options of the wrapper are those of the type's `init()`; one that was decoded has none.
    func declaration() throws -> FieldDeclaration
}

/// What a wrapper says about the inside of its value.
enum FieldContents {
    /// Parts with rules of their own.
    case fields
    /// One value, in which a rule would mean nothing.
    case oneValue
    /// Whatever it is, it stays on the device.
    case local
}

/// How a wrapped field merges.
enum FieldDeclaration {
    /// Each leaf by itself: the value, or each entry of a dictionary.
    case leaves(MergeRule)
    /// The value as a whole.
    case whole(MergeRule)
    /// As a set of elements of this type, or such a set for each entry of a dictionary.
    case elements(MergeRule)
    /// A list of parts, told apart by a member.
    case keyed(by: JSONString, element: any ProfilePart.Type)
    /// As a field without a wrapper.
    case plain
}

extension Decoder {
    /// The value of a wrapper, which is coded without a word of its own.
    func bare<Value: Decodable>() throws -> Value { try singleValueContainer().decode(Value.self) }
}

extension Encoder {
    /// Codes the value of a wrapper without a word of its own.
    func bare(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
