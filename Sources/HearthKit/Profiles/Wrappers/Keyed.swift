import LosslessJSON
import MergeCore

/// A list of parts that are told apart by one member: what was changed in one element here and in another there both
/// stand, and so do rules inside the elements.
///
/// ```swift
/// struct Item: ProfilePart, Identifiable {
///     var id = ""
///     @Counter var count = 0
/// }
///
/// @Keyed var inventory: [Item] = []
/// @Keyed(by: \.slot) var equipment: [Equipment] = []
/// ```
///
/// No two elements may have one id.
@propertyWrapper
public struct Keyed<Element: ProfilePart>: Codable, Sendable, FieldWrapper {
    /// The elements as the game sees them.
    public var wrappedValue: [Element]
    private let key: String

    /// A list of elements that `id` tells apart.
    public init(wrappedValue: [Element]) where Element: Identifiable { self.init(wrappedValue, "id") }

    /// A list of elements that another stored member tells apart.
    public init(wrappedValue: [Element], by member: PartialKeyPath<Element>) {
        self.init(wrappedValue, FieldSpelling.name(of: member))
    }

    /// A list of elements that a member tells apart, by the name that the save has for it.
    public init(wrappedValue: [Element], by key: String) { self.init(wrappedValue, key) }

    /// Reads the bare list.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), "") }
    /// Writes the bare list.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    private init(_ value: [Element], _ key: String) { (wrappedValue, self.key) = (value, key) }

    static var attribute: String { "@Keyed" }
    static var contents: FieldContents { .fields }

    func declaration() throws -> FieldDeclaration {
        .keyed(by: try FieldSpelling.key(key, of: Element.self, in: "by"), element: Element.self)
    }
}

extension Keyed: Equatable where Element: Equatable {
    /// Compares the elements.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Keyed: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
