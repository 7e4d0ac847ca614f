import MergeCore

/// A set whose members come and go: who was added on one device and who was removed on another both count.
///
/// ```swift
/// @Members var friends: Set<UUID> = []
/// ```
///
/// Of a member that was removed here and added again there at the same time, the addition stands.
@propertyWrapper
public struct Members<Value: MemberValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Members" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .elements(MergeRule(.set)) }
}

extension Members: Equatable where Value: Equatable {}
extension Members: Hashable where Value: Hashable {}
