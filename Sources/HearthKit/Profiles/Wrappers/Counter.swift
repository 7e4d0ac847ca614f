import MergeCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A number whose changes on all devices add up: 5 coins earned here and 7 there make 12.
///
/// ```swift
/// @Counter var coins = 0
/// @Counter var kills: [Enemy: Int] = [:]     // a counter for each enemy
///
/// player.coins += 5
/// player.coins -= 3
/// ```
///
/// On two devices that both begin with nothing each sum counts in full, however long they were apart. A save that
/// Hearth finds (from before the game used Hearth, or a copy of another device's file) may have been counted already,
/// so it only raises the sum to the larger total. <doc:KeepingAProfile#Earned-or-found> says which is which.
///
/// A counter must begin at 0: a default of 100 on two devices would make 200. Show `100 + player.coins` instead.
///
/// The game changes the value it sees, and Hearth counts the difference. Setting the value instead of adding to it also
/// counts the difference as earned or spent.
@propertyWrapper
public struct Counter<Value: CounterValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value, which must be 0.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Counter" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.counter)) }
}

extension Counter: Equatable where Value: Equatable {}
extension Counter: Hashable where Value: Hashable {}

/// A type that ``Counter`` can count: whole numbers, `Double`, `Decimal`, and dictionaries of them.
///
/// A type of your own that is saved as one number conforms without any further code:
///
/// ```swift
/// struct Gold: CounterValue {
///     var amount: Int
///     init(from decoder: any Decoder) throws { amount = try decoder.singleValueContainer().decode(Int.self) }
///     func encode(to encoder: any Encoder) throws {
///         var container = encoder.singleValueContainer()
///         try container.encode(amount)
///     }
/// }
/// ```
public protocol CounterValue: Codable {}

extension Int: CounterValue {}
extension Int8: CounterValue {}
extension Int16: CounterValue {}
extension Int32: CounterValue {}
extension Int64: CounterValue {}
extension UInt: CounterValue {}
extension UInt8: CounterValue {}
extension UInt16: CounterValue {}
extension UInt32: CounterValue {}
extension UInt64: CounterValue {}
extension Double: CounterValue {}
extension Decimal: CounterValue {}
extension Dictionary: CounterValue where Key: CodingKeyRepresentable & Codable, Value: CounterValue {}
