import LosslessJSON
import Testing

/// RFC 8259 sections 2 to 5: white space, literals, arrays, objects, and what is around the one value.
@Suite struct StructureTests {
    @Test(arguments: [
        Refused("▸", "the text is empty"), Refused(" \n\t▸", "empty but for white space"),
        Refused("\u{FEFF}▸", "empty but for white space or a byte order mark"),
        Refused("\u{FEFF} \r\n▸", "empty but for white space or a byte order mark"),
        // Arrays
        Refused("[1,▸]", "trailing comma before the end of the array"),
        Refused("[1\n,\n▸]", "trailing comma before the end of the array"),
        Refused("[▸,1]", "expected a value, found ','"), Refused("[1,▸,2]", "expected a value, found ','"),
        Refused("[▸,]", "expected a value, found ','"),
        Refused("[1 ▸2]", "expected ',' or ']' in the array, found '2'"),
        Refused("[1▸}", "expected ',' or ']' in the array, found '}'"),
        Refused("[1▸:2]", "expected ',' or ']' in the array, found ':'"),
        Refused("[1▸;2]", "expected ',' or ']' in the array, found ';'"),
        Refused("[\"a\"▸\"b\"]", "expected ',' or ']' in the array"),
        // Objects
        Refused("{\n  \"a\": 1,\n▸}", "trailing comma before the end of the object"),
        Refused("{▸,}", "expected a key"), Refused("{\"a\":1,▸,\"b\":2}", "expected a key"),
        Refused("{\"a\" ▸1}", "expected ':' after the key, found '1'"),
        Refused("{\"a\"▸}", "expected ':' after the key, found '}'"),
        Refused("{\"a\"▸,\"b\":1}", "expected ':' after the key, found ','"),
        Refused("{\"a\"▸=1}", "expected ':' after the key, found '='"),
        Refused("{\"a\":▸:1}", "expected a value, found ':'"), Refused("{\"a\":▸}", "expected a value, found '}'"),
        Refused("{\"a\":1 ▸\"b\":2}", "expected ',' or '}' in the object"),
        Refused("{\"a\":1▸]", "expected ',' or '}' in the object, found ']'"),
        Refused("{▸:1}", "expected a key"), Refused("{▸a:1}", "expected a key"), Refused("{▸'a':1}", "expected a key"),
        Refused("{▸1:1}", "expected a key in double quotes, found '1'"), Refused("{▸null:1}", "expected a key"),
        Refused("{▸[]:1}", "expected a key"), Refused("{▸{}:1}", "expected a key"),
        // More than one value
        Refused("[1]▸]", "nothing after the value"), Refused("1 ▸2", "nothing after the value"),
        Refused("{}▸{}", "nothing after the value"), Refused("{}▸,", "nothing after the value"),
        Refused("\"a\"▸:1", "nothing after the value"), Refused("▸]", "expected a value, found ']'"),
        Refused("▸}", "expected a value, found '}'"), Refused("▸,", "expected a value, found ','"),
        Refused("▸:", "expected a value, found ':'"), Refused("1▸\u{0}", "control character U+0000"),
        // What other formats have
        Refused("[1] ▸// x", "expected nothing after the value, found '/'"),
        Refused("[1, ▸/* x */ 2]", "JSON has no comments"), Refused("▸# x\n1", "JSON has no comments"),
        Refused("▸// x\n1", "JSON has no comments"), Refused("{▸/**/}", "expected a key in double quotes, found '/'"),
        Refused("[▸'a']", "double quotes"), Refused("[▸`a`]", "expected a value, found '`'"),
        Refused("[▸NaN]", "found 'NaN'"), Refused("[▸Infinity]", "found 'Infinity'"),
        Refused("[-▸Infinity]", "expected a digit, found 'I'"), Refused("[-▸NaN]", "expected a digit, found 'N'"),
        Refused("▸undefined", "'undefined'"), Refused("▸True", "found 'True'"), Refused("▸None", "found 'None'"),
        Refused("[▸tru", "found 'tru'"), Refused("▸nul", "found 'nul'"), Refused("[null▸l]", "expected ',' or ']'"),
        Refused("[true▸false]", "expected ',' or ']'"), Refused("▸(1)", "expected a value, found '('"),
        Refused("[▸<1>]", "expected a value, found '<'"),
        // Texts that end too early
        Refused("[▸", "the text ends inside the array that begins at 1:1"), Refused("[1▸", "ends inside the array"),
        Refused("[1,▸", "ends inside the array"), Refused("[[]▸", "the array that begins at 1:1"),
        Refused("{\"a\":\n {▸", "ends inside the object that begins at 2:2"), Refused("{▸", "ends inside the object"),
        Refused("{\"a\"▸", "ends inside the object"), Refused("{\"a\":▸", "ends inside the object"),
        Refused("{\"a\":1▸", "ends inside the object"), Refused("{\"a\":1,▸", "ends inside the object"),
        Refused("[\n{\"a\":[]▸", "ends inside the object that begins at 2:1"),
        // Columns count characters, and a byte order mark is none
        Refused("{\"é日😀\": ▸x}", "found 'x'"), Refused("\u{FEFF}[▸x]", "found 'x'"), Refused("[\r\n▸x]", "found 'x'"),
        Refused("\u{FEFF}[\n▸x]", "found 'x'"), Refused("[\r▸x]", "found 'x'"),
        Refused("[\"e\u{301}\u{200D}\u{1F469}\",▸x]", "found 'x'"),
    ])
    func refused(_ text: Refused) { text.check() }

