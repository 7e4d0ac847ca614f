/// A number as the text the game wrote.
///
/// Equality and hash are by exact decimal value: `1`, `1.0` and `1e0` are equal, and so are `0` and `-0`. Numbers
/// beyond the reach of ``ExactDecimal`` (an exponent of more than 15 digits) are compared by their text alone.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number as it is written, in the grammar of RFC 8259.
    public let text: String

    /// Takes a text, or gives nil when it is not a JSON number.
    public init?(text: String) {
        var text = text
        guard text.withUTF8({ NumberGrammar($0) != nil }) else { return nil }
        self.text = text
    }

    /// An integer as a JSON number.
    public init(_ value: Int) {
        text = String(value)
    }

    /// The number in the canonical spelling of an exact decimal.
    public init(_ value: ExactDecimal) {
        text = value.text
    }

    /// Takes text the parser has already checked.
    init(checked text: UnsafeBufferPointer<UInt8>) {
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// The exact value; nil when the exponent has more than 15 digits or the value lies beyond 10 to the power of
    /// ±10¹⁵.
    public var decimal: ExactDecimal? { ExactDecimal(text: text) }

    /// The text as it was written.
    public var description: String { text }

    /// The canonical spelling: equal numbers, and only they, have the same.
    var canonicalText: String { decimal?.text ?? text }

    /// Whether both have one value: `1`, `1.0` and `10e-1` are equal.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        guard let leftValue = left.decimal, let rightValue = right.decimal else { return false }
        return leftValue == rightValue
    }

    /// Hashes the value, not its spelling.
    public func hash(into hasher: inout Hasher) {
        if let decimal {
            hasher.combine(decimal)
        } else {
            hasher.combine(text)
        }
    }
}
