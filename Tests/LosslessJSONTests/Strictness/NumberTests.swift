import LosslessJSON
import Testing

/// RFC 8259 section 6: the grammar of numbers, and that nothing is lost of what it allows.
@Suite struct NumberTests {
    @Test(arguments: [
        Refused("▸01", "needless zero"), Refused("[-▸012]", "needless zero"), Refused("[▸00]", "needless zero"),
        Refused("▸00.5", "needless zero"), Refused("-▸00", "needless zero"), Refused("▸0123e4", "needless zero"),
        Refused("▸+1", "must not begin with '+'"), Refused("[1,▸+0]", "must not begin with '+'"),
        Refused("▸.5", "digit before its point"), Refused("-▸.5", "digit before its point"),
        Refused("▸.", "digit before its point"),
        Refused("1.▸", "expected a digit after the point, found the end of the text"),
        Refused("[1.▸]", "expected a digit after the point, found ']'"),
        Refused("1.▸e3", "digit after the point, found 'e'"), Refused("1.▸.2", "digit after the point, found '.'"),
        Refused("1.▸-2", "digit after the point"), Refused("0.▸ 5", "digit after the point"),
        Refused("1e▸", "digit in the exponent"), Refused("1e+▸", "digit in the exponent"),
        Refused("1E-▸", "digit in the exponent"), Refused("1e▸.5", "digit in the exponent, found '.'"),
        Refused("1e+▸-5", "digit in the exponent, found '-'"), Refused("1e▸e5", "digit in the exponent, found 'e'"),
        Refused("1e5▸.5", "nothing after the value"), Refused("1e5▸e5", "nothing after the value"),
        Refused("1.2▸.3", "nothing after the value"), Refused("1▸-2", "nothing after the value"),
        Refused("-▸", "expected a digit, found the end of the text"), Refused("[-▸]", "expected a digit, found ']'"),
        Refused("-▸-1", "expected a digit, found '-'"), Refused("-▸ 1", "expected a digit, found ' '"),
        Refused("-▸+1", "expected a digit"), Refused("-▸e1", "expected a digit"), Refused("▸e1", "found 'e'"),
        Refused("0▸x10", "nothing after the value"), Refused("1▸_000", "nothing after the value"),
        Refused("[0▸b1]", "expected ',' or ']'"), Refused("[1▸f]", "expected ',' or ']'"),
        Refused("[1▸n]", "expected ',' or ']'"), Refused("[1▸'000]", "expected ',' or ']'"),
        Refused("▸١", "U+0661"), Refused("1▸٢", "U+0662"), Refused("▸−1", "U+2212"), Refused("▸½", "U+00BD"),
        Refused("1▸,5", "nothing after the value"), Refused("[1▸ 000]".replacing(" ", with: "\u{A0}"), "U+00A0"),
    ])
    func refused(_ text: Refused) { text.check() }

    @Test(arguments: [
        "0", "-0", "-0.0", "0e0", "-0.0e-0", "0E+0", "0.00", "1", "-1", "10", "1.0", "1.50", "1e2", "1E2", "1e+2",
        "1E-2", "1e00", "1e+002", "1.0e-0", "9007199254740993", "18446744073709551616", "-9223372036854775809", "1e308",
        "1e309", "1e999", "-1e999", "1e-999", "4.9e-325",
        "1e1000000000", "1e-1000000000", "1e999999999999999999999999999999",
        "-0e-999999999999999999999999999999", "0.1e1", "123456789012345678901234567890.123456789012345678901234567890",
    ])
    func kept(number: String) throws {
        for (before, after) in [("", ""), (" ", "\n"), ("[", "]"), ("[7,", ",7]"), ("{\"a\":", "}"), ("\u{FEFF}", "")] {
            let input = utf8(before + number + after)
            let document = try JSONDocument(parsing: input)
            let nodes = document.allNodes.filter { document.number($0)?.text == number }
            #expect(nodes.count == 1 && nodes.allSatisfy { Array(document.text($0)) == utf8(number) })
            #expect(try JSONValue(parsing: document.value(document.root).jsonBytes).jsonBytes == compact(input))
        }
        #expect(try JSONDocument(parsing: utf8("[1,\(number)]")).patched([]) == utf8("[1,\(number)]"))
    }

    private func compact(_ bytes: [UInt8]) -> [UInt8] {
        bytes.filter { ![0x20, 0x0A, 0xEF, 0xBB, 0xBF].contains($0) }
    }

    /// From one digit to 10,000, in every part of a number: each is kept digit by digit and compared exactly.
    @Test func anyNumberOfDigits() throws {
        for count in [1, 2, 7, 8, 9, 15, 16, 17, 18, 19, 20, 21, 63, 64, 65, 308, 309, 1_000, 4_095, 10_000] {
            let digits = String(String(repeating: "1234567890", count: count / 10 + 1).prefix(count))
            let more = digits.dropLast() + (digits.last == "9" ? "8" : "9")
            for (text, other) in [
                (digits, String(more)), ("-" + digits, digits), ("0." + digits, "0." + more),
                (digits + "." + digits, digits + "." + more), (digits + "e5", more + "e5"),
                ("1e" + digits, "1e-" + digits),
            ] {
                let document = try JSONDocument(parsing: utf8("[\(text),\(other)]"))
                let numbers = document.elements(document.root).compactMap { document.number($0) }
                #expect(numbers.map(\.text) == [text, other])
                #expect(numbers[0] != numbers[1], "\(count) digits")
                #expect(numbers[0] == numbers[0] && numbers[0].hashValue == numbers[0].hashValue)
            }
            #expect(ExactDecimal(text: digits) == ExactDecimal(text: digits + ".000"))
        }
    }

    /// All texts of up to five characters that numbers are made of, against the grammar as a regular expression.
    @Test func everyShortSpelling() throws {
        let grammar = try Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?", as: AnyRegexOutput.self)
        var texts = [""]
        for _ in 0..<5 {
            texts = texts.flatMap { text in "05-+.eE".map { text + String($0) } }
            for text in texts {
                let isValid = text.wholeMatch(of: grammar) != nil
                guard (failure(utf8(text)) == nil) == isValid, (failure(utf8("[\(text)]")) == nil) == isValid,
                    (JSONNumber(text: text) != nil) == isValid, (ExactDecimal(text: text) != nil) == isValid
                else {
                    Issue.record("\(text) should be \(isValid ? "a number" : "refused")")
                    return
                }
            }
        }
    }
}

extension JSONDocument {
    /// Every value, in the order of the text.
    var allNodes: [JSONNode] {
        var nodes: [JSONNode] = []
        walk(root) { nodes.append($0) }
        return nodes
    }
}
