import MergeCore

/// A set that only grows: what was unlocked anywhere is unlocked everywhere.
///
/// ```swift
/// @Union var themes: Set<Theme> = []
/// @Union var seenHints: [World: Set<String>] = [:]    // a set for each world
/// ```
///
/// Elements that this version of the game does not know (a theme of a later one) stay in the save.
@propertyWrapper
public struct Union<Value: MemberValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Union" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .elements(MergeRule(.union)) }
}

extension Union: Equatable where Value: Equatable {}
extension Union: Hashable where Value: Hashable {}

/// What ``Union`` and ``Members`` can hold: sets, and dictionaries of sets.
public protocol MemberValue: Codable {}

extension Set: MemberValue where Element: Codable {}
extension Dictionary: MemberValue where Key: CodingKeyRepresentable & Codable, Value: MemberValue {}
