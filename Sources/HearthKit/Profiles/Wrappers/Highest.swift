import MergeCore

/// A value that only rises: the largest one on any device wins. It never falls, except by a reset.
///
/// ```swift
/// @Highest var level = 1
/// @Highest var lastPlayed: Date?
/// @Highest var bestScores: [Mode: Int] = [:]    // the best of each mode
/// ```
@propertyWrapper
public struct Highest<Value: RankedValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Highest" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.max, as: Value.ranking.reading)) }
}

extension Highest where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension Highest: Equatable where Value: Equatable {}
extension Highest: Hashable where Value: Hashable {}
