import MergeCore

/// The last writer wins, by a clock that orders what followed from what. It is what a field without a wrapper does.
///
/// ```swift
/// @Latest var displayName = "Player"
/// @Latest var colours: [Slot: Colour] = [:]     // the last for each slot
/// ```
///
/// A `Codable` struct or enum is one value; a list is as well.
@propertyWrapper
public struct Latest<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Latest" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .plain }
}

extension Latest where Value: ExpressibleByNilLiteral {
    /// A field that begins without a value.
    public init() { self.init(wrappedValue: nil) }
}

extension Latest: Equatable where Value: Equatable {}
extension Latest: Hashable where Value: Hashable {}
