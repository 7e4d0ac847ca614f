import MergeCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is earned and spent on every device adds up: 5 coins here and 7 there are 12.
///
/// ```swift
/// @Counter var coins = 0
/// @Counter var kills: [Enemy: Int] = [:]     // a counter for each enemy
///
/// player.coins += 5
/// player.coins -= 3
/// ```
///
/// On two devices that begin with nothing each sum counts in full, however long they were apart. A save that is found (one
/// from before the game had Hearth, a copy of another device's file) may be counted already: it raises the sum to the
/// larger total and no further. <doc:KeepingAProfile#Earned-or-found> says which is which.
///
/// A counter begins at 0: a purse of 100 to start with would be 200 on two devices. Show `100 + player.coins` instead.
///
/// The game adds to what it sees, and Hearth takes the difference. Setting a counter to a value of its own, rather than
/// adding, counts as having earned or spent the difference.
@propertyWrapper
public struct Counter<Value: CounterValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Counter" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.counter)) }
}

extension Counter: Equatable where Value: Equatable {}
extension Counter: Hashable where Value: Hashable {}

/// What ``Counter`` can count: whole numbers, `Double`, `Decimal`, and dictionaries of them.
///
/// A type of your own that is saved as one number conforms with nothing more to write:
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
