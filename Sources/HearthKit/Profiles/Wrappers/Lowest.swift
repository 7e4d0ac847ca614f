import LosslessJSON
import MergeCore

/// The smallest value wins, on whichever device it was reached; it never rises, except by a reset.
///
/// ```swift
/// @Lowest var bestLap = 0                        // 0: no lap yet
/// @Lowest(none: -1, 0) var fewestMoves = -1      // neither counts
/// @Lowest var bestTime: Double?
/// ```
///
/// The value a field begins with means "nothing yet" and never wins over another, so that a fresh start on one device
/// does not beat what was reached on the others.
@propertyWrapper
public struct Lowest<Value: RankedValue & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value
    private let none: [Value]?

    /// A field and the value it begins with, which counts as none.
    public init(wrappedValue: Value) { self.init(wrappedValue, none: nil) }

    /// A field with other values that count as none.
    public init(wrappedValue: Value, none: Value...) { self.init(wrappedValue, none: none) }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { self.init(try decoder.bare(), none: nil) }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    private init(_ value: Value, none: [Value]?) { (wrappedValue, self.none) = (value, none) }

    static var attribute: String { "@Lowest" }
    static var contents: FieldContents { .oneValue }

    func declaration() throws -> FieldDeclaration {
        var values: [JSONValue] = []
        for value in none ?? [wrappedValue] {
            let coded = try ProfileEncoder.coded(alone: value).json
            // Null says nothing anyway, and the entries of a dictionary come without a beginning of their own.
            if coded != .null, coded.kind != .object, !values.contains(coded) { values.append(coded) }
        }
        return .leaves(MergeRule(.min, as: Value.ranking.reading, none: values))
    }
}

extension Lowest where Value: ExpressibleByNilLiteral {
    /// A field that begins without a value.
    public init() { self.init(nil, none: nil) }
}

/// The earliest date wins; ``Lowest`` by the name that fits dates.
///
/// ```swift
/// @Earliest var firstWin: Date?
/// @Earliest var unlockedAt: [Achievement: Date] = [:]
/// ```
public typealias Earliest<Value: RankedValue & Sendable> = Lowest<Value>

// What counts as none is said by the type, not by the value.
extension Lowest: Equatable where Value: Equatable {
    /// Compares the values.
    public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Lowest: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
