import LosslessJSON

/// A whole number's binary digits as members of a set: each 1 is a member, named by its place.
extension BitField {
    /// The members for the digits that are 1; `nil` if the value is not a whole number from 0.
    static func elements(of value: JSONValue) -> [JSONValue]? {
        BitField(value)?.indexes.map { .number(JSONNumber($0)) }
    }

    /// The number whose digits are the members with these subs. A sub that names no digit is left out (only a broken
    /// peer sends one).
    init(subs: [[UInt8]]) {
        let indexes = subs.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        self = BitField(indexes: indexes.filter { (0..<BitField.limit).contains($0) })!
    }
}
