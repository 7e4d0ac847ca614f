import LosslessJSON
import Testing

/// Elements in another order, each with its own bytes.
@Suite struct ReorderTests {
    /// The text with the elements of the array `a` in another order, after other edits.
    private func reordered(
        _ text: String, _ order: [Int], _ edits: (JSONDocument, [JSONNode]) -> [JSONEdit] = { _, _ in [] }
    ) throws -> String {
        let document = try JSONDocument(parsing: Array(text.utf8))
        let array = try #require(document.member(document.root, named: "a"))
        let all = edits(document, Array(document.elements(array))) + [.reorder(array, order)]
        let bytes = try document.patched(all)
        _ = try JSONDocument(parsing: bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func whatStandsBetweenStays() throws {
        let text = #"{ "a" : [1.0 ,  {"x" :2},"\u0041" ]}"#
        #expect(try reordered(text, [2, 0, 1]) == #"{ "a" : ["\u0041" ,  1.0,{"x" :2} ]}"#)
        #expect(try reordered("{\"a\":[\n  1,\n  2,\n\n  3\n]}", [2, 1, 0]) == "{\"a\":[\n  3,\n  2,\n\n  1\n]}")
        #expect(try reordered(#"{"a":[1,2]}"#, [0, 1]) == #"{"a":[1,2]}"#)
    }

    @Test func editsInsideMoveAlong() throws {
        let text = #"{"a":[{"x": 1},{"y":[5, 6]},7]}"#
        let moved = try reordered(text, [1, 2, 0]) { document, elements in
            let x = document.member(elements[0], named: "x")!
            let y = document.member(elements[1], named: "y")!
            return [
                .replace(x, 15), .appendElement(to: y, 9), .reorder(y, [2, 0, 1]), .replace(elements[2], "seven"),
                .insertMember(into: elements[0], key: "z", true),
            ]
        }
        #expect(moved == #"{"a":[{"y":[9, 5, 6]},"seven",{"x": 15,"z": true}]}"#)
    }

    @Test func removedAndNewElementsHaveTheirPlace() throws {
        let text = "{\"a\":[\n  1,\n  2,\n  3\n]}"
        let array = { (document: JSONDocument) in document.member(document.root, named: "a")! }
        let changed = try reordered(text, [2, 1, 3, 0]) { document, elements in
            let array = array(document)
            return [.remove(elements[0]), .appendElement(to: array, ["k": 1]), .appendElement(to: array, 5)]
        }
        #expect(changed == "{\"a\":[\n  {\n    \"k\":1\n  },\n  3,\n  5,\n  2\n]}")
        let emptied = try reordered(#"{"a":[1]}"#, [1, 0]) { document, elements in
            [.remove(elements[0]), .appendElement(to: array(document), 8), .appendElement(to: array(document), 9)]
        }
        #expect(emptied == #"{"a":[9,8]}"#)
    }

    @Test(arguments: [[0], [0, 0], [1, 2], [0, 1, 2]]) func anOrderNamesEachElementOnce(order: [Int]) {
        #expect { try reordered(#"{"a":[1,2]}"#, order) } throws: { ($0 as? JSONPatchError)?.reason == .wrongOrder }
    }

    @Test func onlyAnArrayHasAnOrder() throws {
        let document = try JSONDocument(parsing: Array(#"{"a":1}"#.utf8))
        #expect { try document.patched([.reorder(document.root, [0])]) } throws: {
            ($0 as? JSONPatchError)?.reason == .wrongKind
        }
    }
}
