import Testing

@testable import LosslessJSON

/// An edit whose place is a pointer, for tables.
enum Edit: Sendable {
    case replace(String, JSONValue)
    case remove(String)
    case insert(String, JSONString, JSONValue)
    case append(String, JSONValue)

    func resolved(in document: JSONDocument) throws -> JSONEdit {
        func node(_ pointer: String) throws -> JSONNode {
            try #require(document.node(at: try JSONPointer(parsing: pointer)), "\(pointer) is missing")
        }
        return switch self {
        case .replace(let pointer, let value): .replace(try node(pointer), value)
        case .remove(let pointer): .remove(try node(pointer))
        case .insert(let pointer, let key, let value): .insertMember(into: try node(pointer), key: key, value)
        case .append(let pointer, let value): .appendElement(to: try node(pointer), value)
        }
    }
}

@Suite struct PatchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var input: String
        var edits: [Edit]
        var output: String
        var testDescription: String { input }
    }

    @Test(arguments: [
        // Replacing
        Case(input: " { \"a\" : 1 } ", edits: [.replace("/a", 25)], output: " { \"a\" : 25 } "),
        Case(input: " 1\n", edits: [.replace("", "x")], output: " \"x\"\n"),
        Case(input: "[1,2,3]", edits: [.replace("/2", 9), .replace("/0", [])], output: "[[],2,9]"),
        Case(
            input: "{\n  \"a\": 1\n}",
            edits: [.replace("/a", ["x": [1]])],
            output: "{\n  \"a\": {\n    \"x\": [\n      1\n    ]\n  }\n}"
        ),
        Case(input: "{\n  \"a\": [1, 2]\n}", edits: [.replace("/a", [3, [4]])], output: "{\n  \"a\": [3, [4]]\n}"),
        Case(
            input: "{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}",
            edits: [.replace("/a", [3, [4]])],
            output: "{\r\n\t\"a\": [\r\n\t\t3,\r\n\t\t[\r\n\t\t\t4\r\n\t\t]\r\n\t]\r\n}"
        ),
        Case(
            input: "{\"a\": 1, \"b\": 2}",
            edits: [.replace("/b", ["x": 1, "y": 2])],
            output: "{\"a\": 1, \"b\": {\"x\": 1, \"y\": 2}}"
        ),
        Case(input: "{\"a\":1}", edits: [.replace("/a", ["x": 1, "y": 2])], output: "{\"a\":{\"x\":1,\"y\":2}}"),
        // Removing
        Case(input: "[1, 2, 3]", edits: [.remove("/1")], output: "[1, 3]"),
        Case(input: "[1, 2, 3]", edits: [.remove("/0")], output: "[2, 3]"),
        Case(input: "[1, 2, 3 ]", edits: [.remove("/2")], output: "[1, 2 ]"),
        Case(input: "[1, 2, 3]", edits: [.remove("/0"), .remove("/1")], output: "[3]"),
        Case(input: "[1, 2, 3]", edits: [.remove("/2"), .remove("/0")], output: "[2]"),
        Case(input: "[ 1, 2 ]", edits: [.remove("/1"), .remove("/0")], output: "[]"),
        Case(input: "{\n  \"a\": 1,\n  \"b\": 2\n}", edits: [.remove("/a")], output: "{\n  \"b\": 2\n}"),
        Case(input: "{\n  \"a\": 1,\n  \"b\": 2\n}", edits: [.remove("/b")], output: "{\n  \"a\": 1\n}"),
        Case(input: "{\n  \"a\": 1\n}\n", edits: [.remove("/a")], output: "{}\n"),
        Case(
            input: "{\"a\":{\"x\":1},\"b\":[[1,2],[3]]}",
            edits: [.remove("/b/0/0"), .remove("/a/x"), .remove("/b/1")],
            output: "{\"a\":{},\"b\":[[2]]}"
        ),
        // Inserting
        Case(input: "{}", edits: [.insert("", "a", 1)], output: "{\"a\":1}"),
        Case(input: "[ ]", edits: [.append("", 1), .append("", 2)], output: "[1,2]"),
        Case(input: "{\"a\":1}", edits: [.insert("", "b", [1, 2])], output: "{\"a\":1,\"b\":[1,2]}"),
        Case(input: "{\"a\": 1}", edits: [.insert("", "b", 2)], output: "{\"a\": 1, \"b\": 2}"),
        Case(input: "{ \"a\" : 1 }", edits: [.insert("", "b", 2)], output: "{ \"a\" : 1, \"b\" : 2 }"),
        Case(input: "[1 , 2]", edits: [.append("", 3)], output: "[1 , 2 , 3]"),
        Case(input: "[1,2]", edits: [.append("", 3), .append("", 4)], output: "[1,2,3,4]"),
        Case(
            input: "{\n    \"a\": 1\n}\n",
            edits: [.insert("", "b", ["c": []]), .insert("", "d", 0)],
            output: "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": []\n    },\n    \"d\": 0\n}\n"
        ),
        Case(
            input: "{\r\n\t\"a\": 1\r\n}",
            edits: [.insert("", "b", [1])],
            output: "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t1\r\n\t]\r\n}"
        ),
        Case(
            input: "{\n  \"a\": {},\n  \"b\": []\n}",
            edits: [.insert("/a", "x", 1), .append("/b", [2])],
            output: "{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": [\n    [\n      2\n    ]\n  ]\n}"
        ),
        Case(input: "{\n}", edits: [.insert("", "x", 1)], output: "{\n  \"x\": 1\n}"),
        Case(input: "[\n[1,2],\n[3]\n]", edits: [.append("", [4, 5])], output: "[\n[1,2],\n[3],\n[\n4,\n5\n]\n]"),
        Case(
            input: "[\n  1\n, 2\n]",
            edits: [.append("", 3)],
            output: "[\n  1\n, 2\n, 3\n]"
        ),
        // All of them together
        Case(input: "{\"a\":1}", edits: [.remove("/a"), .insert("", "a", 2)], output: "{\"a\":2}"),
        Case(
            input: "{\n  \"a\": 1,\n  \"b\": 2\n}",
            edits: [.remove("/a"), .insert("", "c", 3), .remove("/b")],
            output: "{\n  \"c\": 3\n}"
        ),
        Case(input: "[1, 2, 3]", edits: [.remove("/2"), .append("", 4), .replace("/1", 5)], output: "[1, 5, 4]"),
        Case(input: "[[1], [2]]", edits: [.append("/1", 3), .append("", 4)], output: "[[1], [2, 3], 4]"),
        Case(
            input: "\u{FEFF}{\"a\":1, \"b\":1.0e0}",
            edits: [.replace("/a", 2)],
            output: "\u{FEFF}{\"a\":2, \"b\":1.0e0}"
        ),
        // Escapes as the text has them
        Case(
            input: #"{"a":"\u00e4","u":1}"#, edits: [.replace("/u", "/ö😀")],
            output: #"{"a":"\u00e4","u":"/\u00f6\ud83d\ude00"}"#
        ),
        Case(
            input: #"{"a":["\u00E4"]}"#, edits: [.insert("", "ß", 1), .append("/a", "ö")],
            output: #"{"a":["\u00E4","\u00F6"],"\u00DF":1}"#
        ),
        Case(input: #"["\u00e4","ä"]"#, edits: [.append("", "ö")], output: #"["\u00e4","ä","ö"]"#),
        Case(input: #"["\u0041\\u00e4"]"#, edits: [.append("", "ö")], output: #"["\u0041\\u00e4","ö"]"#),
        Case(input: #"["a\/b"]"#, edits: [.append("", "ä/\\")], output: #"["a\/b","ä\/\\"]"#),
        Case(input: #"["a\/b/"]"#, edits: [.append("", "/")], output: #"["a\/b/","/"]"#),
        Case(input: " [ 1.0 , 1e2 ]\t", edits: [], output: " [ 1.0 , 1e2 ]\t"),
    ])
    func patched(_ test: Case) throws {
        let document = try JSONDocument(parsing: utf8(test.input))
        let output = try document.patched(test.edits.map { try $0.resolved(in: document) })
        #expect(text(output) == test.output)
        _ = try JSONDocument(parsing: output)
    }

    @Test(
        arguments: [
            ([.replace("/a", 1), .replace("/a", 2)], .overlap), ([.remove("/a"), .remove("/a")], .overlap),
            ([.remove("/a"), .replace("/a", 1)], .overlap), ([.remove("/a"), .append("/a", 1)], .overlap),
            ([.append("/a", 1), .replace("/a", 1)], .overlap), ([.replace("/a/0/x", 1), .remove("/a")], .overlap),
            ([.append("/a", 1), .replace("", 1)], .overlap), ([.remove("/a/0"), .insert("/a/0", "k", 1)], .overlap),
            ([.append("", 1)], .wrongKind), ([.insert("/a", "k", 1)], .wrongKind), ([.append("/b", 1)], .wrongKind),
            ([.insert("", "b", 1)], .duplicateKey), ([.insert("", "k", 1), .insert("", "k", 1)], .duplicateKey),
            ([.insert("/a/0", "x", 1)], .duplicateKey), ([.remove("")], .removedRoot),
        ] as [([Edit], JSONPatchError.Reason)]
    )
    func refused(edits: [Edit], reason: JSONPatchError.Reason) throws {
        let document = try JSONDocument(parsing: utf8("{\"a\":[{\"\\u0078\":1}],\n\"b\":2}"))
        let resolved = try edits.map { try $0.resolved(in: document) }
        for edits in [resolved, resolved.reversed()] {
            do throws(JSONPatchError) {
                _ = try document.patched(edits)
                Issue.record("accepted")
            } catch {
                #expect(error.reason == reason, "\(error)")
                #expect(error.line > 0 && error.column > 0)
            }
        }
    }

    /// Others decide what is written, and an escape takes three times the room: a text that is very long stays as it is.
    @Test func aVeryLongTextIsNotEscaped() throws {
        let document = try JSONDocument(parsing: utf8(#"["\u00e4"]"#))
        let long = String(repeating: "ö", count: 1 << 20)
        let output = try document.patched([.appendElement(to: document.root, .string(JSONString(long)))])
        #expect(text(output) == #"["\u00e4",""# + long + #""]"#)
    }

    @Test func nodesOfLargerDocumentsAreRefused() throws {
        let small = try JSONDocument(parsing: utf8("{\"a\":1}"))
        let large = try JSONDocument(parsing: utf8("[1,[2,3]]"))
        for node in [large.element(large.root, at: 0), large.element(large.root, at: 1)].compactMap({ $0 }) {
            let error = #expect(throws: JSONPatchError.self) {
                _ = try small.patched([.replace(node, 0), .replace(JSONNode(99), 0)])
            }
            #expect(error?.reason == .unknownNode)
        }
    }

    @Test func oddSpacingIsNotMultiplied() throws {
        let gap = String(repeating: " ", count: 100_000)
        let document = try JSONDocument(parsing: utf8("[1,\(gap)2]"))
        let edits = (0..<1_000).map { _ in JSONEdit.appendElement(to: document.root, 0) }
        #expect(try document.patched(edits).count < 110_000)
    }
}
