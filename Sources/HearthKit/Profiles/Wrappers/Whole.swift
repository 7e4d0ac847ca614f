import MergeCore

/// A value whose last write wins as a whole, even if it is a dictionary.
///
/// ```swift
/// @Whole var keyBindings: [Action: Key] = [:]   // never half from one device and half from another
/// ```
@propertyWrapper
public struct Whole<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Whole" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .whole(MergeRule(.latest, whole: true)) }
}

extension Whole where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension Whole: Equatable where Value: Equatable {}
extension Whole: Hashable where Value: Hashable {}
