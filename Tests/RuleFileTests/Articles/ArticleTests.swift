import LosslessJSON
import MergeCore
import RuleFile
import Testing

/// What the article *Merge rules* shows is what the rule reader and the core do.
struct ArticleTests {
    private static let article = Result { try Article("MergeRules") }
    static let examples = (try? article.get().examples) ?? []

    @Test func theArticleIsThereAndEveryLineOfAnExampleIsUnderstood() throws {
        #expect(try Self.article.get().examples.count > 20)
    }

    @Test(arguments: examples) func showsWhatHappens(_ example: ArticleExample) throws {
        var household = try ArticleHousehold(example)
        for step in example.steps { try household.take(step) }
        #expect(household.faults.isEmpty, "\(example)")
        #expect(household.hasChecked, "\(example) shows no result")
    }

    @Test(arguments: MergeRule.Merge.allCases) func everyRuleHasAnExampleUnderItsName(_ merge: MergeRule.Merge) throws {
        #expect(try uses(under: "`\(merge.rawValue)`") { $0.merge == merge })
    }

    @Test(arguments: MergeRule.Reading.allCases) func everyReadingHasAnExampleUnderItsName(
        _ reading: MergeRule.Reading
    ) throws {
        #expect(try uses(under: "`as: \(reading.rawValue)`") { $0.reading == reading })
    }

    @Test func everyOptionHasAnExampleUnderItsName() throws {
        #expect(try uses(under: "`format`") { $0.format != nil })
        #expect(try uses(under: "`none`") { !$0.none.isEmpty })
        #expect(try uses(under: "`whole`") { $0.whole })
        #expect(try uses(under: "`furthest`") { !$0.by.isEmpty })
        #expect(try uses(under: "`sort` and `limit`") { $0.sort != nil && $0.limit != nil })
    }

    @Test func resetsHaveExamples() throws {
        let sets = try Self.examples.filter { !$0.isRefused }.map { try RuleSet(yaml: $0.rules) }
        #expect(sets.contains { !$0.resets.isEmpty && $0.resetAt == nil })
        #expect(sets.contains { $0.resetAt != nil })
    }

    /// Whether an example under a heading has such a rule.
    private func uses(under heading: String, _ matches: (MergeRule) -> Bool) throws -> Bool {
        let examples = Self.examples.filter { $0.heading.hasPrefix(heading) && !$0.isRefused }
        return try examples.contains { try RuleSet(yaml: $0.rules).entries.contains { matches($0.rule) } }
    }

    /// The checks themselves fail on wrong input.
    @Test(arguments: [
        (#"{"a": 3}"#, true), (#"{"a": 2}"#, false), (#"{"a": 3, "b": 1}"#, false), ("{}", false),
    ]) func aWrongExampleIsNoticed(result: String, isRight: Bool) throws {
        let text = """
            **Rules**
            ```yaml
            rules: {/a: max}
            ```
            **Start**
            ```json
            {"a": 1}
            ```
            **B saves**
            ```json
            {"a": 3}
            ```
            **Both show**
            ```json
            \(result)
            ```
            """
        let example = try #require(try Article(text: text).examples.first)
        var household = try ArticleHousehold(example)
        for step in example.steps { try household.take(step) }
        #expect(household.hasChecked && household.faults.isEmpty == isRight)
    }

    @Test(arguments: ["**Both shows**", "```json\n1\n```", "**A saves**", "**Open:** `/a`\n```json\n1\n```"])
    func aLineThatIsNoStepIsNoticed(line: String) {
        #expect(throws: Article.Fault.self) { try Article(text: "**Rules**\n```yaml\nrules:\n```\n\n\(line)\n") }
    }
}

extension ArticleExample {
    /// Whether the rules are an error.
    var isRefused: Bool {
        if case .because? = steps.first { true } else { false }
    }
}
