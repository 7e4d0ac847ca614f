@testable import LosslessJSON

/// What must hold of the parser and of everything that reads its tape, for any bytes at all.
enum ParserOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        for depth in [512, 3] {
            let isJSON = Recogniser.accepts(bytes, depth: depth)
            do throws(JSONSyntaxError) {
                let document = try JSONDocument(parsing: bytes, limits: JSONLimits(depth: depth))
                guard isJSON else { return "accepted at depth \(depth), and is no JSON" }
                if depth == 512, let fault = fault(document) { return fault }
            } catch {
                guard !isJSON else { return "refused at depth \(depth), and is JSON: \(error)" }
                if let fault = fault(error, bytes) { return fault }
            }
        }
        return nil
    }

    /// An error names a place inside the text, or its end.
    private static func fault(_ error: JSONSyntaxError, _ bytes: [UInt8]) -> String? {
        guard 0...bytes.count ~= error.offset else { return "the offset lies outside: \(error)" }
        let before = bytes[..<error.offset]
        let line = 1 + before.count { $0 == 0x0A }
        let rest = before.count - (before.lastIndex(of: 0x0A) ?? -1)
        guard error.line == line, 1...max(1, rest) ~= error.column else { return "the place is wrong: \(error)" }
        return error.message.isEmpty || error.message.contains("\n") ? "not one sentence: \(error)" : nil
    }

    private static func fault(_ document: JSONDocument) -> String? {
        var compact: [UInt8] = []
        var count = 0
        write(document, document.root, to: &compact, &count)
        guard compact == withoutSpace(document.bytes) else { return "the tape does not give the text back" }
        guard count == document.nodeCount else { return "\(count) values, and the document says \(document.nodeCount)" }
        let value = document.value(document.root)
        for written in [value.jsonBytes, value.canonicalBytes, value.jsonBytes(indent: " \t")] {
            guard let again = try? JSONDocument(parsing: written) else { return "what is written does not parse" }
            let twin = again.value(again.root)
            guard twin == value, twin.hashValue == value.hashValue else { return "what is written means another value" }
            guard document.sameValue(document.root, as: again.root, in: again),
                again.sameValue(again.root, as: document.root, in: document)
            else { return "sameValue does not see that what is written is the same" }
            guard twin.canonicalBytes == value.canonicalBytes else { return "two canonical texts of one value" }
        }
        return (try? document.patched([])) == document.bytes ? placesFault(document) : "no edits change the text"
    }

    /// Pointers lead back to their values, and numbers keep their laws.
    private static func placesFault(_ document: JSONDocument) -> String? {
        var nodes: [JSONNode] = []
        document.walk(document.root) { if nodes.count < 40 { nodes.append($0) } }
        for node in nodes {
            guard document.node(at: document.pointer(to: node)) == node else { return "a pointer leads elsewhere" }
            let members = document.kind(node) == .object ? document.count(node) : 0
            guard document.membersByKey(node).count == members else { return "members are missing by key" }
            guard let number = document.number(node), let decimal = number.decimal else { continue }
            guard ExactDecimal(text: decimal.text) == decimal, decimal.negated.negated == decimal,
                !(decimal < decimal), decimal.magnitude >= .zero, JSONNumber(decimal) == number
            else { return "\(number) breaks a law of numbers" }
            if let sum = try? decimal.adding(decimal), (try? sum.subtracting(decimal)) != decimal {
                return "\(number) + \(number) - \(number) is another number"
            }
        }
        return nil
    }

    /// The text without white space, put together from the tape alone.
    private static func write(
        _ document: JSONDocument,
        _ node: JSONNode,
        to output: inout [UInt8],
        _ count: inout Int
    ) {
        count += 1
        let kind = document.kind(node)
        guard kind == .object || kind == .array else { return output += document.text(node) }
        output.append(UInt8(ascii: kind == .object ? "{" : "["))
        for (index, child) in document.children(node).enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if let key = document.keyText(of: child) {
                output.append(UInt8(ascii: "\""))
                output += key
                output += [UInt8(ascii: "\""), UInt8(ascii: ":")]
            }
            write(document, child, to: &output, &count)
        }
        output.append(UInt8(ascii: kind == .object ? "}" : "]"))
    }

    /// The bytes without a byte order mark and without white space outside strings.
    private static func withoutSpace(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var (inString, afterBackslash) = (false, false)
        for byte in bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...] {
            if inString {
                if byte == UInt8(ascii: "\""), !afterBackslash { inString = false }
                afterBackslash = byte == UInt8(ascii: "\\") && !afterBackslash
            } else if byte == UInt8(ascii: "\"") {
                inString = true
            } else if byte <= 0x20 {
                continue
            }
            output.append(byte)
        }
        return output
    }
}
