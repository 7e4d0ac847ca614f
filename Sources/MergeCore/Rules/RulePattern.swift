package import LosslessJSON

/// A path pattern of a rule file: a JSON Pointer (RFC 6901) with `*` (any member or element), `**` (any depth, zero
/// included) and `[key]` (elements of an array of objects, told apart by member `key`).
public struct RulePattern: Hashable, Sendable, CustomStringConvertible {
    /// One step of a pattern.
    package enum Step: Hashable, Sendable {
        case literal(JSONString)
        case any
        case anyDepth
        case keyed(JSONString)
    }

    package let steps: [Step]
    private let text: String

    /// Most steps a pattern may have.
    public static let stepLimit = 64

    /// Reads a pattern as a rule file spells it.
    ///
    /// - Throws: ``RuleError`` with one sentence where the text is no pattern.
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
        // Split by Unicode scalars: a combining mark behind a slash belongs to the name, not to the slash.
        for token in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            try Self.append(token, of: text, to: &steps)
        }
        guard steps.count <= Self.stepLimit else {
            throw RuleError("the path \"\(text)\" has more than \(Self.stepLimit) steps")
        }
        self.steps = steps
    }

    /// Makes a pattern that matches one place only: every token of the pointer is a literal step.
    init(literally pointer: JSONPointer) {
        self.init(steps: pointer.tokens.map(Step.literal))
    }

    /// Makes a pattern of steps that are known already, and spells it. A literal step `*`, or one that ends in
    /// brackets, has no spelling of its own. Such a pattern works here, but must not be stored or sent (see
    /// ``isSpelled``).
    package init(steps: [Step]) {
        self.steps = steps
        var text = ""
        for (index, step) in steps.enumerated() {
            switch step {
            case .literal(let name): text += JSONPointer(tokens: [name]).description
            case .any: text += "/*"
            case .anyDepth: text += "/**"
            case .keyed(let key):
                if index == 0 { text += "/" }
                text += "[" + JSONPointer(tokens: [key]).description.dropFirst() + "]"
            }
        }
        self.text = text
    }

    /// Whether the text, parsed again, gives the same steps.
    package var isSpelled: Bool { (try? RulePattern(parsing: text))?.steps == steps }

    /// Whether every step is a name.
    var isLiteral: Bool {
        steps.allSatisfy {
            if case .literal = $0 { true } else { false }
        }
    }

    /// The pattern as a rule file spells it.
    public var description: String { text }

    /// How specific a pattern is. More literal steps win; then more `[key]`, then more `*`, then fewer `**`.
    package struct Rank: Hashable, Comparable {
        let literals, keyed, any, anyDepth: Int

        package static func < (a: Rank, b: Rank) -> Bool {
            (a.literals, a.keyed, a.any, -a.anyDepth) < (b.literals, b.keyed, b.any, -b.anyDepth)
        }
    }

    package var rank: Rank {
        func count(_ matches: (Step) -> Bool) -> Int { steps.count(where: matches) }
        return Rank(
            literals: count { if case .literal = $0 { true } else { false } },
            keyed: count { if case .keyed = $0 { true } else { false } },
            any: count { $0 == .any },
            anyDepth: count { $0 == .anyDepth }
        )
    }

    /// Whether some path is matched by both patterns. O(steps × steps).
    package func overlaps(_ other: RulePattern) -> Bool { Self.overlap(steps, other.steps) }

    /// Whether `other` can match something strictly below a place that this pattern matches.
    package func reachesBelow(_ other: RulePattern) -> Bool { Self.overlap(steps + [.any, .anyDepth], other.steps) }

    private static func overlap(_ a: [Step], _ b: [Step]) -> Bool {
        if !a.contains(.anyDepth), !b.contains(.anyDepth) {
            return a.count == b.count && zip(a, b).allSatisfy(compatible)
        }
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

    private typealias Token = Substring.UnicodeScalarView

    private static func append(_ token: Token, of text: String, to steps: inout [Step]) throws(RuleError) {
        var name = token
        var key: Token?
        if token.last == "]", let open = token.lastIndex(of: "[") {
            name = token[..<open]
            key = token[token.index(after: open)...].dropLast()
        }
        switch String(name) {
        case "*": steps.append(.any)
        case "**": steps.append(.anyDepth)
        case "" where key != nil && steps.isEmpty: break  // "/[id]": the document itself is the array
        default: steps.append(.literal(try unescape(name, of: text)))
        }
        guard let key else { return }
        guard !key.isEmpty else {
            throw RuleError("the path \"\(text)\" has empty brackets; name the member that identifies an element")
        }
        guard String(name) != "**" else {
            throw RuleError("the path \"\(text)\" has brackets after \"**\"; name the array")
        }
        steps.append(.keyed(try unescape(key, of: text)))
    }

    private static func unescape(_ token: Token, of text: String) throws(RuleError) -> JSONString {
        guard token.contains("~") else { return JSONString(String(token)) }
        var result = String.UnicodeScalarView()
        var escaped = false
        for scalar in token {
            switch (escaped, scalar) {
            case (false, "~"): escaped = true
            case (false, _): result.append(scalar)
            case (true, "0"):
                result.append("~")
                escaped = false
            case (true, "1"):
                result.append("/")
                escaped = false
            case (true, _): throw RuleError("the path \"\(text)\" has \"~\" without 0 or 1 after it")
            }
        }
        guard !escaped else { throw RuleError("the path \"\(text)\" ends in \"~\"; write \"~0\"") }
        return JSONString(String(result))
    }
}
