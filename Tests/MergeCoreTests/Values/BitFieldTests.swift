import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

@Suite struct BitFieldTests {
    @Test(
        arguments: [
            ("0", []), ("-0", []), ("0.0", []), ("5", [0, 2]), ("12.0", [2, 3]), ("1e3", [3, 5, 6, 7, 8, 9]),
            ("1.2e1", [2, 3]), ("4294967296", [32]), ("9223372036854775808", [63]), ("1.8446744073709551616e19", [64]),
            ("1267650600228229401496703205376", [100]),
            ("1606938044258990275541962092341162602522202993782792835301376", [200]),
        ] as [(String, [Int])]
    )
    func numbersAndStringsHoldBits(text: String, bits: [Int]) {
        #expect(BitField(json(text))?.indexes == bits)
        #expect(BitField(.string(JSONString(text)))?.indexes == bits)
    }

    @Test(arguments: [
        "-1", "0.5", "1.05e1", "1e-1", "1e1234", "1e1000000000", "1e99999999999999999999", "true", "null", "[]",
        #""""#, #"" 1""#, #""0x10""#, #""01""#, #""+1""#, #""five""#,
    ])
    func everythingElseIsUnreadable(text: String) {
        #expect(BitField(json(text)) == nil)
    }

    @Test func theLimitIsExact() throws {
        let largest = try #require(BitField(indexes: 0..<4_096))
        #expect(largest.text.utf8.count == 1_234)
        #expect(BitField(.string(JSONString(largest.text))) == largest)
        // The largest and 1 more: its last digit is 5, so nothing is carried (2⁴⁰⁹⁶ ends in 6).
        #expect(largest.text.last == "5")
        #expect(BitField(json(largest.text.dropLast() + "6")) == nil)
        #expect(BitField(indexes: [4_096]) == nil)
        #expect(BitField(indexes: [-1]) == nil)
        #expect(BitField(.string(JSONString(String(repeating: "9", count: 5_000)))) == nil)
    }

    @Test func bitsComeBackFromTheirText() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let top = random.pick([8, 31, 32, 33, 64, 100, 4_096])
            let bits = (0..<random.below(40)).map { _ in random.below(top) }
            let field = try #require(BitField(indexes: bits))
            #expect(field.indexes == Set(bits).sorted(), "seed \(seed)")
            #expect(BitField(json(field.text)) == field, "seed \(seed)")
            #expect(ExactDecimal(text: field.text) != nil, "seed \(seed)")
        }
    }

    @Test func textsComeBackFromTheirBits() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let digits = (0..<(1 + random.below(1_200))).map {
                String($0 == 0 ? 1 + random.below(9) : random.below(10))
            }
            let text = digits.joined()
            #expect(BitField(json(text))?.text == text, "seed \(seed)")
        }
    }

    /// Against the machine's own arithmetic.
    @Test func smallNumbersAgreeWithIntegers() throws {
        var random = SeededRandom(seed: 1)
        let edges: [UInt64] = [0, 1, 2, 3, .max, .max - 1, 1 << 32, 1 << 32 - 1]
        for number in edges + (0..<200).map({ _ in random.next() >> UInt64(random.below(64)) }) {
            let expected = (0..<64).filter { number & (1 << UInt64($0)) != 0 }
            #expect(BitField(json(String(number)))?.indexes == expected)
            #expect(BitField(indexes: expected)?.text == String(number))
        }
    }
}
