/// The spelling of dates in a save: text with the `%` words of POSIX `strptime`.
///
/// | word | stands for | word | stands for |
/// |---|---|---|---|
/// | `%Y` | year, four digits | `%p` | AM or PM |
/// | `%y` | year, two digits: 69…99 are 19xx, 00…68 are 20xx | `%z` | zone: `Z`, `+02`, `+0200`, `+02:00` |
/// | `%m` | month, one or two digits | `%b` `%B` | month's English name, short or whole |
/// | `%d` `%e` | day, one or two digits (`%e`: a space may stand before one) | `%j` | day of the year |
/// | `%H` `%I` | hour of 24, of 12 | `%s` | seconds since 1970, may be negative |
/// | `%M` `%S` | minute, second | `%f` | digits of a second's fraction, any count |
///
/// `%%` is a percent sign; every other character stands for itself. A part that the format does not name has its first
/// value (month 1, day 1, midnight, UTC).
public struct DateFormat: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case byte(UInt8)
        case field(Field)
    }

    enum Field: Unicode.Scalar, Hashable, Sendable, CaseIterable {
        case year = "Y"
        case shortYear = "y"
        case month = "m"
        case monthName = "b"
        case longMonthName = "B"
        case day = "d"
        case paddedDay = "e"
        case dayOfYear = "j"
        case hour = "H"
        case hourOfHalf = "I"
        case half = "p"
        case minute = "M"
        case second = "S"
        case fraction = "f"
        case zone = "z"
        case unixSeconds = "s"

        /// The quantity that a field gives. A format may give each quantity only once.
        var subject: String {
            switch self {
            case .year, .shortYear: "year"
            case .month, .monthName, .longMonthName: "month"
            case .day, .paddedDay: "day"
            case .dayOfYear: "day of the year"
            case .hour, .hourOfHalf: "hour"
            case .half: "half of the day"
            case .minute: "minute"
            case .second: "second"
            case .fraction: "fraction"
            case .zone: "zone"
            case .unixSeconds: "number of seconds since 1970"
            }
        }

        /// Whether the field reads all digits that follow, so that the next part must not begin with a digit.
        var isOpenEnded: Bool { self == .fraction || self == .unixSeconds }

        /// Whether the text of the field may begin with a digit.
        var beginsWithDigit: Bool {
            switch self {
            case .monthName, .longMonthName, .half, .zone: false
            default: true
            }
        }
    }

    let parts: [Part]
    private let text: String

    /// Most bytes a format may have.
    public static let byteLimit = 128

    /// Reads a format.
    ///
    /// - Throws: ``RuleError`` with one sentence, for example where the format names no year, names a part twice or has
    ///   an unknown word.
    public init(parsing text: String) throws(RuleError) {
        guard text.utf8.count <= Self.byteLimit else {
            throw RuleError("the date format has more than \(Self.byteLimit) bytes")
        }
        var parts: [Part] = []
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "%" else {
                parts += UTF8.encode(scalar)!.map(Part.byte)  // every scalar has a form in UTF-8
                continue
            }
            guard let word = scalars.next() else {
                throw RuleError("the date format \"\(text)\" ends in \"%\"; write \"%%\" for a percent sign")
            }
            if word == "%" {
                parts.append(.byte(UInt8(ascii: "%")))
            } else if let field = Field(rawValue: word) {
                parts.append(.field(field))
            } else {
                let known = Field.allCases.map { "%\($0.rawValue)" }.joined(separator: " ")
                throw RuleError("the date format \"\(text)\" has \"%\(word)\", which is none of \(known) %%")
            }
        }
        self.parts = parts
        self.text = text
        try Self.check(parts, text)
    }

    /// The format as it was written.
    public var description: String { text }

    private static func check(_ parts: [Part], _ text: String) throws(RuleError) {
        func fault(_ message: String) -> RuleError { RuleError("the date format \"\(text)\" \(message)") }
        var fields: [Field] = []
        var former: Part?
        for part in parts {
            if case .field(.fraction)? = former, Self.continuesDigits(part) {
                throw fault("has digits right behind %f")
            }
            if case .field(.unixSeconds)? = former, Self.continuesDigits(part) {
                throw fault("has digits right behind %s")
            }
            former = part
            guard case .field(let field) = part else { continue }
            if fields.contains(where: { $0.subject == field.subject }) {
                throw fault("names the \(field.subject) twice")
            }
            fields.append(field)
        }
        func has(_ list: Field...) -> Bool { fields.contains { list.contains($0) } }
        if has(.unixSeconds) {
            guard fields.allSatisfy(\.isOpenEnded) else { throw fault("has %s, so it can have nothing else but %f") }
            return
        }
        guard has(.year, .shortYear) else { throw fault("names no year; write %Y or %y, or %s for Unix seconds") }
        let hasMonth = has(.month, .monthName, .longMonthName)
        if has(.dayOfYear), hasMonth || has(.day, .paddedDay) {
            throw fault("names the day of the year and another day")
        }
        if has(.day, .paddedDay), !hasMonth { throw fault("names a day but no month; write %m or %b") }
        if has(.hourOfHalf) != has(.half) { throw fault("has one of %I and %p without the other") }
        if has(.minute), !has(.hour, .hourOfHalf) { throw fault("names a minute but no hour") }
        if has(.second), !has(.minute) { throw fault("names a second but no minute") }
        if has(.fraction), !has(.second) { throw fault("names a fraction but no second") }
    }

    private static func continuesDigits(_ part: Part) -> Bool {
        switch part {
        case .byte(let byte): byte &- 0x30 < 10
        case .field(let field): field.beginsWithDigit
        }
    }
}
