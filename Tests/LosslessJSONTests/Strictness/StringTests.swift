import LosslessJSON
import Testing

/// RFC 8259 section 7: what a string may hold as it is, and every escape.
@Suite struct StringTests {
    @Test(arguments: [
        Refused("\"a▸", "the text ends inside the string that begins at 1:1"),
        Refused("\"▸", "ends inside the string"), Refused("\"a\\▸", "ends inside the string"),
        Refused("\"a\\\"▸", "ends inside the string"), Refused("\"a\\u▸", "ends inside the string"),
        Refused("\"a\\u12▸", "ends inside the string"), Refused("\"a\\u123▸", "ends inside the string"),
        Refused("{\"a▸", "the text ends inside the string that begins at 1:2"),
        Refused("[\n \"a', 1]▸", "the string that begins at 2:2"),
        Refused("\"a▸\nb\"", "control character U+000A in a string must be written as an escape"),
        Refused("\"a▸\r\nb\"", "U+000D"), Refused("\"▸\t\"", "U+0009"), Refused("{\"▸\u{0}\":1}", "U+0000"),
        Refused("\"▸\\x41\"", "no such escape"), Refused("\"▸\\U0041\"", "no such escape"),
        Refused("\"▸\\'\"", "no such escape"), Refused("\"▸\\0\"", "no such escape"),
        Refused("\"▸\\\n\"", "no such escape"), Refused("\"\\\\▸\\ \"", "no such escape"),
        Refused("\"▸\\\u{E9}\"", "no such escape"), Refused("{\"▸\\v\":1}", "no such escape"),
        Refused("\"▸\\u12G4\"", "four hexadecimal digits"), Refused("\"▸\\u+123\"", "four hexadecimal digits"),
        Refused("[\"▸\\u12\",1]", "four hexadecimal digits"), Refused("\"▸\\u{41}\"", "four hexadecimal digits"),
        Refused("\"▸\\u 041\"", "four hexadecimal digits"), Refused("\"▸\\u-041\"", "four hexadecimal digits"),
        Refused("\"\\ud83d▸\\ude0g\"", "four hexadecimal digits"), Refused("\"▸\\u００４１\"", "four hexadecimal digits"),
    ])
    func refused(_ text: Refused) { text.check() }

