import MergeCore

/// The largest value wins, on whichever device it was reached; it never falls, except by a reset.
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

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Highest" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.max, as: Value.ranking.reading)) }
}

extension Highest where Value: ExpressibleByNilLiteral {
    /// A field that begins without a value.
    public init() { self.init(wrappedValue: nil) }
}

extension Highest: Equatable where Value: Equatable {}
extension Highest: Hashable where Value: Hashable {}
