import LosslessJSON
import MergeCore

/// A log: the entries of all devices, sorted by one of their members, the largest (or latest) first.
///
/// ```swift
/// struct Game: Codable, Hashable { var playedAt = Date(); var score = 0 }
///
/// @Log(sortedBy: \.playedAt, limit: 200) var history: [Game] = []
///
/// player.history.append(Game(score: 4_200))
/// ```
///
/// An entry is one value and never changes. `limit` is the number of entries that the save shows; Hearth keeps all of
/// them.
@propertyWrapper
public struct Log<Element: Codable & Hashable & Sendable>: Codable, Sendable, Hashable, FieldWrapper {
    /// The entries as the game sees them.
    public var wrappedValue: [Element]
    private let order: String?
    private let limit: Int?

    /// A log that is sorted by a stored member.
    public init(wrappedValue: [Element], sortedBy member: PartialKeyPath<Element>, limit: Int? = nil) {
        self.init(wrappedValue, FieldSpelling.name(of: member), limit)
    }

    /// A log that is sorted by a member, by its key in the save.
    public init(wrappedValue: [Element], sortedBy key: String, limit: Int? = nil) {
        self.init(wrappedValue, key, limit)
    }

    /// Reads the list without the wrapper.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), nil, nil) }
    /// Writes the list without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    private init(_ value: [Element], _ order: String?, _ limit: Int?) {
        (wrappedValue, self.order, self.limit) = (value, order, limit)
    }

    static var attribute: String { "@Log" }
    static var contents: FieldContents { .oneValue }

    func declaration() throws -> FieldDeclaration {
        let sort = try order.map { try FieldSpelling.key($0, of: Element.self, in: "sortedBy") }
        return .elements(MergeRule(.union, sort: sort, limit: limit))
    }

    /// Compares the entries.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
    /// Hashes the entries.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
