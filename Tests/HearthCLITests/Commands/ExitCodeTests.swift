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
        #expect(object["event"] == "error" && object["code"] == 4)
    }

    /// Where the file exists, `restore` asks with the sums of both saves. An unknown profile has none, so it fails
    /// before. `HistoryCommandTests` tests the question.
    @Test func restore_ofAnUnknownProfile_leavesTheFile() throws {
        let file = folder.write("{}", "save.json")
        let outcome = try Command.run("restore", "RPG", "--to", file, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("no profile RPG is known"))
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
