import LosslessJSON
import Testing

@Suite struct RejectTests {
    /// Text, line, column, and words of the message.
    @Test(arguments: [
        ("", 1, 1, "the text is empty"), (" \n\t", 2, 2, "empty but for white space"),
        ("\u{FEFF}", 1, 1, "empty but for white space or a byte order mark"),
        ("[1,]", 1, 4, "trailing comma before the end of the array"),
        ("{\n  \"a\": 1,\n}", 3, 1, "trailing comma before the end of the object"),
        ("[,1]", 1, 2, "expected a value, found ','"), ("[1,,2]", 1, 4, "expected a value, found ','"),
        ("[1 2]", 1, 4, "expected ',' or ']' in the array, found '2'"),
        ("{\"a\" 1}", 1, 6, "expected ':' after the key, found '1'"), ("{\"a\":}", 1, 6, "expected a value, found '}'"),
        ("{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}' in the object"), ("{a:1}", 1, 2, "expected a key"),
        ("{1:1}", 1, 2, "expected a key in double quotes, found '1'"), ("{'a':1}", 1, 2, "expected a key"),
        ("['a']", 1, 2, "double quotes"), ("[1] // x", 1, 5, "expected nothing after the value, found '/'"),
        ("[1, /* x */ 2]", 1, 5, "JSON has no comments"), ("# x\n1", 1, 1, "JSON has no comments"),
        ("[1]]", 1, 4, "nothing after the value"), ("1 2", 1, 3, "nothing after the value"),
        ("[NaN]", 1, 2, "found 'NaN'"), ("[Infinity]", 1, 2, "found 'Infinity'"),
        ("[-Infinity]", 1, 3, "expected a digit, found 'I'"), ("nul", 1, 1, "found 'nul'"),
        ("True", 1, 1, "found 'True'"), ("[nulll]", 1, 6, "expected ',' or ']'"), ("undefined", 1, 1, "'undefined'"),
        ("01", 1, 1, "needless zero"), ("[-012]", 1, 3, "needless zero"), ("+1", 1, 1, "must not begin with '+'"),
        (".5", 1, 1, "digit before its point"), ("-.5", 1, 2, "digit before its point"),
        ("1.", 1, 3, "expected a digit after the point"), ("1.e3", 1, 3, "digit after the point, found 'e'"),
        ("1e", 1, 3, "digit in the exponent"), ("1e+", 1, 4, "digit in the exponent"), ("-", 1, 2, "expected a digit"),
        ("0x10", 1, 2, "nothing after the value"), ("1_000", 1, 2, "nothing after the value"),
        ("\"a", 1, 3, "the text ends inside the string that begins at 1:1"),
        ("\"a\\", 1, 4, "ends inside the string"), ("\"a\\u12", 1, 7, "ends inside the string"),
        ("\"a\nb\"", 1, 3, "control character U+000A in a string must be written as an escape"),
        ("\"\t\"", 1, 2, "U+0009"), ("\"\u{0}\"", 1, 2, "U+0000"), ("\"\u{1F}\"", 1, 2, "U+001F"),
        ("\"\\x41\"", 1, 2, "no such escape"), ("\"\\U0041\"", 1, 2, "no such escape"),
        ("\"\\u12G4\"", 1, 2, "four hexadecimal digits"), ("\"\\u+123\"", 1, 2, "four hexadecimal digits"),
        ("[", 1, 2, "the text ends inside the array that begins at 1:1"),
        ("{\"a\":\n {", 2, 3, "ends inside the object that begins at 2:2"),
        ("{\"a\"", 1, 5, "ends inside the object"), ("{\"a\":", 1, 6, "ends inside the object"),
        ("{\"a\":1,", 1, 8, "ends inside the object"), ("[1,", 1, 4, "ends inside the array"),
        ("[tru", 1, 2, "found 'tru'"), ("[\u{A0}1]", 1, 2, "expected a value, found U+00A0"),
        ("\u{FEFF}\u{FEFF}1", 1, 1, "found U+FEFF"), ("1\u{0}", 1, 2, "control character U+0000"),
        ("\u{C}1", 1, 1, "control character U+000C"), ("]", 1, 1, "expected a value, found ']'"),
        ("[1}", 1, 3, "expected ',' or ']' in the array, found '}'"),
        ("{\"é日😀\": x}", 1, 9, "found 'x'"), ("\u{FEFF}[x]", 1, 2, "found 'x'"), ("[\r\nx]", 2, 1, "found 'x'"),
        ("{\"coins\":1,\n \"x\":0,\n \"coins\":2}", 3, 2, "duplicate key \"coins\" (first at 1:2)"),
        ("{\"a\":1,\"\\u0061\":2}", 1, 8, "duplicate key \"\\u0061\" (first at 1:2)"),
        ("{\"\\u0061\":1,\"a\":2}", 1, 13, "duplicate key \"a\" (first at 1:2)"),
        ("{\"\":1,\"\":2}", 1, 7, "duplicate key \"\""), ("[{\"a\":{\"b\":1,\"b\":2}}]", 1, 14, "duplicate key \"b\""),
        ("{\"\\ud83d\\ude00\":1,\"😀\":2}", 1, 19, "duplicate key \"😀\" (first at 1:2)"),
    ])
    func refused(input: String, line: Int, column: Int, message: String) {
        let error = failure(utf8(input))
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "accepted")")
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "accepted")")
        #expect(error?.description == "\(line):\(column): \(error?.message ?? "")")
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98, 0x41],
        ] as [[UInt8]]
    )
    func invalidUTF8(sequence: [UInt8]) {
        for padding in 0..<10 {
            let error = failure(utf8("[\"" + String(repeating: "x", count: padding)) + sequence + utf8("\"]"))
            #expect(error?.message == "the bytes here are not valid UTF-8")
            #expect(error?.column == 3 + padding)
            #expect(error?.offset == 2 + padding)
        }
        #expect(failure(utf8("[") + sequence)?.message.contains("which is not valid UTF-8") == true)
    }

    @Test func duplicatesAmongManyKeys() {
        for count in [2, 16, 17, 40, 1_000] {
            for (first, second) in [(0, 1), (0, count - 1), (count - 2, count - 1), (count / 2, count - 1)]
            where first < second {
                var keys = (0..<count).map { "\"key-\($0)\"" }
                keys[second] = keys[first]
                let error = failure(utf8("{" + keys.map { $0 + ":0" }.joined(separator: ",\n") + "}"))
                #expect(error?.line == second + 1)
                #expect(error?.message.contains("duplicate key \(keys[first]) (first at \(first + 1):") == true)
            }
        }
    }

    @Test func longKeysAreShortenedInMessages() {
        let key = "\"" + String(repeating: "ключ", count: 100) + "\""
        let message = failure(utf8("{\(key):1,\(key):2}"))?.message ?? ""
        #expect(message.hasPrefix("duplicate key \"ключ") && message.hasSuffix("…\" (first at 1:2)"))
        #expect(message.utf8.count < 120)
    }

    @Test func everyPrefixOfADocumentIsRefused() throws {
        let whole = utf8("{\"a\": [1.5e3, \"\\u00e9\\n\", true], \"b\": {\"c\": null, \"é\": -0}}")
        _ = try JSONValue(parsing: whole)
        for length in 0..<whole.count {
            let error = failure(Array(whole[..<length]))
            #expect(error != nil, "\(text(Array(whole[..<length])))")
            #expect((error?.offset ?? 0) <= length)
        }
    }

    @Test func lengthLimit() {
        #expect(failure(utf8("[1, 2]"), limits: JSONLimits(bytes: 6)) == nil)
        let error = failure(utf8("[1, 2]"), limits: JSONLimits(bytes: 5))
        #expect(error?.message == "the text has 6 bytes, more than the limit of 5")
    }
}

/// The error that parsing gives, or nil.
func failure(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(parsing: bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}
