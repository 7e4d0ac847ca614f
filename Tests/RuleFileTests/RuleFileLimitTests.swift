import MergeCore
import RuleFile
import TestSupport
import Testing

/// Whatever stands in the file, reading it ends soon, in rules or in an error.
struct RuleFileLimitTests {
    private func refusal(_ yaml: String) throws -> RuleFileError {
        try #require(throws: RuleFileError.self) { try RuleSet(yaml: yaml) }
    }

    @Test func size() throws {
        let comment = "#" + String(repeating: "x", count: 262_144 - 8)
        let error = try refusal("rules:\n" + comment + "\n")
        #expect(error.description == "1:1: the rule file has 262145 bytes; the most it may have is 262144")
        #expect(throws: error) { try RuleSet(yaml: Array(("rules:\n" + comment + "\n").utf8)) }
        // With the rules themselves that much could not travel to the other devices.
        #expect(try refusal("rules:\n" + comment).message.contains("can travel"))
        #expect(throws: Never.self) { try RuleSet(yaml: "rules:\n" + comment.dropLast(1_000)) }
    }

    @Test(.timeLimit(.minutes(5))) func numberOfRules() throws {
        func file(_ count: Int) -> String { "rules:\n" + (1...count).map { "  /r\($0): max\n" }.joined() }
        #expect(try RuleSet(yaml: file(2_000)).entries.count == 2_000)
        let error = try refusal(file(2_001))
        #expect(error.line == 2_002 && error.column == 3 && error.message.contains("this is rule 2001"))
    }

    @Test(.timeLimit(.minutes(5))) func numberOfSteps() throws {
        let lines = (0..<300).map { "  \(String(repeating: "/*", count: 60))/r\($0): \($0 % 2 == 0 ? "max" : "min")\n" }
        let error = try refusal("rules:\n" + lines.joined())
        #expect(error.line == 136 && error.message.contains("8192 steps"))
        #expect(throws: Never.self) { try RuleSet(yaml: "rules:\n" + lines.prefix(100).joined()) }
    }

    @Test func stepsOfAnyDepth() throws {
        let lines = (0..<60).map { "  /a\($0)/**/b/**/c: max\n" }
        let error = try refusal("rules:\n" + lines.joined())
        #expect(error.line == 52 && error.message.contains("100 steps \"**\""))
        #expect(throws: Never.self) { try RuleSet(yaml: "rules:\n" + lines.prefix(50).joined()) }
    }

    /// Aliases inside aliases as mapping keys: 10⁹ nodes to compare, if anybody followed them.
    @Test(.timeLimit(.minutes(5))) func aliasBomb() throws {
        var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            yaml += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        let error = try refusal(yaml + "rules: {? *a9 : max}\n")
        #expect(error.line == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["[", "{", "- ", "? ", "{? ", "[a,", "{a: "])
    func depth(_ opening: String) throws {
        for count in [10, 900, 999, 1_001, 50_000] {
            _ = try refusal("rules: " + String(repeating: opening, count: count))
            _ = try refusal(String(repeating: opening, count: count))
        }
        let closing = opening.contains("[") ? "]" : "}"
        guard opening.contains("[") || opening.contains("{") else { return }
        _ = try refusal(String(repeating: opening, count: 900) + "x" + String(repeating: closing, count: 900))
    }

    @Test(arguments: ["[", "{a: ", "{? "]) func nesting(_ opening: String) throws {
        let error = try refusal("rules: " + String(repeating: opening, count: 50_000))
        #expect(error.line == 1 && error.column == 8 + 63 * opening.utf8.count)
        #expect(error.message.contains("nested deeper than 64 levels"))
    }

    @Test func numberOfNodes() throws {
        let error = try refusal("rules: [" + String(repeating: "a,", count: 120_000) + "a]")
        // Before the list stand the mapping and its key; the list itself counts as well.
        #expect(error.line == 1 && error.column == 9 + 2 * (100_000 - 3))
        #expect(error.message.contains("more than 100000 words and lists"))
    }

    private static let noTexts: [[UInt8]] = [
        [0], [0xEF, 0xBB, 0xBF, 0], [0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61], [0xEF, 0xBB], [0xED, 0xA0, 0x80],
        [0x22], [0x27, 0x61], [0x7C, 0x39], [0x25], [0x21, 0x3C], [0x22, 0x5C, 0x55, 0x46, 0x46],
    ]

    /// UTF-16, halves of characters, a single indicator: no trap, and an error in the first line.
    @Test(arguments: noTexts) func noText(_ bytes: [UInt8]) throws {
        let error = try #require(throws: RuleFileError.self) { try RuleSet(yaml: bytes) }
        #expect(error.line == 1 && 1...bytes.count + 1 ~= error.column, "\(error)")
    }

    /// Thousands of small mistakes in a good file: never a trap, and every error lies inside the file.
    @Test(.timeLimit(.minutes(5)), arguments: ExampleFiles.examples)
    func mutations(_ name: String) throws {
        let good = try #require(ExampleFiles.rules(name))
        var random = SeededRandom(seed: 0x4845_4152_5448)
        var valid = 0
        for round in 0..<1_500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
            // Twice in three times the text is repaired, so that mistakes get behind the check for UTF-8.
            do {
                _ = try round % 3 == 0 ? RuleSet(yaml: bytes) : RuleSet(yaml: String(decoding: bytes, as: UTF8.self))
                valid += 1
            } catch {
                let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 2
                #expect(1...lines ~= error.line && 1...(bytes.count + 2) ~= error.column, "round \(round): \(error)")
                #expect(!error.message.isEmpty && !error.message.contains("\n"), "round \(round): \(error)")
            }
        }
        #expect(1..<1_500 ~= valid)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, index + Int.random(in: 1...12, using: &random))
        let marks = Array("{}[]:,&*!|>'\"%@`#-?/~ \n\r\t0x\\<".utf8)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] = marks.randomElement(using: &random)!
        case 2: bytes.insert(marks.randomElement(using: &random)!, at: index)
        case 3: bytes.removeSubrange(index..<end)
        case 4: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default: bytes.removeSubrange(max(1, index)...)
        }
        if bytes.isEmpty { bytes = [0x20] }
    }
}
