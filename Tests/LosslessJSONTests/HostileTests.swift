import LosslessJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileTests {
    @Test func manyKeys() throws {
        var keys = (0..<100_000).map { "\"key number \($0)\":0" }
        let document = try JSONDocument(parsing: utf8("{" + keys.joined(separator: ",") + "}"))
        #expect(document.count(document.root) == 100_000)
        #expect(document.nodeCount == 100_001)
        keys.append(keys[5])
        #expect(failure(utf8("{" + keys.joined(separator: ",") + "}"))?.message.contains("key number 5") == true)
        let escaped = keys.dropLast().map { $0.replacing("key", with: "\\u006bey") }
        #expect(failure(utf8("{" + escaped.joined(separator: ",") + "}")) == nil)
    }

    @Test func longNumber() throws {
        let digits = String(repeating: "1234567890", count: 100_000)
        let document = try JSONDocument(parsing: utf8("[\(digits),\(digits).0,0.\(digits)]"))
        let numbers = document.elements(document.root).compactMap { document.number($0) }
        #expect(numbers[0] == numbers[1])
        #expect(numbers[0] != numbers[2])
        let value = try #require(numbers[0].decimal)
        #expect(value > ExactDecimal(1))
        #expect(throws: ExactDecimal.Overflow.self) { try value.adding(ExactDecimal(1)) }
        #expect(value.text.hasSuffix("e+999999"))
    }

    @Test func exponentsAreNeverExpanded() throws {
        let huge = try #require(ExactDecimal(text: "1e1000000000"))
        let tiny = try #require(ExactDecimal(text: "1e-999999999999999"))
        #expect(huge > ExactDecimal(1) && tiny < ExactDecimal(1) && tiny > .zero && huge.negated < tiny)
        #expect(huge.text == "1e+1000000000")
        #expect(huge != tiny && huge.hashValue == huge.hashValue)
    }

    @Test func longFlatText() throws {
        let document = try JSONDocument(parsing: utf8("[" + String(repeating: "0,", count: 1_000_000) + "0]"))
        #expect(document.count(document.root) == 1_000_001)
        let spaces = String(repeating: " ", count: 5_000_000)
        #expect(failure(utf8(spaces + "1" + spaces)) == nil)
        #expect(failure(utf8(spaces))?.column == 5_000_001)
        let string = "\"" + String(repeating: "日本語", count: 300_000) + "\""
        #expect(failure(utf8(string)) == nil)
    }

    @Test func deepDifferencesAreFoundInLinearTime() throws {
        func text(_ number: String) -> [UInt8] {
            let long = String(repeating: "x", count: 1_000_000)
            return utf8(
                String(repeating: "[", count: 500) + "\"\(long)\"," + number + String(repeating: "]", count: 500)
            )
        }
        let (left, right) = (try JSONDocument(parsing: text("1.0")), try JSONDocument(parsing: text("1e0")))
        #expect(left.sameValue(left.root, as: right.root, in: right))
        #expect(!left.sameText(left.root, as: right.root, in: right))
    }

    @Test func manyEditsOfOneContainer() throws {
        let document = try JSONDocument(parsing: utf8("[" + String(repeating: "{\"a\":0},", count: 50_000) + "0]"))
        var edits: [JSONEdit] = []
        for (index, element) in document.elements(document.root).enumerated() where index % 2 == 0 {
            edits.append(.remove(element))
        }
        for index in 0..<20_000 { edits.append(.appendElement(to: document.root, .number(JSONNumber(index)))) }
        let patched = try JSONDocument(parsing: document.patched(edits))
        #expect(patched.count(patched.root) == 25_000 + 20_000)
    }
}
