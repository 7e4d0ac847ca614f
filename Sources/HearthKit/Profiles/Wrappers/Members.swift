import MergeCore

/// A set to which members can be added and from which they can be removed, on every device.
///
/// ```swift
/// @Members var friends: Set<UUID> = []
/// ```
///
/// A set without a wrapper merges like this. Where one device removes a member and another one adds it at the same time, the addition wins.
@propertyWrapper
public struct Members<Value: MemberValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Members" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .elements(MergeRule(.set)) }
}

extension Members: Equatable where Value: Equatable {}
extension Members: Hashable where Value: Hashable {}
