import MergeCore
import RuleFile
import Testing

/// Every error names the line and column of the word it is about.
struct RuleFileErrorTests {
    struct Case: CustomTestStringConvertible {
        let place: String
        let says: String
        let yaml: String

        init(_ place: String, _ says: String, _ yaml: String) {
            (self.place, self.says, self.yaml) = (place, says, yaml)
        }

        var testDescription: String { yaml.debugDescription }
    }

    @Test(arguments: unknownWords + structure + markup + values + wholeSets + syntax)
    func refused(_ test: Case) throws {
        let error = try #require(throws: RuleFileError.self) { try RuleSet(yaml: test.yaml) }
        #expect(error.description.hasPrefix(test.place + ": "), "\(error)")
        #expect(error.message.contains(test.says), "\(error)")
        #expect(error.description == "\(error.line):\(error.column): \(error.message)")
        #expect(!error.message.contains("\n"))
    }

    static let notKnown = "is not known to this version of Hearth"

    static let unknownWords = [
        Case("2:7", "the rule \"maxx\" \(notKnown), which knows latest, max, min", "rules:\n  /a: maxx"),
        Case("2:7", "the rule \"Max\" \(notKnown)", "rules:\n  /a: Max"),
        Case("2:12", "the rule \"choice\" \(notKnown)", "rules:\n  /ending: choice"),
        Case("2:22", "the rule \"furthest\" \(notKnown)", "rules:\n  /progress: {merge: furthest, by: [level]}"),
        Case(
            "4:9", "\"as\" with \"bits\" \(notKnown), which knows number, date",
            "rules:\n  /a:\n    merge: union\n    as: bits"),
        Case("2:22", "the option \"sort\" \(notKnown)", "rules:\n  /h: {merge: union, sort: playedAt}"),
        Case("2:22", "the option \"limit\" \(notKnown)", "rules:\n  /h: {merge: union, limit: 5}"),
        Case("3:1", "the field \"resets\" \(notKnown), which knows profile, version", "rules:\n  /a: max\nresets: {}"),
        Case("1:1", "the field \"migrations\" \(notKnown)", "migrations:\n  - x"),
        Case("2:1", "the field \"resetAt\" \(notKnown)", "profile: P\nresetAt: /runs"),
        Case("1:1", "the field \"Rules\" \(notKnown)", "Rules:\n  /a: max"),
        Case("1:1", "the field \"<<\" \(notKnown)", "<<: {rules: {}}"),
    ]

    static let structure = [
        Case("1:1", "the rule file is empty", ""),
        Case("1:1", "the rule file is empty", "# only\n# comments\n"),
        Case("1:1", "the rule file is empty", "---\n"),
        Case("1:1", "the rule file is empty", "null"),
        Case("1:1", "a rule file has fields", "- /a: max"),
        Case("2:1", "a rule file has fields", "\nhello"),
        Case("2:3", "\"rules\" needs lines such as", "rules:\n  - /a: max"),
        Case("1:8", "\"rules\" needs lines such as", "rules: max"),
        Case("1:10", "\"profile\" needs a text", "profile: [a]"),
        Case("1:9", "\"profile\" needs a text", "profile:\nrules:"),
        Case("2:10", "\"version\" needs a text", "rules:\nversion: {a: 1}"),
        Case("1:10", "\"version\" needs a text", "version: ~"),
        Case("1:10", "\"profile\" has 257 bytes", "profile: \(String(repeating: "x", count: 257))"),
        Case("1:12", "must be empty or begin with '/'", "versionAt: saveVersion"),
        Case("1:12", "'~'", "versionAt: /a~2"),
        Case("2:3", "must begin with \"/\"", "rules:\n  coins: counter"),
        Case("3:3", "\"~\" without 0 or 1", "rules:\n  /b: max\n  /a~x: max"),
        Case("2:3", "empty brackets", "rules:\n  /a[]/b: max"),
        Case("2:3", "a rule needs a path", "rules:\n  ~: max"),
        Case("2:5", "a rule needs a path", "rules:\n  ? [a]\n  : max"),
        Case("2:6", "\"/a\" has no rule", "rules:\n  /a:\n  /b: max"),
        Case("2:7", "a rule is one word", "rules:\n  /a: [max]"),
        Case("2:7", "needs \"merge\"", "rules:\n  /a: {as: date}"),
        Case("2:15", "a rule is one word", "rules:\n  /a: {merge: {b: c}}"),
        Case("2:30", "\"whole\" takes true or false", "rules:\n  /a: {merge: latest, whole: yes}"),
        Case("2:30", "\"whole\" takes true or false", "rules:\n  /a: {merge: latest, whole: \"true\"}"),
    ]

