import LosslessJSON
import Testing

/// Keys of one object: equal ones are refused by name, all others are kept apart.
@Suite struct KeyTests {
    @Test(arguments: [
        Refused("{\"coins\":1,\n \"x\":0,\n ▸\"coins\":2}", "duplicate key \"coins\" (first at"),
        Refused("{\"a\":1,▸\"a\":1}", "duplicate key \"a\" (first at"),
        // Equal only without their escapes
        Refused("{\"a\":1,▸\"\\u0061\":2}", "duplicate key \"\\u0061\" (first at"),
        Refused("{\"\\u0061\":1,▸\"a\":2}", "duplicate key \"a\" (first at"),
        Refused("{\"\\u00e9\":1,▸\"\\u00E9\":2}", "duplicate key \"\\u00E9\" (first at"),
        Refused("{\"/\":1,▸\"\\/\":2}", "duplicate key \"\\/\" (first at"),
        Refused("{\"\\n\":1,▸\"\\u000a\":2}", "duplicate key \"\\u000a\" (first at"),
        Refused("{\"\\ud83d\\ude00\":1,▸\"😀\":2}", "duplicate key \"😀\" (first at"),
        Refused("{\"\\ud800\":1,▸\"\\uD800\":2}", "duplicate key \"\\uD800\" (first at"),
        Refused("{\"\":1,▸\"\":2}", "duplicate key \"\""),
        // The first of several, and in inner objects
        Refused("{\"a\":1,\"b\":1,▸\"b\":2,\"a\":2}", "duplicate key \"b\""),
        Refused("{\"a\":1,▸\"a\":2,\"a\":3}", "duplicate key \"a\""),
        Refused("[{\"a\":{\"b\":1,▸\"b\":2}}]", "duplicate key \"b\""),
        Refused("{\"a\":{\"a\":{\"a\":1}},\"b\":{},▸\"a\":1}", "duplicate key \"a\""),
        Refused("{\"a\":[{},{\"x\":0,▸\"x\":0}],\"a\":1}", "duplicate key \"x\""),
    ])
    func refused(_ text: Refused) { text.check() }

    /// The place of the first one is named as well.
    @Test func placeOfTheFirst() {
        let error = failure(utf8("\u{FEFF}[\n {\"é\": 1,\n  \"b\":2, \"é\": 3}]"))
        #expect(error?.message == "duplicate key \"é\" (first at 2:3)")
        #expect(error?.line == 3 && error?.column == 10)
    }

    @Test(arguments: [
        ["\"\u{E9}\"", "\"e\u{301}\""], ["\"\u{212B}\"", "\"\u{C5}\"", "\"A\u{30A}\""], ["\"a\"", "\"A\""],
        ["\"\u{1E9B}\u{323}\"", "\"\u{1E9B}\\u0323\\u0000\""], ["\"\"", "\"\\u0000\"", "\" \""],
        ["\"\\ud800\"", "\"\\ud801\"", "\"\\udc00\"", "\"\u{FFFD}\""], ["\"a\"", "\"a \"", "\"\u{FEFF}a\""],
        ["\"\\ud800\\u0041\"", "\"\\ud800A\\u0041\""], ["\"\u{3A9}\"", "\"\u{2126}\""], ["\"1\"", "\"1.0\"", "\"01\""],
        ["\"ß\"", "\"ss\""], ["\"\\\\u0061\"", "\"a\""], ["\"__proto__\"", "\"constructor\""],
    ])
    func keptApart(spellings: [String]) throws {
        let members = spellings.enumerated().map { "\($1): \($0)" }
        let input = utf8("{ " + members.joined(separator: " , ") + " }")
        let document = try JSONDocument(parsing: input)
        let keys = document.members(document.root).map(\.key)
        #expect(Set(keys).count == spellings.count && document.membersByKey(document.root).count == spellings.count)
        let value = document.value(document.root)
        for (index, key) in keys.enumerated() {
            let node = try #require(document.node(at: JSONPointer(tokens: [key])))
            #expect(document.number(node)?.text == "\(index)")
            #expect(value[key] == .number(JSONNumber(index)))
            #expect(document.pointer(to: node).tokens == [key])
            // Changing one leaves the bytes of its twin.
            let patched = try JSONDocument(parsing: document.patched([.replace(node, "x")]))
            #expect(text(patched.bytes) == text(input).replacing(": \(index) ", with: ": \"x\" "))
            let without = try JSONDocument(parsing: document.patched([.remove(node)]))
            #expect(without.members(without.root).map(\.key) == keys.filter { $0 != key })
            #expect(throws: JSONPatchError.self) {
                try document.patched([.insertMember(into: document.root, key: key, 1)])
            }
        }
        let reversed = try JSONValue(parsing: utf8("{" + members.reversed().joined(separator: ",") + "}"))
        #expect(reversed == value && reversed.canonicalBytes == value.canonicalBytes)
        #expect(try JSONValue(parsing: value.jsonBytes) == value)
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
}
