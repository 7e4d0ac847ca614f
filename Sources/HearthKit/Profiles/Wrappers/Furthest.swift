import LosslessJSON
import MergeCore

/// A value that is never mixed: if two devices changed it apart, the copy with more progress wins as a whole. Progress
/// is compared by the named members, the most important one first.
///
/// ```swift
/// struct Campaign: Codable { var chapter = 1; var xp = 0; var party: [Hero] = [] }
///
/// @Furthest(by: \.chapter, \.xp) var campaign = Campaign()
/// ```
///
/// The two copies are never mixed, so no rules apply inside the value.
@propertyWrapper
public struct Furthest<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value
    private let measures: [String]

    /// A value and its stored members that measure progress, the most important one first.
    public init(wrappedValue: Value, by members: PartialKeyPath<Value>...) {
        self.init(wrappedValue, members.map(FieldSpelling.name))
    }

    /// An optional value and its stored members that measure progress.
    public init<Some>(wrappedValue: Value, by members: PartialKeyPath<Some>...) where Value == Some? {
        self.init(wrappedValue, members.map(FieldSpelling.name))
    }

    /// A value and the members that measure progress, by their keys in the save.
    public init(wrappedValue: Value, by keys: String...) { self.init(wrappedValue, keys) }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), []) }
    /// Writes the value without the wrapper.
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
    /// A value that begins with nil, and its stored members that measure progress.
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
