import LosslessJSON
import TestSupport
import Testing

@Suite struct DecimalTests {
    private func decimal(_ text: String) -> ExactDecimal {
        guard let value = ExactDecimal(text: text) else {
            Issue.record("\(text) is refused")
            return .zero
        }
        return value
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.000e5", "0"), ("1.0", "1"), ("1e2", "100"), ("12.50", "12.5"),
        ("-0.001", "-0.001"), ("1e-3", "0.001"), ("1E+0", "1"), ("100e-2", "1"),
        ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
        ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
        ("1e39", "1" + String(repeating: "0", count: 39)), ("1e40", "1e+40"), ("-12e40", "-1.2e+41"),
        ("1e-39", "0." + String(repeating: "0", count: 38) + "1"), ("1e-40", "1e-40"), ("125e-50", "1.25e-48"),
        ("7.18e+369377954", "7.18e+369377954"), ("1e999999999999999", "1e+999999999999999"),
        ("1e0000000000000000000000002", "100"),
    ])
    func canonicalText(input: String, output: String) {
        #expect(decimal(input).text == output)
        #expect(decimal(output) == decimal(input))
    }

    @Test(arguments: [
        "", "-", "+1", "01", "1.", ".1", "1e", "1e+", " 1", "1 ", "NaN", "0x1", "1e1000000000000000",
        "10e999999999999999", "0.1e-999999999999999", "1e99999999999999999999999999", "--1", "1.2.3", "١",
    ])
    func refusedText(input: String) {
        #expect(ExactDecimal(text: input) == nil)
    }

    @Test func hugeExponentsCompareByTextAlone() throws {
        let texts = ["1e1000000000000000", "10e999999999999999", "1.0e1000000000000000", "1e999999999999999"]
        let numbers = try texts.map { try #require(JSONNumber(text: $0)) }
        for (left, leftNumber) in numbers.enumerated() {
            for (right, rightNumber) in numbers.enumerated() {
                #expect((leftNumber == rightNumber) == (left == right))
                let bytes = JSONValue.number(leftNumber).canonicalBytes
                #expect((bytes == JSONValue.number(rightNumber).canonicalBytes) == (left == right))
            }
        }
        #expect(JSONNumber(text: "1e") == nil)
    }

    /// Every pair of a set of small spellings against exact integers (values times 1,000).
    @Test func agreesWithIntegers() throws {
        var spellings: [(text: String, thousandths: Int128)] = []
        for mantissa in [0, 1, 5, 9, 10, 11, 99, 100, 101, 999, 1_000, 123_456] as [Int128] {
            for (exponent, factor) in [
                (-3, 1), (-2, 10), (-1, 100), (0, 1_000), (1, 10_000), (12, 1_000_000_000_000_000),
            ] {
                for sign in [1, -1] as [Int128] {
                    let text = "\(sign < 0 ? "-" : "")\(mantissa)\(exponent == 0 ? "" : "e\(exponent)")"
                    spellings.append((text, sign * mantissa * Int128(factor)))
                }
            }
        }
        for left in spellings {
            let leftValue = decimal(left.text)
            #expect(leftValue.isZero == (left.thousandths == 0))
            #expect(leftValue.isNegative == (left.thousandths < 0))
            for right in spellings {
                let rightValue = decimal(right.text)
                guard (leftValue < rightValue) == (left.thousandths < right.thousandths),
                    (leftValue == rightValue) == (left.thousandths == right.thousandths),
                    try leftValue.adding(rightValue) == exact(left.thousandths + right.thousandths),
                    try leftValue.subtracting(rightValue) == exact(left.thousandths - right.thousandths)
                else {
                    Issue.record("\(left.text) and \(right.text)")
                    return
                }
                if leftValue == rightValue { #expect(leftValue.hashValue == rightValue.hashValue) }
            }
        }
    }

    @Test func randomSumsAgreeWith128Bits() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<20_000 {
            let shift = Int128(random.below(90))
            let left = Int128.random(in: -(1 << 100)...(1 << 100), using: &random) >> shift
            let right = Int128.random(in: -(1 << 100)...(1 << 100), using: &random) >> Int128(random.below(100))
            let sum = try exact(left).adding(exact(right))
            let difference = try exact(left).subtracting(exact(right))
            guard sum == exact(left + right), difference == exact(left - right),
                (exact(left) < exact(right)) == (left < right), exact(left).negated == exact(-left),
                exact(left).magnitude == exact(left.magnitude), try difference.adding(exact(right)) == exact(left)
            else {
                Issue.record("\(left) and \(right)")
                return
            }
        }
    }

    /// A value given in thousandths.
    private func exact(_ thousandths: some BinaryInteger) -> ExactDecimal { decimal("\(thousandths)e-3") }

    @Test func sumsAreBounded() throws {
        let nines = String(repeating: "9", count: 1_000)
        #expect(throws: ExactDecimal.Overflow.self) { try decimal(nines).adding(ExactDecimal(2)) }
        #expect(try decimal(nines).adding(ExactDecimal(1)) == decimal("1e1000"))
        #expect(try decimal(nines).subtracting(ExactDecimal(9)).text.utf8.count > 900)
        #expect(throws: ExactDecimal.Overflow.self) { try decimal("1e1000").adding(ExactDecimal(1)) }
        #expect(try decimal("1e999").adding(ExactDecimal(1)).text.hasPrefix("1.000"))
        #expect(throws: ExactDecimal.Overflow.self) { try decimal("1e999999999999999").adding(ExactDecimal(1)) }
        #expect(throws: ExactDecimal.Overflow.self) { try decimal("1e-999999999999999").subtracting(ExactDecimal(1)) }
        #expect(throws: ExactDecimal.Overflow.self) { try decimal(nines + "9").adding(.zero) }
        #expect(throws: ExactDecimal.Overflow.self) {
            try decimal("9e999999999999999").adding(decimal("1e999999999999999"))
        }
        #expect(try decimal("4e999999999999999").adding(decimal("1e999999999999999")).text == "5e+999999999999999")
        #expect(try decimal("1e2000").subtracting(decimal("1e2000")) == .zero)
    }

    @Test func edgesOf64Bits() throws {
        let least = ExactDecimal(Int.min)
        #expect(least.negated.text == "9223372036854775808")
        #expect(least.negated.negated == least)
        #expect(least.magnitude == decimal("9223372036854775808"))
        #expect(try least.subtracting(ExactDecimal(1)).adding(ExactDecimal(1)).int == Int.min)
        #expect(try ExactDecimal(Int.max).adding(ExactDecimal(Int.max)).text == "18446744073709551614")
        #expect(decimal("922337203685477580.7e1").int == Int.max)
        #expect(decimal("0.5").int == nil)
    }
}
