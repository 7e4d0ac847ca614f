import LosslessJSON

/// A whole number as the set of its binary digits that are 1, each a member of the set under its index.
enum BitElements {
    static let limit = 4_096

    static func elements(of value: JSONValue) -> [JSONValue]? {
        guard case .number(let n)? = Ordinal(value, as: .number), let int = n.int, int >= 0 else { return nil }
        return (0..<63).filter { int >> $0 & 1 == 1 }.map { .number(JSONNumber($0)) }
    }

    static func value(of subs: [[UInt8]]) -> JSONValue { .number(JSONNumber(0)) }
}
