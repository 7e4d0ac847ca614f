import MergeCore

/// A value whose last write wins. Hearth's clock orders the writes so that a write always comes after those its device
/// had seen, even if a device's time is wrong. A field without a wrapper merges like this, unless it is a set (see
/// ``Members``) or a list.
///
/// ```swift
/// @Latest var displayName = "Player"
/// @Latest var colours: [Slot: Colour] = [:]     // the last for each slot
/// ```
///
/// A `Codable` struct or enum is one value. So is a list, and of what two devices add to it apart one part is lost: a list
/// without a wrapper is refused when the profile is opened, and this wrapper says that the game means it. A set under
/// this wrapper is one value as well. The entries of a dictionary merge one by one; see ``Whole``.
@propertyWrapper
public struct Latest<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Latest" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .plain }
}

extension Latest where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension Latest: Equatable where Value: Equatable {}
extension Latest: Hashable where Value: Hashable {}
