import MergeCore

/// A range of profiles: all whose id begins with the same hexadecimal digits. Ids are random, so ranges of as many digits
/// hold about as many profiles.
struct ProfileRange: Hashable, Sendable {
    /// Digits of the smallest ranges. A larger range has sixteen parts, by the next digit.
    static let depth = 3
    static let whole = ProfileRange(number: 0, digits: 0)

    /// The digits, as a number.
    private let number: Int
    private let digits: Int

    private init(number: Int, digits: Int) { (self.number, self.digits) = (number, digits) }

    /// The range of so many digits that a profile is in.
    init(of profile: ProfileID, digits: Int) {
        self.init(number: digits == 0 ? 0 : Int(profile.high >> (64 - 4 * UInt64(digits))), digits: digits)
    }

    /// Reads digits as the wire has them, in lower case; `nil` for anything else.
    init?(_ text: String) {
        var number = 0
        for byte in text.utf8 {
            guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            number = number << 4 | digit
            guard number < 1 << (4 * Self.depth) else { return nil }
        }
        guard text.utf8.count <= Self.depth else { return nil }
        self.init(number: number, digits: text.utf8.count)
    }

    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The digits as the wire has them.
    var text: String {
        let bytes = (0..<digits).map { Self.alphabet[number >> (4 * (digits - 1 - $0)) & 15] }
        return String(decoding: bytes, as: UTF8.self)
    }

    var isSmallest: Bool { digits == Self.depth }

    /// The sixteen parts of a range that is not one of the smallest, in ascending order.
    var parts: [ProfileRange] { (0..<16).map { ProfileRange(number: number << 4 | $0, digits: digits + 1) } }

    /// The numbers of the smallest ranges that it is made of.
    var leaves: Range<Int> {
        let shift = 4 * (Self.depth - digits)
        return number << shift..<(number + 1) << shift
    }

    func contains(_ profile: ProfileID) -> Bool { ProfileRange(of: profile, digits: digits) == self }

    /// All ranges that a profile is in, the whole first.
    static func all(of profile: ProfileID) -> [ProfileRange] {
        (0...depth).map { ProfileRange(of: profile, digits: $0) }
    }
}
