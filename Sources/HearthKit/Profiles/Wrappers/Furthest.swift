import LosslessJSON
import MergeCore

/// Of two that went on apart, the one that got further wins whole, by the members named, the weightiest first.
///
/// ```swift
/// struct Campaign: Codable { var chapter = 1; var xp = 0; var party: [Hero] = [] }
///
/// @Furthest(by: \.chapter, \.xp) var campaign = Campaign()
/// ```
///
/// Nothing of the two is mixed, so there are no rules inside.
@propertyWrapper
public struct Furthest<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value
    private let measures: [String]

    /// A value and the stored members that say how far it got.
    public init(wrappedValue: Value, by members: PartialKeyPath<Value>...) {
        self.init(wrappedValue, members.map(FieldSpelling.name))
    }

    /// A value that may be missing, and the stored members that say how far it got.
    public init<Some>(wrappedValue: Value, by members: PartialKeyPath<Some>...) where Value == Some? {
        self.init(wrappedValue, members.map(FieldSpelling.name))
    }

    /// A value and the members that say how far it got, by the names that the save has for them.
    public init(wrappedValue: Value, by keys: String...) { self.init(wrappedValue, keys) }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), []) }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    private init(_ value: Value, _ measures: [String]) { (wrappedValue, self.measures) = (value, measures) }

    static var attribute: String { "@Furthest" }
    static var contents: FieldContents { .oneValue }

    func declaration() throws -> FieldDeclaration {
        let type = TypeFacts.unwrapped(Value.self)
        return .whole(MergeRule(.furthest, by: try measures.map { try FieldSpelling.key($0, of: type, in: "by") }))
    }
}

extension Furthest where Value: ExpressibleByNilLiteral {
    /// A value that begins as none, and the stored members that say how far it got.
    public init<Some>(by members: PartialKeyPath<Some>...) where Value == Some? {
        self.init(nil, members.map(FieldSpelling.name))
    }
}

extension Furthest: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Furthest: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
