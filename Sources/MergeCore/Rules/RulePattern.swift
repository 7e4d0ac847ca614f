import LosslessJSON

/// A path pattern of a rule file: a JSON Pointer (RFC 6901) with `*` (any member or element), `**` (any depth, zero
/// included) and `[key]` (elements of an array of objects, told apart by member `key`).
public struct RulePattern: Hashable, Sendable, CustomStringConvertible {
    enum Step: Hashable, Sendable {
        case literal(JSONString)
        case any
        case anyDepth
        case keyed(JSONString)
    }

    let steps: [Step]
    private let text: String

    /// Most steps a pattern may have.
    public static let stepLimit = 64

    /// Reads a pattern; throws one sentence when it is none.
    public init(parsing text: String) throws(RuleError) {
        self.text = text
        guard !text.isEmpty else {
            steps = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw RuleError("the path \"\(text)\" must begin with \"/\"")
        }
        var steps: [Step] = []
        for token in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            try Self.append(token, of: text, to: &steps)
        }
        guard steps.count <= Self.stepLimit else {
            throw RuleError("the path \"\(text)\" has more than \(Self.stepLimit) steps")
        }
        self.steps = steps
    }

    public var description: String { text }

    /// More literal steps win; then more `[key]`, then more `*`, then fewer `**`.
    struct Rank: Hashable, Comparable {
        let literals, keyed, any, anyDepth: Int

        static func < (a: Rank, b: Rank) -> Bool {
            (a.literals, a.keyed, a.any, -a.anyDepth) < (b.literals, b.keyed, b.any, -b.anyDepth)
        }
    }

    var rank: Rank {
        func count(_ matches: (Step) -> Bool) -> Int { steps.count(where: matches) }
        return Rank(
            literals: count { if case .literal = $0 { true } else { false } },
            keyed: count { if case .keyed = $0 { true } else { false } },
            any: count { $0 == .any },
            anyDepth: count { $0 == .anyDepth }
        )
    }

    /// Whether some path is matched by both. O(steps × steps).
    func overlaps(_ other: RulePattern) -> Bool { Self.overlap(steps, other.steps) }

    /// Whether `other` can match something strictly below a place that this pattern matches.
    func reachesBelow(_ other: RulePattern) -> Bool { Self.overlap(steps + [.any, .anyDepth], other.steps) }

    private static func overlap(_ a: [Step], _ b: [Step]) -> Bool {
        var reachable = Array(repeating: Array(repeating: false, count: b.count + 1), count: a.count + 1)
        reachable[0][0] = true
        for i in 0...a.count {
            for j in 0...b.count where reachable[i][j] {
                let stepA = i < a.count ? a[i] : nil
                let stepB = j < b.count ? b[j] : nil
                if stepA == .anyDepth { reachable[i + 1][j] = true }
                if stepB == .anyDepth { reachable[i][j + 1] = true }
                guard let stepA, let stepB, compatible(stepA, stepB) else { continue }
                if stepA == .anyDepth { reachable[i][j + 1] = true }
                if stepB == .anyDepth { reachable[i + 1][j] = true }
                if stepA != .anyDepth, stepB != .anyDepth { reachable[i + 1][j + 1] = true }
            }
        }
        return reachable[a.count][b.count]
    }

    private static func compatible(_ a: Step, _ b: Step) -> Bool {
        switch (a, b) {
        case (.literal(let x), .literal(let y)): x == y
        case (.literal, .keyed), (.keyed, .literal): false
        default: true
        }
    }

    private static func append(_ token: Substring, of text: String, to steps: inout [Step]) throws(RuleError) {
        var name = token
        var key: Substring?
        if token.last == "]", let open = token.lastIndex(of: "[") {
            name = token[..<open]
            key = token[token.index(after: open)...].dropLast()
        }
        switch name {
        case "*": steps.append(.any)
        case "**": steps.append(.anyDepth)
        case "" where key != nil && steps.isEmpty: break  // "/[id]": the document itself is the array
        default: steps.append(.literal(try unescape(name, of: text)))
        }
        guard let key else { return }
        guard !key.isEmpty else { throw RuleError("the path \"\(text)\" has empty brackets; name the member that identifies an element") }
        guard name != "**" else { throw RuleError("the path \"\(text)\" has brackets after \"**\"; name the array") }
        steps.append(.keyed(try unescape(key, of: text)))
    }

    private static func unescape(_ token: Substring, of text: String) throws(RuleError) -> JSONString {
        guard token.contains("~") else { return JSONString(String(token)) }
        var result = ""
        var escaped = false
        for character in token {
            switch (escaped, character) {
            case (false, "~"): escaped = true
            case (false, _): result.append(character)
            case (true, "0"): (result, escaped) = (result + "~", false)
            case (true, "1"): (result, escaped) = (result + "/", false)
            case (true, _): throw RuleError("the path \"\(text)\" has \"~\" without 0 or 1 after it")
            }
        }
        guard !escaped else { throw RuleError("the path \"\(text)\" ends in \"~\"; write \"~0\"") }
        return JSONString(result)
    }
}
