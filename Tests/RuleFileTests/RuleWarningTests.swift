import LosslessJSON
import MergeCore
import RuleFile
import Testing

@Suite struct RuleWarningTests {
    @Test func aRuleThatMatchesNothingIsNamedByLineAndColumn() throws {
        let yaml = """
            profile: RPG
            rules:
              /coins: counter
              /coinz: counter   # a slip
              "/": choice
              /name: {merge: counter}
            """
        let save = try JSONDocument(parsing: Array(#"{"coins": 1, "name": "Ada"}"#.utf8))
        #expect(
            try RuleSet.warnings(yaml: yaml, for: save).map(\.description) == [
                "4:3: no place matches /coinz; did you mean /coins?",
                #"5:3: no place matches "/", which is the member with an empty name; the whole document is """#,
                "6:3: /name: counter takes a number, but the save has a text there",
            ])
        // A warning is no error, and what the file means stays what it was.
        #expect(try RuleSet(yaml: yaml).entries.count == 4)
        #expect(try RuleSet.warnings(yaml: "rules:\n  \"\": choice\n", for: save) == [])
    }
}
