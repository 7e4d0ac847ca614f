import MergeCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type that ``Highest`` and ``Lowest`` can compare: numbers, texts, dates, optionals and dictionaries of them.
///
/// An enum or struct of your own that is saved as a number or a text conforms without any further code. It is compared
/// in the form in which it is saved:
///
/// ```swift
/// enum Rank: Int, Codable, RankedValue { case bronze = 1, silver, gold }
/// ```
public protocol RankedValue: Codable {
    /// How saved values compare; ``Ranking/plain`` by default.
    static var ranking: Ranking { get }
}

/// How saved values compare.
public enum Ranking: Hashable, Sendable {
    /// Numbers by their value, texts byte by byte.
    case plain
    /// Texts that hold a number of any size, such as `"7.18e+369377954"`, by that number.
    case numericText
    /// Texts that hold a date, by the time of that date.
    case date

    var reading: MergeRule.Reading? {
        switch self {
        case .plain: nil
        case .numericText: .number
        case .date: .date
        }
    }
}

extension RankedValue {
    /// ``Ranking/plain``.
    public static var ranking: Ranking { .plain }
}

extension Int: RankedValue {}
extension Int8: RankedValue {}
extension Int16: RankedValue {}
extension Int32: RankedValue {}
extension Int64: RankedValue {}
extension UInt: RankedValue {}
extension UInt8: RankedValue {}
extension UInt16: RankedValue {}
extension UInt32: RankedValue {}
extension UInt64: RankedValue {}
extension Double: RankedValue {}
extension Float: RankedValue {}
extension Decimal: RankedValue {}
extension String: RankedValue {}

extension Date: RankedValue {
    /// ``Ranking/date``.
    public static var ranking: Ranking { .date }
}

extension Optional: RankedValue where Wrapped: RankedValue {
    /// The ranking of the wrapped value.
    public static var ranking: Ranking { Wrapped.ranking }
}

extension Dictionary: RankedValue where Key: CodingKeyRepresentable & Codable, Value: RankedValue {
    /// The ranking of the entries.
    public static var ranking: Ranking { Value.ranking }
}
