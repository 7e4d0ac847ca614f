import MergeCore

/// A truth value that stays true once it was true on any device.
///
/// ```swift
/// @Once var tutorialDone = false
/// @Once var chestOpened: [String: Bool] = [:]
/// ```
@propertyWrapper
public struct Once<Value: OnceValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Once" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .leaves(MergeRule(.flag)) }
}

extension Once: Equatable where Value: Equatable {}
extension Once: Hashable where Value: Hashable {}

/// A type that ``Once`` can hold: `Bool`, and dictionaries of it.
public protocol OnceValue: Codable {}

extension Bool: OnceValue {}
extension Dictionary: OnceValue where Key: CodingKeyRepresentable & Codable, Value: OnceValue {}