    /// Each byte below U+0020 is refused by name wherever it stands in a run of text; DEL is text.
    @Test func controlCharacters() throws {
        for byte in UInt8(0)..<0x20 {
            let name = "control character U+00\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            for padding in 0..<18 {
                let before = utf8("[\"" + String(repeating: "x", count: padding))
                for after in ["\"]", "", "yyyyyyyyyyyyyyyy\"]"] {
                    let error = failure(before + [byte] + utf8(after))
                    #expect(error?.offset == before.count && error?.column == before.count + 1)
                    #expect(error?.message == "\(name) in a string must be written as an escape")
                }
            }
        }
        #expect(try string("\"a\u{7F}b\"") == "a\u{7F}b")
    }

    /// After a backslash each byte but the nine letters is refused, at the backslash.
    @Test func everyEscapeLetter() throws {
        let meanings: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        for letter in UInt8.min...UInt8.max where letter != UInt8(ascii: "u") {
            let bytes = utf8("[\"abc\\") + [letter] + utf8("def\"]")
            if let meaning = meanings[letter] {
                let document = try JSONDocument(parsing: bytes)
                let found = document.firstChild.flatMap { document.string($0) }
                #expect(found?.bytes == utf8("abc") + [meaning] + utf8("def"))
                #expect(document.bytes == bytes)
            } else {
                #expect(failure(bytes)?.offset == 5, "\\ and byte \(letter)")
                #expect(failure(bytes)?.message.contains("no such escape") == true)
            }
        }
    }

    /// After `\u` each of the four places takes the 22 hexadecimal digits and no other byte.
    @Test func everyHexadecimalDigit() {
        for place in 0..<4 {
            for byte in UInt8.min...UInt8.max {
                var digits = utf8("00e9")
                digits[place] = byte
                let isDigit = utf8("0123456789abcdefABCDEF").contains(byte)
                let error = failure(utf8("[\"x\\u") + digits + utf8("\"]"))
                #expect((error == nil) == isDigit, "byte \(byte) at \(place)")
                if !isDigit { #expect(error?.offset == 3, "byte \(byte) at \(place)") }
            }
        }
    }

    /// Pairs become one character; halves that stand alone or the wrong way round are kept apart and written back.
    @Test(
        arguments: [
            ("\\ud83d\\ude00", [0xF0, 0x9F, 0x98, 0x80]), ("\\uD83D\\uDE00", [0xF0, 0x9F, 0x98, 0x80]),
            ("\\ud800\\udc00", [0xF0, 0x90, 0x80, 0x80]), ("\\udbff\\udfff", [0xF4, 0x8F, 0xBF, 0xBF]),
            ("\\ud800", [0xED, 0xA0, 0x80]), ("\\udbff", [0xED, 0xAF, 0xBF]), ("\\udc00", [0xED, 0xB0, 0x80]),
            ("\\udfff", [0xED, 0xBF, 0xBF]), ("\\ude00\\ud83d", [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]),
            ("\\ud83d\\ud83d", [0xED, 0xA0, 0xBD, 0xED, 0xA0, 0xBD]),
            ("\\ud83d\\ud83d\\ude00", [0xED, 0xA0, 0xBD, 0xF0, 0x9F, 0x98, 0x80]),
            ("\\ud83d\\ude00\\ude00", [0xF0, 0x9F, 0x98, 0x80, 0xED, 0xB8, 0x80]),
            ("\\ud83d.\\ude00", [0xED, 0xA0, 0xBD, 0x2E, 0xED, 0xB8, 0x80]),
            ("\\ud83d\\n", [0xED, 0xA0, 0xBD, 0x0A]), ("\\ud83d\\u0041", [0xED, 0xA0, 0xBD, 0x41]),
            ("\\ud7ff\\ue000", [0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80]), ("\\u0000", [0]), ("\\u007f", [0x7F]),
            ("\\u0080", [0xC2, 0x80]), ("\\u07ff\\u0800", [0xDF, 0xBF, 0xE0, 0xA0, 0x80]),
            ("\\uffff\\ufffe\\ufdd0", [0xEF, 0xBF, 0xBF, 0xEF, 0xBF, 0xBE, 0xEF, 0xB7, 0x90]),
            ("\\ufeff", [0xEF, 0xBB, 0xBF]), ("\\u2028\\u2029", [0xE2, 0x80, 0xA8, 0xE2, 0x80, 0xA9]),
            ("\\ud83f\\udffe", [0xF0, 0x9F, 0xBF, 0xBE]),
        ] as [(String, [UInt8])])
    func unicodeEscapes(escapes: String, bytes: [UInt8]) throws {
        let input = utf8("[\"\(escapes)\",{\"\(escapes)\":1}]")
        let document = try JSONDocument(parsing: input)
        let first = try #require(document.firstChild)
        #expect(document.string(first)?.bytes == bytes)
        #expect(document.bytes == input)
        let object = try #require(document.element(document.root, at: 1))
        #expect(document.member(object, named: JSONString(bytes: bytes)) != nil)
        let written = document.value(document.root).jsonBytes
        let again = try JSONDocument(parsing: written)
        #expect(again.value(again.root) == document.value(document.root))
        #expect(again.string(try #require(again.firstChild))?.bytes == bytes)
    }

    /// Text that some parsers stumble over may stand as it is: U+2028, non-characters, private use, a BOM.
    @Test func unusualCharacters() throws {
        var codes: [UInt32] = [0x7F, 0x80, 0x85, 0xA0, 0xAD, 0x200B, 0x2028, 0x2029, 0xE000, 0xF8FF, 0xFEFF, 0xFFFD]
        codes += Array(0xFDD0...0xFDEF)
        for plane in UInt32(0)...16 { codes += [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF] }
        for code in codes {
            let character = try #require(Unicode.Scalar(code))
            let input = "\"12345\(character)\""
            #expect(try string(input) == JSONString("12345\(character)"))
            #expect(try JSONValue(parsing: utf8(input)).jsonBytes == utf8(input), "U+\(String(code, radix: 16))")
        }
    }

    private func string(_ text: String) throws -> JSONString? {
        let document = try JSONDocument(parsing: utf8(text))
        return document.string(document.root)
    }
}
