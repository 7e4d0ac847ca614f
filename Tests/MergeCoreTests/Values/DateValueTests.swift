import TestSupport
import Testing

@testable import MergeCore

@Suite struct DateValueTests {
    private func instant(_ text: String) -> DateValue? { DateValue(Array(text.utf8)) }

    @Test(arguments: [
        ("2024-01-31", "2024-01-31T00:00:00Z"), ("2024-01-31 10:20", "2024-01-31T10:20:00Z"),
        ("2024-01-31T10:20:30.500Z", "2024-01-31T10:20:30.5Z"), ("2021-12-10 22:51:34 -0600", "2021-12-11T04:51:34Z"),
        ("2024-02-29t00:00:00,25+01", "2024-02-28T23:00:00.25Z"), ("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("0000-03-01", "0000-03-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"), ("1900-02-28T24:00Z", nil), ("1900-02-29", nil),
        ("2000-02-29", "2000-02-29T00:00:00Z"), ("0000-01-01T00:00+01:00", nil), ("9999-12-31T23:59:60Z", nil),
        ("9999-12-31T23:00-01:00", nil), ("2024-1-31", nil), ("2024-01-31T10:20:", nil), ("2024-01-31T10:20:30.Z", nil),
        ("2024-01-31T10:20+2", nil), ("2024-01-31T10:20+02:", nil), ("2024-01-31T10:20+02:60", nil), ("", nil),
        ("2024-01-31T10:20 Z", "2024-01-31T10:20:00Z"), ("2024-01-31T10:20 ", nil), ("2024-01-31T10:20Z ", nil),
    ])
    func readAndSpelled(text: String, expected: String?) {
        #expect(instant(text)?.text == expected)
    }

    @Test func aLongFractionIsExactUpToItsLimit() {
        let digits = String(repeating: "3", count: 64)
        #expect(instant("2024-01-31T10:20:30.\(digits)")?.text == "2024-01-31T10:20:30.\(digits)Z")
        #expect(instant("2024-01-31T10:20:30.\(digits)000Z")?.text == "2024-01-31T10:20:30.\(digits)Z")
        #expect(instant("2024-01-31T10:20:30.\(digits)3") == nil)
    }

    @Test func theSpellingReadsBackToTheSameInstant() throws {
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let fraction = (0..<random.below(5)).map { _ in UInt8(0x30 + random.below(10)) }
            let instant = try #require(DateValue(seconds: seconds, fraction: fraction))
            #expect(DateValue(Array(instant.text.utf8)) == instant, "seed \(seed): \(instant.text)")
        }
        #expect(DateValue(seconds: -62_167_219_201) == nil)
        #expect(DateValue(seconds: 253_402_300_800) == nil)
        #expect(DateValue(seconds: .min) == nil && DateValue(seconds: .max) == nil)
    }

    @Test func orderIsThatOfTime() throws {
        let sorted = [
            "1969-12-31T23:59:59.5", "1970-01-01", "1970-01-01T00:00:00.05", "1970-01-01T00:00:00.5", "1970-01-02",
        ]
        let instants = try sorted.map { try #require(instant($0)) }
        #expect(instants == instants.reversed().sorted())
    }
}
