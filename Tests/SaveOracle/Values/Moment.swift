/// A date and time, read from a text: seconds since 1970.
package struct Moment: Comparable, Sendable {
    package let seconds: Int

    /// - Parameter format: In the words `%d %m %Y %H %M %S`; without one as in ISO 8601.
    package init?(_ text: String, format: String?) {
        guard let seconds = format.map({ Self.read(text, $0) }) ?? Self.readISO(text) else { return nil }
        self.seconds = seconds
    }

    package static func < (one: Moment, two: Moment) -> Bool { one.seconds < two.seconds }

    private static func read(_ text: String, _ format: String) -> Int? {
        var rest = text[...]
        var parts: [Character: Int] = [:]
        var words = format[...]
        while let character = words.popFirst() {
            guard character == "%", let word = words.popFirst() else {
                guard rest.popFirst() == character else { return nil }
                continue
            }
            let digits = rest.prefix(word == "Y" ? 4 : 2)
            guard let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            parts[word] = number
        }
        guard rest.isEmpty, let year = parts["Y"], let month = parts["m"], let day = parts["d"] else { return nil }
        let time = (parts["H"] ?? 0) * 3_600 + (parts["M"] ?? 0) * 60 + (parts["S"] ?? 0)
        return days(year, month, day) * 86_400 + time
    }

    /// `2024-05-01T20:00:00+02:00`; a space may stand for the `T` and before the zone.
    private static func readISO(_ text: String) -> Int? {
        let characters = Array(text)
        guard characters.count >= 20 else { return nil }
        let local = String(characters[..<19]).replacing("T", with: " ")
        guard let seconds = read(local, "%Y-%m-%d %H:%M:%S") else { return nil }
        let zone = String(characters[19...]).filter { $0 != " " && $0 != ":" }
        if zone == "Z" { return seconds }
        guard zone.count == 5, let sign = zone.first, let number = Int(zone.dropFirst()) else { return nil }
        let offset = (number / 100) * 3_600 + (number % 100) * 60
        return sign == "-" ? seconds + offset : seconds - offset
    }

    /// Days since 1970 (proleptic Gregorian).
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
