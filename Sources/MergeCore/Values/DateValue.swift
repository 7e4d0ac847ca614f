/// A date read from a save, as a point in time: whole seconds since 1970 and a decimal fraction, without rounding.
///
/// It is in the years 0000 to 9999 of UTC, so that ``text`` can spell it. The calendar is the proleptic Gregorian one
/// (days from civil, Hinnant).
package struct DateValue: Hashable, Comparable, Sendable {
    let seconds: Int64
    /// The digits of the fraction, as ASCII, without zeros at the end. The fraction counts forwards from `seconds`,
    /// also before 1970.
    let fraction: [UInt8]

    /// Most digits a fraction may have.
    static let fractionLimit = 64
    /// The seconds of 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    package static func < (a: DateValue, b: DateValue) -> Bool {
        a.seconds != b.seconds ? a.seconds < b.seconds : a.fraction.lexicographicallyPrecedes(b.fraction)
    }

    /// Makes a date value; `nil` if the year in UTC is not 0000 to 9999, or if the fraction has too many digits.
    ///
    /// - Parameter fraction: ASCII digits.
    init?(seconds: Int64, fraction: [UInt8] = []) {
        guard Self.range.contains(seconds) else { return nil }
        var fraction = fraction
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        guard fraction.count <= Self.fractionLimit else { return nil }
        self.seconds = seconds
        self.fraction = fraction
    }

    /// A date and a time of day, as calendars and clocks show them.
    struct CivilFields: Hashable, Sendable {
        var year: Int64 = 1970
        var month: Int64 = 1
        var day: Int64 = 1
        var hour: Int64 = 0
        var minute: Int64 = 0
        /// 0 to 60. A leap second (60) counts as the first second of the next minute.
        var second: Int64 = 0
        /// The digits of the fraction of a second, as ASCII.
        var fraction: [UInt8] = []
        /// Seconds east of UTC.
        var offset: Int64 = 0
    }

    /// Makes a date value of a date and time; `nil` if there is no such day or time.
    init?(_ fields: CivilFields) {
        guard (0...9_999).contains(fields.year), (1...12).contains(fields.month),
            (1...Self.days(in: fields.month, of: fields.year)).contains(fields.day), (0..<24).contains(fields.hour),
            (0..<60).contains(fields.minute), (0...60).contains(fields.second),
            (-86_399...86_399).contains(fields.offset)
        else { return nil }
        let days = Self.daysSince1970(fields.year, fields.month, fields.day)
        let time = fields.hour * 3_600 + fields.minute * 60 + fields.second
        self.init(seconds: days * 86_400 + time - fields.offset, fraction: fields.fraction)
    }

    /// The spelling that all equal instants share: ISO 8601 in UTC, such as `2024-01-31T10:20:30.5Z`. The initializer
    /// that reads ISO 8601 reads it back.
    var text: String {
        let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let time = seconds - day * 86_400
        let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
        var text = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
        text += "T\(Self.padded(time / 3_600, 2)):\(Self.padded(time / 60 % 60, 2)):\(Self.padded(time % 60, 2))"
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        return text + "Z"
    }

    static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
