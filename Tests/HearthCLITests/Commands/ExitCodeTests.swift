import LosslessJSON
import TestSupport
import Testing

/// Exit codes and output of every subcommand, run as processes, without an agent.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct ExitCodeTests {
    private let folder = Folder()

    @Test(arguments: [
        ["nonsense"], ["add"], ["add", ""], ["add", "x", "--name", ""], ["add", "x", "--nonsense"], ["restore", "x"],
        ["remove"],
        ["agent", "--port", "65536"], ["agent", "--port", "-1"], ["agent", "--discovery", "magic"],
        ["agent", "--peer", "nowhere"], ["agent", "--peer", "host:0"], ["agent", "--name", ""],
        ["agent", "--interface", ""],
        ["pair", "--address", "host:4000"], ["pair", "a", "b"], ["pair", "code", "--address", "host"], ["unpair"],
        ["sync", "a", "b"],
        ["show"], ["merge", "a", "b"], ["merge", "a"], ["check"], ["status", "--home", ""], ["demo", "x"],
    ]) func wrongUsage(_ arguments: [String]) throws {
        let outcome = try Command.run(arguments, in: folder)
        #expect(outcome.code == 2, "\(arguments): \(outcome.errors)")
        #expect(outcome.output == "")
        #expect(!outcome.errors.isEmpty)
    }

    @Test(arguments: [("stauts", "'hearth status'"), ("xyzzy", "--help")])
    func anUnknownCommand_isNamed_withTheNearest(_ word: String, _ hint: String) throws {
        let outcome = try Command.run([word], in: folder)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("'\(word)'") && outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test(arguments: [["--help"], ["help"], ["help", "merge"], ["demo", "--help"], ["--version"], []])
    func help(_ arguments: [String]) throws {
        let outcome = try Command.run(arguments, in: folder)
        #expect(outcome.code == 0)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors == "")
    }

    @Test(arguments: [["sync"], ["pair"], ["pair", "K7QM-2XWD-9TRB-H4FC"]]) func agentNotRunning(_ arguments: [String])
        throws
    {
        let outcome = try Command.run(arguments, in: folder)
        #expect(outcome.code == 4)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("hearth agent"))
        let json = try Command.run(arguments + ["--json"], in: folder)
        #expect(json.code == 4)
        let object = try JSONValue(parsing: Array(json.output.utf8))
        #expect(object["error"]?["code"] == 4 && object["error"]?["message"] != nil)
    }

    /// One shape for every failure, whatever found it: the parser, the command itself, or the agent.
    @Test(
        arguments: [
            (["nonsense"], 2), (["status", "--nonsense"], 2), (["restore", "RPG"], 2), (["status", "--home", ""], 2),
            (["add", "/nowhere/save.json"], 1), (["show", "RPG"], 1), (["merge", "a", "b", "--rules", "/nowhere"], 1),
            (["check", "a", "--rules", "/nowhere"], 1), (["sync"], 4), (["migrate", "a", "--rules", "/nowhere"], 1),
        ] as [([String], Int)]) func aFailureAsJSONHasOneShape(_ arguments: [String], _ code: Int) throws
    {
        let outcome = try Command.run(arguments + ["--json"], in: folder)
        #expect(Int(outcome.code) == code, "\(arguments): \(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n") && outcome.output.split(separator: "\n").count == 1, "one line")
        let object = try JSONValue(parsing: Array(outcome.output.utf8))
        guard case .object(let whole) = object, case .object(let error)? = object["error"] else {
            Issue.record("no object: \(outcome.output)")
            return
        }
        #expect(whole.count == 1 && error.first?.value == .number(JSONNumber(code)))
        #expect(["code,message", "code,message,hint"].contains(error.map(\.key.string).joined(separator: ",")))
        #expect(!outcome.errors.isEmpty, "and a sentence for people")
    }

    /// An option that no command has is not explained by another one that only happens to be as short.
    @Test(arguments: [("--at", nil), ("--adress", "--address"), ("--jsn", "--json")] as [(String, String?)])
    func anOptionIsSuggestedWhereItIsNear(_ option: String, _ meant: String?) throws {
        let outcome = try Command.run("pair", "K7QM-2XWD-9TRB-H4FC", option, "host:1", in: folder)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("'\(option)'") && outcome.errors.contains("--address"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Did you mean") == (meant != nil), "\(outcome.errors)")
        if let meant { #expect(outcome.errors.contains("Did you mean '\(meant)'?")) }
    }

    /// `--home` may stand before the verb, as an alias of the shell puts it.
    @Test func theHomeBeforeTheVerb() throws {
        let home = folder.path("elsewhere")
        let save = folder.write("{\"coins\": 1}", "save.json")
        #expect(try Command.run("--home", home, "add", save, in: folder).code == 0)
        #expect(try Command.run("--home=\(home)", "show", "save", "/coins", in: folder).output == "1\n")
        #expect(try Command.run("show", "save", "--home", home, in: folder).code == 0)
        #expect(try Command.run("show", "save", in: folder).code == 1, "not in the other home")
        #expect(try Command.run("--home", home, "check", save, in: folder).code == 0, "it needs none")
        #expect(try Command.run("--home", home, "backup-key", "create", in: folder).code == 0)
    }

    /// Where the file exists, `restore` asks with the sums of both saves. An unknown profile has none, so it fails
    /// before. `HistoryCommandTests` tests the question.
    @Test func restore_ofAnUnknownProfile_leavesTheFile() throws {
        let file = folder.write("{}", "save.json")
        let outcome = try Command.run("restore", "RPG", "--to", file, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("no save is called RPG"))
        #expect(String(decoding: Disk.read(file) ?? [], as: UTF8.self) == "{}")
    }

    @Test func add_withBrokenRules_namesThePlace() throws {
        let rules = folder.write("rules:\n  /a: max\n  /a: min\n", "rules.yaml")
        let outcome = try Command.run("add", folder.write("{}", "save.json"), "--rules", rules, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("\(rules):3:"), "\(outcome.errors)")
        #expect(outcome.errors.contains("nothing was changed"))
        #expect(Disk.read(folder.path("home/hearth.sqlite")) == nil)
    }
}