    static let markup = [
        Case("2:7", "no anchors", "rules:\n  /a: &x max"),
        Case("1:1", "no anchors", "&x profile: A"),
        Case("3:7", "no aliases", "rules:\n  /a: max\n  /b: *x"),
        Case("2:26", "no aliases", "rules:\n  /a: {merge: max, none: *x}"),
        Case("2:3", "no aliases", "rules:\n  *x : max"),
        Case("2:7", "no tags", "rules:\n  /a: !!str max"),
        Case("1:10", "no tags", "profile: !x A"),
        Case("2:3", "no tags", "rules:\n  !!str /a: max"),
        Case("1:8", "no tags", "rules: !!map {}"),
    ]

    static let values: [Case] =
        [
            Case("2:26", "takes a list", "rules:\n  /a: {merge: max, none: 0}"),
            Case("2:27", "takes plain values", "rules:\n  /a: {merge: max, none: [[0]]}"),
            Case("2:30", "0x10 is no number", "rules:\n  /a: {merge: max, none: [0, 0x10]}"),
        ]
        + ["1_000", "+1", ".5", "1.", "01", "0o7", ".inf", ".nan", "-.inf", "12:30:00", "2020-01-31", "1e", "-"].map {
            Case("2:27", "\($0) is no number", "rules:\n  /a: {merge: max, none: [\($0)]}")
        }
        + ["yes", "No", "on", "TRUE", "Null", "y"].map {
            Case("2:27", "\($0) can mean several things", "rules:\n  /a: {merge: max, none: [\($0)]}")
        }

    static let wholeSets = [
        Case("4:3", "neither is more specific", "rules:\n  /a/*: max\n  # also\n  /*/b: min"),
        Case("3:3", "lies below \"/a\"", "rules:\n  /a: {merge: latest, whole: true}\n  /a/b: max"),
        Case("2:3", "lies below \"/a\"", "rules:\n  /a/b: max\n  /a: {merge: latest, whole: true}"),
        Case("2:3", "\"whole\" goes with latest only", "rules:\n  /a: {merge: max, whole: true}"),
        Case("2:23", "\"as\" does nothing with latest", "rules:\n  /a: {merge: latest, as: date}"),
        Case("2:8", "\"as: number\" with counter too", "rules:\n  /a: {as: date, merge: counter}"),
        Case("2:8", "\"none\" does nothing with counter", "rules:\n  /a: {none: [0], merge: counter}"),
    ]

    static let syntax = [
        Case("3:3", "\"/a\" stands twice (first on line 2)", "rules:\n  /a: max\n  /a: min"),
        Case(
            "5:3", "\"/a*\" stands twice (first on line 2)", "rules:\n  /a*: max\n  # /a*: x\n  /b: max\n  \"/a*\": min"
        ),
        Case("3:1", "\"rules\" stands twice (first on line 1)", "rules:\n  /a: max\nrules:\n  /b: max"),
        Case("2:19", "\"merge\" stands twice (first on line 2)", "rules:\n  /a: {merge: max,merge: min}"),
        Case("1:16", "\"/a\" stands twice", "rules: {/a: 1, /a: 2}"),
        Case("2:1", "indent with spaces, not with tabs", "rules:\n\t/a: max"),
        Case("3:1", "this is no YAML", "rules:\n  /a: {merge: max\n"),
        Case("3:1", "this is no YAML", "rules:\n  /a: \"max\n"),
        Case("3:3", "this is no YAML", "rules:\n    /a: max\n  /b: min"),
        Case("1:13", "mapping values are not allowed", "profile: a b: c"),
        Case("3:1", "one YAML document", "rules:\n  /a: max\n---\nrules:"),
        Case("2:6", "control character U+0007", "rules:\n  /aé\u{7}: max"),
        Case("1:3", "control character U+0000", "{}\u{0}"),
        Case("2:3", "control character U+FEFF", "rules:\n  \u{FEFF}/a: max"),
    ]

    @Test func columnsCountScalarsAndLinesAnyEnd() {
        #expect(throws: RuleFileError(line: 2, column: 9, message: unknownRule("maxx"))) {
            try RuleSet(yaml: "rules:\r\n  /né💰: maxx\r\n")
        }
    }

    @Test func invalidUTF8() {
        let yaml = Array("rules:\n  /é".utf8) + [0xFF] + Array(": max".utf8)
        #expect(throws: RuleFileError(line: 2, column: 5, message: "this is no UTF-8; save the file as UTF-8")) {
            try RuleSet(yaml: yaml)
        }
    }
}
