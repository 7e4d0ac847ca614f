import LosslessJSON
import Testing

@Suite struct AcceptTests {
    @Test(arguments: [
        ("null", "null"), ("true", "true"), (" false\n", "false"), ("0", "0"), ("-0", "-0"), ("1.0", "1.0"),
        ("-0.0e-0", "-0.0e-0"), ("1E+2", "1E+2"), ("[]", "[]"), ("{}", "{}"), ("[[[]]]", "[[[]]]"),
        ("\t[ 1 ,\r\n2 ]", "[1,2]"), ("{ \"a\" : { \"b\" : [ ] } }", "{\"a\":{\"b\":[]}}"),
        ("\"\"", "\"\""), ("\"\u{7F}\"", "\"\u{7F}\""), ("\"é日\u{10FFFF}\"", "\"é日\u{10FFFF}\""),
        ("\"\\u00e9\\/\\b\\f\\n\\r\\t\\\\\\\"\"", "\"é/\\b\\f\\n\\r\\t\\\\\\\"\""),
        ("\"\\uD83D\\uDE00\"", "\"😀\""), ("\"\\u0000\\u001F\"", "\"\\u0000\\u001f\""),
        ("\"\\ud800\"", "\"\\ud800\""), ("\"\\udc00\\ud800\"", "\"\\udc00\\ud800\""),
        ("\"\\ud800\\ud800\\udc00\"", "\"\\ud800\u{10000}\""), ("\"\\ud800x\\udc00\"", "\"\\ud800x\\udc00\""),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e999", "1e999"),
        ("{\"a\":1,\"A\":2,\"\":3}", "{\"a\":1,\"A\":2,\"\":3}"),
        ("{\"e\u{301}\":1,\"\u{E9}\":2}", "{\"e\u{301}\":1,\"\u{E9}\":2}"),
        ("\u{FEFF}[1]", "[1]"), ("[\"\u{FEFF}\"]", "[\"\u{FEFF}\"]"),
    ])
    func accepted(input: String, compact: String) throws {
        let value = try JSONValue(parsing: utf8(input))
        #expect(text(value.jsonBytes).utf8.elementsEqual(compact.utf8))
        #expect(try JSONValue(parsing: value.jsonBytes) == value)
        #expect(try JSONValue(parsing: value.canonicalBytes) == value)
    }

    @Test func everyCharacterSurvives() throws {
        for code in UInt32(0)...0x10FFFF where code % 7 == 0 || code < 0x900 {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let string = JSONString("ab\(scalar)cdefghij")
            let written = JSONValue.string(string).jsonBytes
            guard case .string(let read) = try JSONValue(parsing: written), read == string else {
                Issue.record("U+\(String(code, radix: 16)) was written as \(text(written))")
                return
            }
        }
    }

    @Test func everyUnitSurvivesAsAnEscape() throws {
        for code in UInt32(0)...0xFFFF {
            let digits = String(code, radix: 16, uppercase: code % 2 == 0)
            let escape = "\"12345\\u" + String(repeating: "0", count: 4 - digits.count) + digits + "\""
            guard case .string(let string) = try JSONValue(parsing: utf8(escape)) else { return }
            if let scalar = Unicode.Scalar(code) {
                guard string == JSONString("12345\(scalar)") else {
                    Issue.record("\(escape) became \(string.bytes)")
                    return
                }
            } else {
                let units = [UInt8(0xED), UInt8(0x80 | code >> 6 & 0x3F), UInt8(0x80 | code & 0x3F)]
                #expect(string.bytes == utf8("12345") + units)
                #expect(text(JSONValue.string(string).jsonBytes).lowercased() == escape.lowercased())
            }
        }
    }

    @Test func stringsFromPeersAreChecked() {
        #expect(JSONString(validating: utf8("é😀")) != nil)
        #expect(JSONString(validating: [0xED, 0xA0, 0x80]) != nil)
        #expect(JSONString(validating: [0xED, 0xB0, 0x80, 0xED, 0xA0, 0x80]) != nil)
        #expect(JSONString(validating: [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80]) == nil)
        #expect(JSONString(validating: [0xC0, 0x80]) == nil)
        #expect(JSONString(validating: [0xFF]) == nil)
        #expect(text(JSONValue.string(JSONString(bytes: [0x61, 0xFF, 0x62])).jsonBytes) == "\"a\u{FFFD}b\"")
    }
}
