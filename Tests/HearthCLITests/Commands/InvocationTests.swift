import Testing

@testable import HearthCLI

/// What is read from the words of the command line before they are parsed.
@Suite struct InvocationTests {
    @Test(arguments: [
        ("status", "status"),
        ("--home D status", "status --home D"),
        ("--home=D status --json", "status --json --home=D"),
        ("--home C --home D status", "status --home D"),
        ("--home D play RPG -- game --home E", "play RPG --home D -- game --home E"),
        ("--home D backup-key create", "backup-key create --home D"),
        ("--home D status --home E", "status --home E"),
        ("--home D status --home=E", "status --home=E"),
        ("--home D merge a b", "merge a b"), ("check a --home D", "check a"), ("check --home=D a", "check a"),
        ("--home D check a --home E", "check a"), ("check a --home", "check a --home"),
        ("check a -- --home", "check a -- --home"), ("--home D help status", "help status"), ("--home D", ""),
        ("--home D --version", "--version"), ("--home", "--home"), ("", ""),
    ])
    func aHomeBeforeTheVerbStandsBehindIt(typed: String, parsed: String) {
        #expect(Invocation(words(typed)).words == words(parsed))
    }

    @Test(arguments: [
        ("status --json", true), ("--home D status --json", true), ("play RPG --json -- game", true),
        ("play RPG -- game --json", false), ("status", false), ("", false),
    ])
    func theOptionForJSON(typed: String, isGiven: Bool) {
        #expect(Invocation(words(typed)).wantsJSON == isGiven)
    }

    @Test func aVerbThatDoesNotExist() {
        let names = ["status", "sync", "play"]
        #expect(Invocation(["stauts"]).unknownVerb(names)?.contains("did you mean 'hearth status'?") == true)
        #expect(Invocation(["--home", "D", "stauts"]).unknownVerb(names)?.contains("'stauts'") == true)
        #expect(Invocation(["xyzzy"]).unknownVerb(names)?.contains("'hearth --help' lists them") == true)
        #expect(Invocation(["help", "plai"]).unknownVerb(names)?.contains("did you mean 'hearth help play'?") == true)
        for words in [["play"], ["help"], ["help", "sync"], ["--version"], []] {
            #expect(Invocation(words).unknownVerb(names) == nil)
        }
    }

    @Test func aVerbBehindAVerbThatDoesNotExist() {
        let names = ["create", "recover"]
        for words in [["backup-key", "creat", "--home", "X"], ["--home", "X", "backup-key", "creat"]] {
            #expect(
                Invocation(words).unknownSubverb(names)
                    == "there is no command 'backup-key creat'; did you mean 'hearth backup-key create'?")
        }
        #expect(
            Invocation(["backup-key", "--home", "X", "zzzzzz"]).unknownSubverb(names)?.hasSuffix("lists them") == true)
        for words in [["backup-key", "create"], ["backup-key", "--home", "X"], ["backup-key"]] {
            #expect(Invocation(words).unknownSubverb(names) == nil)
        }
        #expect(Invocation(["status", "xyzzy"]).unknownSubverb([]) == nil)
    }

    @Test func aSuggestionIsNear() {
        func sentence(_ typed: String, _ meant: String) -> String {
            "Unknown option '\(typed)'. Did you mean '\(meant)'?"
        }
        #expect(Invocation.withoutFarSuggestion(sentence("--at", "--yes")) == "Unknown option '--at'")
        #expect(Invocation.withoutFarSuggestion(sentence("--jsn", "--json")) == sentence("--jsn", "--json"))
        let other = "Missing value for '--home <folder>'"
        #expect(Invocation.withoutFarSuggestion(other) == other)
    }

    private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