    /// Wherever white space may stand, each of the four kinds may, and nothing else.
    @Test func whiteSpace() throws {
        let tokens = ["[", "1", ",", "{", "\"a\"", ":", "null", "}", ",", "[", "]", "]"]
        for place in 0...tokens.count {
            let (before, after) = (tokens[..<place].joined(), tokens[place...].joined())
            for space in [" ", "\t", "\n", "\r", "\r\n", " \t\n\r", String(repeating: " ", count: 17) + "\t"] {
                #expect(failure(utf8(before + space + after)) == nil, "\(space.debugDescription) at \(place)")
            }
            var others: [Unicode.Scalar] = [
                "\u{7F}", "\u{85}", "\u{A0}", "\u{1680}", "\u{180E}", "\u{200B}", "\u{2028}", "\u{2029}", "\u{202F}",
                "\u{205F}", "\u{2060}", "\u{3000}",
            ]
            others += (0..<0x20).filter { ![0x09, 0x0A, 0x0D].contains($0) }.map { Unicode.Scalar(UInt8($0)) }
            others += (0x2000...0x200A).compactMap(Unicode.Scalar.init)
            if place > 0 { others.append("\u{FEFF}") }
            for other in others {
                let error = failure(utf8("\(before)\(other)\(after)"))
                let code = String(other.value, radix: 16, uppercase: true)
                #expect(error?.offset == before.utf8.count, "U+\(code) at \(place)")
                #expect(error?.message.contains("U+\(String(repeating: "0", count: 4 - code.count))\(code)") == true)
            }
        }
    }

    /// A byte order mark may stand at the very start, is kept, and is nothing elsewhere.
    @Test func byteOrderMark() throws {
        let bytes = utf8("\u{FEFF} {\"a\": 1}")
        let document = try JSONDocument(parsing: bytes)
        #expect(document.bytes == bytes)
        let member = try #require(document.firstChild)
        #expect(try document.patched([.replace(member, 2)]) == utf8("\u{FEFF} {\"a\": 2}"))
        #expect(try document.patched([.replace(document.root, 2)]) == utf8("\u{FEFF} 2"))
        for text in ["\u{FEFF}▸\u{FEFF}1", " ▸\u{FEFF}1", "1▸\u{FEFF}", "[▸\u{FEFF}]"] {
            Refused(text, "U+FEFF").check()
        }
        for part in [[0xEF], [0xEF, 0xBB], [0xFE, 0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0, 0], [0xEF, 0xBF, 0xBB]] {
            #expect(failure(part.map { UInt8($0) } + utf8("1"))?.offset == 0)
        }
        #expect(failure([0x31, 0x00])?.offset == 1 && failure([0x00, 0x31])?.offset == 0, "UTF-16 without a mark")
    }

    /// Nothing but the three words, in small letters, whole.
    @Test(arguments: ["true", "false", "null"]) func literals(word: String) throws {
        #expect(failure(utf8(word)) == nil && failure(utf8("[\(word),\(word)]")) == nil)
        for length in 1..<word.utf8.count {
            #expect(failure(utf8(String(word.prefix(length))))?.offset == 0)
            #expect(failure(utf8("[\(word.prefix(length))]"))?.offset == 1)
            #expect(failure(utf8("[\(word.prefix(length)) ,1]"))?.offset == 1)
        }
        for index in word.utf8.indices {
            var changed = utf8(word)
            changed[word.utf8.distance(from: word.startIndex, to: index)] ^= 0x20
            #expect(failure(changed)?.offset == 0, "\(text(changed))")
        }
        for more in ["x", "1", "\"", "\u{E9}", word] {
            #expect(failure(utf8(word + more))?.offset == word.utf8.count)
        }
    }

    /// Every sequence of up to six tokens is accepted exactly when a grammar of one screen derives it.
    @Test func everyShortSequenceOfTokens() {
        let tokens = ["[", "]", "{", "}", ",", ":", "\"a\"", "null"]
        for length in 1...6 {
            var digits = [Int](repeating: 0, count: length)
            sequences: while true {
                let sequence = digits.map { tokens[$0] }
                let isValid = Tokens(list: sequence[...]).areAValue
                guard (failure(utf8(sequence.joined(separator: length % 2 == 0 ? " " : ""))) == nil) == isValid else {
                    Issue.record("\(sequence.joined(separator: " ")) is \(isValid ? "refused" : "accepted")")
                    return
                }
                var place = 0
                while digits[place] == tokens.count - 1 {
                    digits[place] = 0
                    place += 1
                    if place == length { break sequences }
                }
                digits[place] += 1
            }
        }
    }

    private struct Tokens {
        var list: ArraySlice<String>

        var areAValue: Bool {
            var copy = self
            return copy.value() && copy.list.isEmpty
        }

        private mutating func take(_ token: String) -> Bool {
            guard list.first == token else { return false }
            list.removeFirst()
            return true
        }

        private mutating func value() -> Bool {
            if take("\"a\"") || take("null") { return true }
            if take("[") { return take("]") || items(until: "]") { $0.value() } }
            if take("{") { return take("}") || items(until: "}") { $0.take("\"a\"") && $0.take(":") && $0.value() } }
            return false
        }

        private mutating func items(until end: String, _ item: (inout Tokens) -> Bool) -> Bool {
            repeat { guard item(&self) else { return false } } while take(",")
            return take(end)
        }
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
        #expect(error?.offset == 5)
        #expect(failure(utf8("1"), limits: JSONLimits(bytes: 0)) != nil)
        #expect(failure(utf8("1"), limits: JSONLimits(depth: -1, bytes: -1)) != nil)
    }
}
