import MergeCore

/// A number whose binary digits are unlocks: a bit that was set on one device is set on all of them.
///
/// ```swift
/// @Bits var badges: Badges = []                 // an OptionSet
/// @Bits var achievementBits: UInt64 = 0
/// ```
@propertyWrapper
public struct Bits<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// An option set with its default.
    public init(wrappedValue: Value) where Value: OptionSet, Value.RawValue: FixedWidthInteger {
        self.wrappedValue = wrappedValue
    }

    /// A number with its default. It must never be negative; such a save is refused with ``StoreError/Code/value``.
    public init(wrappedValue: Value) where Value: FixedWidthInteger { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Bits" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.union, as: .bits)) }
}

extension Bits: Equatable where Value: Equatable {}
extension Bits: Hashable where Value: Hashable {}
