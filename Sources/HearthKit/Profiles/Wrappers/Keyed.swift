import LosslessJSON
import MergeCore

/// A list of parts that are identified by one member. Changes of different elements on different devices are both kept,
/// and the fields inside an element merge by their own rules.
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
/// In the places of changes and history, an element stands with its id as JSON in brackets:
/// `/inventory/["sword"]/count`. ``ProfileStore/explain(_:)-(String)`` takes that as well. HearthTesting also says which
/// member has the id, `/inventory/[id="sword"]/count`, and takes both.
///
/// No two elements may have the same id; such a save is refused with ``StoreError/Code/value``.
@propertyWrapper
public struct Keyed<Element: ProfilePart>: Codable, Sendable, FieldWrapper {
    /// The elements as the game sees them.
    public var wrappedValue: [Element]
    private let key: String

    /// A list whose elements are identified by `id`.
    public init(wrappedValue: [Element]) where Element: Identifiable { self.init(wrappedValue, "id") }

    /// A list whose elements are identified by another stored member.
    public init(wrappedValue: [Element], by member: PartialKeyPath<Element>) {
        self.init(wrappedValue, FieldSpelling.name(of: member))
    }

    /// A list whose elements are identified by a member, by its key in the save.
    public init(wrappedValue: [Element], by key: String) { self.init(wrappedValue, key) }

    /// Reads the list without the wrapper.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), "") }
    /// Writes the list without the wrapper.
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
