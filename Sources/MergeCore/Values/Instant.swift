/// A point in time read from a save: whole seconds since 1970 and a decimal fraction, exact.
///
/// Reads `YYYY-MM-DD`, then optionally `T` or a space and `HH:MM[:SS[.fraction]]`, then optionally a zone (`Z`,
/// `±HH:MM`, `±HHMM`, `±HH`, a space before it allowed). Without a zone the time counts as UTC. Proleptic Gregorian
/// calendar (days from civil, Hinnant).
struct Instant: Hashable, Comparable {
    let seconds: Int64
    /// Fraction digits without trailing zeros.
    let fraction: [UInt8]

    static func < (a: Instant, b: Instant) -> Bool {
        a.seconds != b.seconds ? a.seconds < b.seconds : a.fraction.lexicographicallyPrecedes(b.fraction)
    }

    init?(_ text: [UInt8]) {
        guard text.count <= 64 else { return nil }
        var reader = Reader(text: text[...])
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        var seconds = Self.daysSince1970(year, month, day) * 86_400
        var fraction: [UInt8] = []
        if reader.skip("T") || reader.skip("t") || reader.skip(" ") {
            guard let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2), hour < 24, minute < 60
            else { return nil }
            var second: Int64 = 0
            if reader.skip(":") {
                guard let value = reader.digits(2), value <= 60 else { return nil }
                second = value
                if reader.skip(".") || reader.skip(",") {
                    fraction = reader.allDigits()
                    guard !fraction.isEmpty else { return nil }
                }
            }
            seconds += hour * 3_600 + minute * 60 + second
            guard let offset = reader.zone() else { return nil }
            seconds -= offset
        }
        guard reader.text.isEmpty else { return nil }
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        self.seconds = seconds
        self.fraction = fraction
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Reader {
        var text: ArraySlice<UInt8>

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard text.first == UInt8(ascii: character) else { return false }
            text = text.dropFirst()
            return true
        }

        mutating func digits(_ count: Int) -> Int64? {
            guard text.count >= count else { return nil }
            var value: Int64 = 0
            for byte in text.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            text = text.dropFirst(count)
            return value
        }

        mutating func allDigits() -> [UInt8] {
            let run = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            text = text.dropFirst(run.count)
            return Array(run)
        }

        /// Seconds east of UTC; 0 where no zone is given; `nil` where what follows is none.
        mutating func zone() -> Int64? {
            guard !text.isEmpty else { return 0 }
            _ = skip(" ")
            if skip("Z") || skip("z") { return 0 }
            let sign: Int64
            if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
            guard let hour = digits(2), hour < 24 else { return nil }
            if text.isEmpty { return sign * hour * 3_600 }
            _ = skip(":")
            guard let minute = digits(2), minute < 60 else { return nil }
            return sign * (hour * 3_600 + minute * 60)
        }
    }
}
