#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as saves spell them: ISO 8601 in UTC, with as many digits of the fraction of a second as the date needs, at
/// most nine.
enum DateText {
    /// Years 0 to 9999, in seconds since 1970: what ISO 8601 can write with four digits.
    private static let range: ClosedRange<Double> = -62_167_219_200...253_402_300_799
    /// Nine digits (nanoseconds).
    private static let mostDigits = 9

    /// The ISO 8601 text of a date; `nil` outside the years 0 to 9999.
    static func text(_ date: Date) -> String? {
        guard range.contains(date.timeIntervalSince1970) else { return nil }
        let time = date.timeIntervalSinceReferenceDate
        var whole = time.rounded(.down)
        var digits = fraction(time, whole)
        if digits == nil { (whole, digits) = (whole + 1, "") }
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
        return digits!.isEmpty ? text : "\(text.dropLast()).\(digits!)Z"
    }

    /// Reads ISO 8601 text of at most 64 bytes: a day, or a day and a time, with a zone or in UTC, with or without a
    /// fraction. `nil` for anything else.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        var plain = text
        var fraction = 0.0
        if let point = text.firstIndex(where: { $0 == "." || $0 == "," }) {
            let digits = text[text.index(after: point)...].prefix { ("0"..."9").contains($0) }
            guard let value = Double("0.\(digits)"), !digits.isEmpty else { return nil }
            fraction = value
            plain = String(text[..<point]) + text[digits.endIndex...]
        }
        for style in styles {
            guard let date = try? style.parse(plain) else { continue }
            return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
        }
        return nil
    }

    private static let styles: [Date.ISO8601FormatStyle] = [
        .iso8601,
        .iso8601.year().month().day().time(includingFractionalSeconds: false).timeZone(separator: .colon),
        .iso8601.year().month().day().time(includingFractionalSeconds: false),
        .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false),
        .iso8601.year().month().day(),
    ]

    /// The fewest digits that give the same time back, without zeros at the end; `nil` where they round up to a whole
    /// second.
    private static func fraction(_ time: Double, _ whole: Double) -> String? {
        let rest = time - whole
        var scale = 1.0
        for count in 0...mostDigits {
            let value = (rest * scale).rounded()
            if whole + value / scale == time || count == mostDigits {
                guard value < scale else { return value == 0 ? "" : nil }
                if value == 0 { return "" }
                let digits = String(Int(value))
                return String(repeating: "0", count: count - digits.count) + digits
            }
            scale *= 10
        }
        return ""
    }
}
