/// A calendar day at the place of the player. The caller makes it: this module asks no clock and no time zone.
package struct LocalDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Makes a day; `nil` outside years 1 to 9999, months 1 to 12, days 1 to 31. A day that a month lacks is not
    /// refused.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9_999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads a number such as 20261121, as backups store it.
    package init?(number: UInt32) {
        self.init(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
    }

    /// The day as a number, such as 20261121.
    package var number: UInt32 { UInt32(year * 10_000 + month * 100 + day) }

    /// The day as text, such as 2026-11-21.
    package var description: String {
        let digits = String(number)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return "\(padded.prefix(4))-\(padded.dropFirst(4).prefix(2))-\(padded.suffix(2))"
    }

    package static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }
}
