import LosslessJSON
import Testing

/// Nesting: 512 levels by default, 1,024 at most, and never the stack's end.
@Suite(.timeLimit(.minutes(5))) struct DepthTests {
    /// Containers in containers, their kinds alternating as asked for, with a number inside.
    private func nested(_ depth: Int, objects: (Int) -> Bool) -> [UInt8] {
        var (text, closing): ([UInt8], [UInt8]) = ([], [])
        for level in 0..<depth {
            text += utf8(objects(level) ? "{\"a\":" : "[")
            closing.append(UInt8(ascii: objects(level) ? "}" : "]"))
        }
        return text + [0x31] + closing.reversed()
    }

    private let shapes: [(name: String, isObject: @Sendable (Int) -> Bool)] = [
        ("arrays", { _ in false }), ("objects", { _ in true }), ("mixed", { $0 % 3 == 0 }),
    ]

    @Test func theLimitIsExact() {
        for shape in shapes {
            for limit in [1, 2, 3, 16, 511, 512, 1_000, 1_024] {
                let limits = JSONLimits(depth: limit)
                #expect(failure(nested(limit, objects: shape.isObject), limits: limits) == nil)
                let text = nested(limit + 1, objects: shape.isObject)
                let place = (0..<limit).reduce(0) { $0 + (shape.isObject($1) ? 5 : 1) }
                let error = failure(text, limits: limits)
                #expect(error?.offset == place && error?.column == place + 1, "\(limit) \(shape.name)")
                #expect(error?.message == "arrays and objects are nested more than \(limit) deep")
            }
            #expect(failure(nested(512, objects: shape.isObject)) == nil)
            #expect(failure(nested(513, objects: shape.isObject)) != nil)
        }
        // No setting allows more, and a limit of 0 allows scalars only.
        #expect(failure(nested(1_024) { _ in false }, limits: JSONLimits(depth: .max)) == nil)
        #expect(failure(nested(1_025) { _ in false }, limits: JSONLimits(depth: .max))?.offset == 1_024)
        #expect(failure(utf8("1"), limits: JSONLimits(depth: 0)) == nil)
        #expect(failure(utf8("[]"), limits: JSONLimits(depth: 0))?.offset == 0)
    }

    @Test(arguments: [100_000, 1_000_000, 10_000_000]) func farBeyondTheLimit(depth: Int) {
        #expect(failure([UInt8](repeating: UInt8(ascii: "["), count: depth))?.offset == 512)
        #expect(failure([UInt8](repeating: UInt8(ascii: "]"), count: depth))?.offset == 0)
        #expect(failure(nested(depth / 10) { _ in false })?.offset == 512)
        #expect(failure(nested(depth / 10) { _ in true })?.offset == 512 * 5)
        #expect(failure(utf8(String(repeating: "{\"a\":", count: depth / 10)))?.offset == 512 * 5)
        #expect(failure(utf8(String(repeating: "[\n", count: depth / 10)))?.line == 513)
    }

    /// Depth counts what is open at one time, not what was opened.
    @Test func manyShallowContainers() {
        let text = "[" + String(repeating: "[[]],{\"a\":{}},", count: 50_000) + "1]"
        #expect(failure(utf8(text), limits: JSONLimits(depth: 3)) == nil)
        #expect(failure(utf8(text), limits: JSONLimits(depth: 2))?.offset == 2)
    }

    /// Everything that goes down a tree works at the greatest depth.
    @Test func theDeepestTreesCanBeUsed() throws {
        for shape in shapes {
            let text = nested(1_024, objects: shape.isObject)
            let limits = JSONLimits(depth: 1_024)
            let document = try JSONDocument(parsing: text, limits: limits)
            let twin = try JSONDocument(parsing: text, limits: limits)
            let value = document.value(document.root)
            #expect(value == twin.value(twin.root) && value.hashValue == twin.value(twin.root).hashValue)
            #expect(value.jsonBytes == text && value.canonicalBytes == text)
            #expect(try JSONDocument(parsing: value.jsonBytes(indent: " "), limits: limits).nodeCount == 1_025)
            #expect(document.sameValue(document.root, as: twin.root, in: twin))
            let leaf = try #require(document.allNodes.last)
            #expect(document.node(at: document.pointer(to: leaf)) == leaf)
            let patched = try document.patched([.replace(leaf, 2)])
            let other = try JSONDocument(parsing: patched, limits: limits)
            #expect(!document.sameValue(document.root, as: other.root, in: other))
            #expect(other.value(other.root) != value)
        }
    }
}
