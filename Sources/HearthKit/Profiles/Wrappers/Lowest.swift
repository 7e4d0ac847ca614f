import LosslessJSON
import MergeCore

/// A value that only falls: the smallest one on any device wins. It never rises, except by a reset.
///
/// ```swift
/// @Lowest var bestLap = 0                        // 0: no lap yet
/// @Lowest(none: -1, 0) var fewestMoves = -1      // neither counts
/// @Lowest var bestTime: Double?
/// ```
///
/// The default means "nothing yet" and never wins over another value. Otherwise a fresh start on one device would beat
/// the results of all others.
@propertyWrapper
public struct Lowest<Value: RankedValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value
    private let none: [Value]?

    /// A field with its default value, which counts as none.
    public init(wrappedValue: Value) { self.init(wrappedValue, none: nil) }

    /// A field with its default value, and the values that count as none instead of it.
    public init(wrappedValue: Value, none: Value...) { self.init(wrappedValue, none: none) }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), none: nil) }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    private init(_ value: Value, none: [Value]?) { (wrappedValue, self.none) = (value, none) }

    static var attribute: String { "@Lowest" }
    static var contents: FieldContents { .oneValue }

    func declaration() throws -> FieldDeclaration {
        var values: [JSONValue] = []
        for value in none ?? [wrappedValue] {
            let coded = try ProfileEncoder.coded(alone: value).json
            // Null always counts as none, and the entries of a dictionary have no default.
            if coded != .null, coded.kind != .object, !values.contains(coded) { values.append(coded) }
        }
        return .leaves(MergeRule(.min, as: Value.ranking.reading, none: values))
    }
}

extension Lowest where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(nil, none: nil) }
}

/// The earliest date wins; another name of ``Lowest``.
///
/// ```swift
/// @Earliest var firstWin: Date?
/// @Earliest var unlockedAt: [Achievement: Date] = [:]
/// ```
public typealias Earliest<Value: RankedValue & Sendable> = Lowest<Value>

// Only the value is compared: which values count as none belongs to the type.
extension Lowest: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Lowest: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
