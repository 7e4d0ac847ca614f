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

    @Test(arguments: unknownWords + structure + markup + values + wholeSets + options + resets + syntax)
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
        Case("2:7", "did you mean max?", "rules:\n  /a: Max"),
        Case("2:7", "did you mean counter?", "rules:\n  /a: cuonter"),
        Case("2:8", "the option \"megre\" \(notKnown), which knows merge, as, format", "rules:\n  /a: {megre: max}"),
        Case("2:8", "did you mean merge?", "rules:\n  /a: {megre: max}"),
        Case(
            "4:9",
            "\"as\" with \"bit\" \(notKnown), which knows number, date, bits; did you mean bits?",
            "rules:\n  /a:\n    merge: union\n    as: bit"
        ),
        Case(
            "3:1",
            "which knows profile, version, versionAt, rules, resets, resetAt, migrations, legacy; did you mean resets?",
            "rules:\n  /a: max\nreset: {}"
        ),
        Case("1:1", "the field \"migration\" \(notKnown)", "migration:\n  - x"),
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
        // What looks like markup and is none, or says nothing.
        Case("1:10", "no aliases", "profile: *.exe"),
        Case("1:10", "no anchors", "profile: & co"),
        Case("1:10", "no tags", "profile: ! A"),
        Case("1:10", "no tags", "profile: !a!b A"),
        Case("1:9", "no tags", "legacy: !x"),
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
        Case(
            "2:20",
            "\"whole\" does nothing with max; it goes with latest, furthest and choice",
            "rules:\n  /a: {merge: max, whole: true}"
        ),
        Case("2:23", "\"as: date\" does nothing with latest", "rules:\n  /a: {merge: latest, as: date}"),
        Case("2:8", "it goes with max, min and furthest", "rules:\n  /a: {as: date, merge: counter}"),
        Case("2:8", "\"none\" does nothing with counter", "rules:\n  /a: {none: [0], merge: counter}"),
    ]

    static let options =
        [
            Case("2:7", "furthest needs the members", "rules:\n  /a: furthest"),
            Case("2:15", "furthest needs the members", "rules:\n  /a: {merge: furthest}"),
            Case("2:29", "\"by\" takes a list", "rules:\n  /a: {merge: furthest, by: level}"),
            Case("2:29", "\"by\" takes a list", "rules:\n  /a: {merge: furthest, by: []}"),
            Case("2:30", "\"by\" takes a list", "rules:\n  /a: {merge: furthest, by: [[x]]}"),
            Case("2:33", "\"by\" names \"x\" twice", "rules:\n  /a: {merge: furthest, by: [x, x]}"),
            Case("2:54", "more than 8 members", "rules:\n  /a: {merge: furthest, by: [a, b, c, d, e, f, g, h, i]}"),
            Case("2:20", "\"by\" does nothing with max; it goes with furthest", "rules:\n  /a: {merge: max, by: [x]}"),
            Case("2:20", "\"sort\" does nothing with max", "rules:\n  /a: {merge: max, sort: x}"),
            Case("2:28", "\"sort\" takes the name", "rules:\n  /a: {merge: union, sort: [x]}"),
            Case(
                "2:32",
                "\"limit\" does nothing with \"as: bits\"",
                "rules:\n  /a: {merge: union, as: bits, limit: 5}"
            ),
        ]
        + ["0", "1000001", "-1", "1.5", "x", "\"5\"", "1e9", "[5]", "~"].map {
            Case(
                "2:29",
                "\"limit\" takes a whole number from 1 to 1000000",
                "rules:\n  /a: {merge: union, limit: \($0)}"
            )
        }
        + [
            Case("2:38", "has \"%Q\", which is none of", "rules:\n  /a: {merge: max, as: date, format: \"%Q\"}"),
            Case("2:38", "names no year", "rules:\n  /a: {merge: max, as: date, format: \"%H\"}"),
            Case("2:20", "goes with \"as: date\" only", "rules:\n  /a: {merge: max, format: \"%Y\"}"),
            Case("2:28", "\"format\" takes a date format", "rules:\n  /a: {merge: max, format: [x]}"),
        ]

    static let resets = [
        Case("1:9", "\"resets\" needs lines", "resets: [/a]"),
        Case("2:8", "the reset \"all\" takes a list", "resets:\n  all: /a"),
        Case("2:7", "the reset \"all\" takes a list", "resets:\n  all:\n"),
        Case("2:3", "the reset \"all\" covers nothing", "resets:\n  all: []"),
        Case("3:14", "must begin with \"/\"", "resets:\n  all: [/a]\n  some: [/x, coins]"),
        Case("2:13", "names \"/a\" twice", "resets:\n  all: [/a, /a]"),
        Case("3:3", "\"all\" occurs twice", "resets:\n  all: [/a]\n  all: [/b]"),
        Case("2:3", "more than 64 bytes", "resets:\n  \(String(repeating: "x", count: 65)): [/a]"),
        Case("2:3", "a reset needs a name", "resets:\n  \"\": [/a]"),
        Case("1:10", "needs a path behind it, such as /reset", "resetAt: [x]"),
        Case("1:10", "must be empty or begin with '/'", "resetAt: reset"),
        Case("1:10", "is the whole document", "resetAt: \"\""),
        Case("2:3", "asks for a reset there", "rules:\n  /reset: max\nresetAt: /reset"),
        Case("3:10", "lies below \"/run\"", "rules:\n  /run: choice\nresetAt: /run/reset"),
    ]

    static let syntax = [
        Case("3:3", "\"/a\" occurs twice (first on line 2)", "rules:\n  /a: max\n  /a: min"),
        Case(
            "5:3",
            "\"/a*\" occurs twice (first on line 2)",
            "rules:\n  /a*: max\n  # /a*: x\n  /b: max\n  \"/a*\": min"
        ),
        Case("3:1", "\"rules\" occurs twice (first on line 1)", "rules:\n  /a: max\nrules:\n  /b: max"),
        Case("2:19", "\"merge\" occurs twice (first on line 2)", "rules:\n  /a: {merge: max,merge: min}"),
        Case("1:16", "\"/a\" occurs twice", "rules: {/a: 1, /a: 2}"),
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
