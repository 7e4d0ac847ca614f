import LosslessJSON
import Testing

@Suite struct DocumentTests {
    let document: JSONDocument

    init() throws {
        document = try JSONDocument(
            parsing: utf8(
                "\u{FEFF}{\"a\": [1, {\"b\\n\": true}, []],\n"
                    + " \"é\": {\"\": null, \"~/\": \"x\\u0041\"}, \"n\": 1.50}\n"
            )
        )
    }

    private func node(_ pointer: String) throws -> JSONNode? { document.node(at: try JSONPointer(parsing: pointer)) }

    @Test func kindsAndRanges() throws {
        #expect(document.kind(document.root) == .object)
        #expect(document.nodeCount == 10)
        let array = try #require(try node("/a"))
        #expect(document.kind(array) == .array && document.count(array) == 3)
        #expect(text(Array(document.text(array))) == "[1, {\"b\\n\": true}, []]")
        let number = try #require(try node("/n"))
        #expect(document.number(number)?.text == "1.50")
        #expect(document.string(number) == nil && document.count(number) == 0)
        let string = try #require(try node("/é/~0~1"))
        #expect(document.string(string) == "xA")
        #expect(document.number(string) == nil && document.bool(string) == nil)
        #expect(document.bool(try #require(try node("/a/1/b\n"))) == true)
        #expect(document.kind(try #require(try node("/é/"))) == .null)
        #expect(document.position(of: array) == (1, 7))
        #expect(document.position(of: number) == (2, 41))
        #expect(document.position(document.bytes.count) == (3, 1))
    }

    @Test func membersAndElements() throws {
        let members = document.members(document.root).map { ($0.key.string, document.kind($0.value)) }
        #expect(members.map(\.0) == ["a", "é", "n"])
        #expect(members.map(\.1) == [.array, .object, .number])
        #expect(Array(document.elements(document.root)).isEmpty)
        let array = try #require(document.member(document.root, named: "a"))
        #expect(Array(document.elements(array)) == Array(document.children(array)))
        #expect(Array(document.members(array)).isEmpty)
        #expect(document.element(array, at: 2).map { document.count($0) } == 0)
        #expect(document.element(array, at: 3) == nil && document.element(array, at: -1) == nil)
        #expect(document.element(document.root, at: 0) == nil && document.member(array, named: "0") == nil)
        #expect(document.member(document.root, named: "b") == nil)
        let object = try #require(document.element(array, at: 1))
        let flag = try #require(document.member(object, named: "b\n"))
        #expect(document.key(of: flag) == "b\n")
        #expect(document.keyText(of: flag).map(Array.init) == utf8("b\\n"))
        #expect(document.keyEquals(flag, "b\n") && !document.keyEquals(flag, "b"))
        #expect(document.key(of: object) == nil && document.keyText(of: document.root) == nil)
        #expect(document.membersByKey(document.root).count == 3)
        let other = try JSONDocument(parsing: utf8("{\"b\\u000A\":0}"))
        let twin = try #require(document.membersByKey(object)["b\n"])
        #expect(document.sameKey(twin, as: try #require(other.children(other.root).map { $0 }.first), in: other))
    }

    @Test func pointersNameTheirNodes() throws {
        for pointer in ["", "/a", "/a/0", "/a/1", "/a/1/b\n", "/a/2", "/é", "/é/", "/é/~0~1", "/n"] {
            let found = try #require(try node(pointer))
            #expect(document.pointer(to: found).description == pointer)
        }
        for pointer in ["/", "/b", "/a/3", "/a/00", "/a/-", "/a/-1", "/a/0/0", "/a/99999999999999999999", "/n/0"] {
            #expect(try node(pointer) == nil)
        }
        for pointer in ["a", "/~", "/~2", "/a~", "#/a"] {
            #expect(throws: JSONPointerError.self) { try JSONPointer(parsing: pointer) }
        }
    }

