import MergeCore

/// A set that only grows: what was unlocked on one device is unlocked on all of them.
///
/// ```swift
/// @Union var themes: Set<Theme> = []
/// @Union var seenHints: [World: Set<String>] = [:]    // a set for each world
/// ```
///
/// Elements that this version of the game does not know (a theme of a later version) stay in the save.
@propertyWrapper
public struct Union<Value: MemberValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Union" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .elements(MergeRule(.union)) }
}

extension Union: Equatable where Value: Equatable {}
extension Union: Hashable where Value: Hashable {}

/// A type that ``Union`` and ``Members`` can hold: sets, and dictionaries of sets.
public protocol MemberValue: Codable {}

extension Set: MemberValue where Element: Codable {}
extension Dictionary: MemberValue where Key: CodingKeyRepresentable & Codable, Value: MemberValue {}
