import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

@Suite struct DateFormatTests {
    private func read(_ format: String, _ text: String) throws -> String? {
        try DateFormat(parsing: format).instant(Array(text.utf8))?.text
    }

    @Test(arguments: [
        ("%d.%m.%Y %H:%M", "31.01.2024 10:20", "2024-01-31T10:20:00Z"),
        ("%d.%m.%Y", "1.2.2024", "2024-02-01T00:00:00Z"),
        ("%Y%m%d%H%M%S", "20240131102030", "2024-01-31T10:20:30Z"), ("%y-%m", "69-12", "1969-12-01T00:00:00Z"),
        ("%y", "68", "2068-01-01T00:00:00Z"), ("%e %b %Y", " 3 Feb 2024", "2024-02-03T00:00:00Z"),
        ("%e %b %Y", "13 february 2024", "2024-02-13T00:00:00Z"), ("%B %d, %Y", "MAY 5, 2024", "2024-05-05T00:00:00Z"),
        ("%m/%d/%y %I:%M %p", "3/4/24 12:05 AM", "2024-03-04T00:05:00Z"),
        ("%m/%d/%y %I:%M%p", "3/4/24 12:05pm", "2024-03-04T12:05:00Z"),
        ("%m/%d/%y %p%I", "3/4/24 PM11", "2024-03-04T23:00:00Z"), ("%Y-%j", "2024-060", "2024-02-29T00:00:00Z"),
        ("%Y-%j", "2023-365", "2023-12-31T00:00:00Z"), ("%Y-%j", "2024-366", "2024-12-31T00:00:00Z"),
        ("%Y %j", "2023 366", nil), ("%Y %j", "2023 0", nil),
        ("%Y-%m-%dT%H:%M:%S.%f%z", "2024-01-31T10:20:30.1250+02:00", "2024-01-31T08:20:30.125Z"),
        ("%Y-%m-%dT%H:%M:%S.%f%z", "2024-01-31T10:20:30.0Z", "2024-01-31T10:20:30Z"),
        ("%Y%z", "2024-0330", "2024-01-01T03:30:00Z"), ("%Y%z", "2024+03", "2023-12-31T21:00:00Z"),
        ("%s", "1700000000", "2023-11-14T22:13:20Z"), ("%s", "-1", "1969-12-31T23:59:59Z"),
        ("%s.%f", "1.5", "1970-01-01T00:00:01.5Z"), ("%s.%f", "-1.25", "1969-12-31T23:59:58.75Z"),
        ("%s.%f", "-0.100", "1969-12-31T23:59:59.9Z"), ("%s.%f", "-2.000", "1969-12-31T23:59:58Z"),
        ("%s", "99999999999999999999", nil), ("%s", "999999999999999999", nil), ("%s", "1e3", nil), ("%s", "", nil),
        ("%Y%%", "2024%", "2024-01-01T00:00:00Z"), ("Jahr é %Y", "Jahr é 2024", "2024-01-01T00:00:00Z"),
        ("%d.%m.%Y", "30.02.2024", nil), ("%d.%m.%Y", "31.13.2024", nil), ("%d.%m.%Y", "0.01.2024", nil),
        ("%d.%m.%Y", "31.01.2024 ", nil), ("%d.%m.%Y", "31.01.24", nil), ("%d.%m.%Y %H:%M", "31.01.2024 24:00", nil),
        ("%Y %b", "2024 xyz", nil), ("%Y %I %p", "2024 0 AM", nil), ("%Y %I %p", "2024 13 AM", nil),
        ("%Y %I %p", "2024 1 XM", nil), ("%Y%z", "2024+2500", nil), ("%Y%z", "2024", nil), ("%Y", "+202", nil),
        ("%e.%m.%Y", "  3.01.2024", nil), ("%Y-%m-%d%z", "0000-01-01+0100", nil),
    ])
    func reads(format: String, text: String, expected: String?) throws {
        #expect(try read(format, text) == expected)
    }

    @Test(arguments: [
        ("%Q", "which is none of %Y"), ("%Y%", "ends in"), ("", "names no year"), ("%H:%M", "names no year"),
        ("%Y %y", "names the year twice"), ("%Y %m %B", "names the month twice"),
        ("%Y %d %m %e", "names the day twice"),
        ("%Y %d", "a day but no month"), ("%Y %j %m", "another day"), ("%Y %I", "without the other"),
        ("%Y %H %p", "without the other"), ("%Y %H %I %p", "names the hour twice"), ("%Y %M", "no hour"),
        ("%Y %H %S", "no minute"), ("%Y %f", "no second"), ("%s %Y", "nothing else"), ("%s %s", "twice"),
        ("%Y %H %M %S.%f%d %m", "digits right behind %f"), ("%s%f", "digits right behind %s"),
        ("%s0", "right behind %s"),
    ])
    func refuses(format: String, says: String) throws {
        let error = try #require(throws: RuleError.self) { try DateFormat(parsing: format) }
        #expect(error.message.contains(says), "\(error)")
    }

    @Test func formatsHaveALimit() {
        #expect(throws: RuleError.self) { try DateFormat(parsing: "%Y" + String(repeating: "x", count: 127)) }
        #expect(throws: Never.self) { try DateFormat(parsing: "%Y" + String(repeating: "x", count: 126)) }
    }

    /// Whatever the text, reading ends, and what it gives can be spelled.
    @Test func anyTextIsReadOrRefused() throws {
        let words = DateFormat.Field.allCases.map { "%\($0.rawValue)" } + [".", " ", "%%", "-", "T"]
        var formats = 0
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let format = (0..<(1 + random.below(6))).map { _ in random.pick(words) }.joined()
            guard let dates = try? DateFormat(parsing: format) else { continue }
            formats += 1
            for _ in 0..<20 {
                let text = (0..<random.below(20)).map { _ in random.pick(Array("0123456789.- TZ+aApPmMjanJAN%".utf8)) }
                guard let instant = dates.instant(text) else { continue }
                #expect(DateValue(Array(instant.text.utf8)) == instant, "seed \(seed)")
            }
        }
        #expect(formats > 100)
    }

    @Test func aRuleReadsDatesInItsFormat() {
        let rule = MergeRule(.max, as: .date, format: "%d.%m.%Y")
        #expect(rule.reads("31.01.2024") && !rule.reads("2024-01-31"))
        #expect(Ordinal("01.02.2024", by: rule)! > Ordinal("31.01.2024", by: rule)!)
        var other = rule
        other.format = "%Y"
        #expect(other.reads("2024") && !other.reads("31.01.2024"))
        other.format = nil
        #expect(other.reads("2024-01-31") && other == MergeRule(.max, as: .date))
    }
}