    @Test func valueOfARandomDocumentIsItsText() throws {
        for seed in 0..<500 {
            var random = RandomJSON(seed: UInt64(seed))
            let document = try JSONDocument(parsing: utf8(random.document()))
            let value = document.value(document.root)
            let compact = try JSONDocument(parsing: value.jsonBytes)
            let canonical = try JSONDocument(parsing: value.canonicalBytes)
            let pretty = try JSONDocument(parsing: value.jsonBytes(indent: "\t"))
            for other in [compact, canonical, pretty] {
                #expect(other.value(other.root) == value, "seed \(seed)")
                #expect(other.value(other.root).hashValue == value.hashValue, "seed \(seed)")
                #expect(other.value(other.root).canonicalBytes == value.canonicalBytes, "seed \(seed)")
                #expect(document.sameValue(document.root, as: other.root, in: other), "seed \(seed)")
            }
            #expect(compact.value(compact.root).jsonBytes == value.jsonBytes, "seed \(seed)")
        }
    }

    @Test func equalityOfRandomValuesIsThatOfTheirBytes() throws {
        for seed in 0..<300 {
            var random = RandomJSON(seed: UInt64(seed))
            let texts = (0..<4).map { _ in random.text(depth: 1) }
            for left in texts {
                for right in texts {
                    let one = try JSONDocument(parsing: utf8(left))
                    let two = try JSONDocument(parsing: utf8(right))
                    let same = one.value(one.root) == two.value(two.root)
                    #expect(same == (one.value(one.root).canonicalBytes == two.value(two.root).canonicalBytes))
                    #expect(same == one.sameValue(one.root, as: two.root, in: two), "\(left) and \(right)")
                }
            }
        }
    }

    @Test(arguments: [
        ("{\"a\":1,\"b\":[1.0]}", "{\"b\":[1e0],\"a\":10e-1}", true), ("[1,2]", "[2,1]", false),
        ("{\"a\":1}", "{\"a\":1,\"b\":1}", false), ("{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false),
        ("{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":1}", false), ("\"\\u0041\"", "\"A\"", true), ("true", "false", false),
        ("1", "\"1\"", false), ("[]", "{}", false), ("\"\u{E9}\"", "\"e\u{301}\"", false), ("0", "-0.0", true),
    ])
    func sameness(left: String, right: String, isSame: Bool) throws {
        let (one, two) = (try JSONDocument(parsing: utf8(left)), try JSONDocument(parsing: utf8(right)))
        #expect(one.sameValue(one.root, as: two.root, in: two) == isSame)
        #expect(two.sameValue(two.root, as: one.root, in: one) == isSame)
        #expect((one.value(one.root) == two.value(two.root)) == isSame)
        #expect((one.value(one.root).canonicalBytes == two.value(two.root).canonicalBytes) == isSame)
        if isSame { #expect(one.value(one.root).hashValue == two.value(two.root).hashValue) }
    }

    /// With an indent that grows with each level, a value of one byte would take a quarter of a megabyte.
    @Test func whatIsNestedDeepStandsOnOneLine() throws {
        let value = (0..<500).reduce(into: JSONValue.number(JSONNumber(1))) { value, _ in value = ["x": value] }
        let written = value.jsonBytes(indent: "  ")
        #expect(written.count < 20_000)
        #expect(written.split(separator: 0x0A).count == 2 * 64 + 1)
        let read = try JSONDocument(parsing: written)
        #expect(read.value(read.root) == value)
    }

    @Test func writing() throws {
        let value: JSONValue = ["b": [1, [], [:]], "a": .null, "é": "x\"\\\n"]
        #expect(text(value.jsonBytes) == "{\"b\":[1,[],{}],\"a\":null,\"é\":\"x\\\"\\\\\\n\"}")
        #expect(text(value.canonicalBytes) == "{\"a\":null,\"b\":[1,[],{}],\"é\":\"x\\\"\\\\\\n\"}")
        #expect(
            text(value.jsonBytes(indent: "  "))
                == "{\n  \"b\": [\n    1,\n    [],\n    {}\n  ],\n  \"a\": null,\n  \"é\": \"x\\\"\\\\\\n\"\n}"
        )
        #expect(value["a"] == .null && value["zz"] == nil)
    }
}
