import MergeCore

/// A number whose binary digits are unlocks: each that was set anywhere is set everywhere.
///
/// ```swift
/// @Bits var badges: Badges = []                 // an OptionSet
/// @Bits var achievementBits: UInt64 = 0
/// ```
@propertyWrapper
public struct Bits<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A set of options and those it begins with.
    public init(wrappedValue: Value) where Value: OptionSet, Value.RawValue: FixedWidthInteger {
        self.wrappedValue = wrappedValue
    }

    /// A number and the one it begins with; never below 0.
    public init(wrappedValue: Value) where Value: FixedWidthInteger { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Bits" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.union, as: .bits)) }
}

extension Bits: Equatable where Value: Equatable {}
extension Bits: Hashable where Value: Hashable {}
