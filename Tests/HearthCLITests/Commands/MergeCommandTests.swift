import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth merge`, run as a process.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct MergeCommandTests {
    private let folder = Folder()
    private let rules: String

    init() {
        rules = folder.write("rules: {/coins: counter}\n", "rules.yaml")
        folder.write(#"{"coins": 100}"#, "base")
        folder.write(#"{"coins": 350}"#, "a")
        folder.write(#"{"coins": 20}"#, "b")
    }

    private func merge(_ more: String...) throws -> Command.Outcome {
        try Command.run(["merge", folder.path("a"), folder.path("b"), "--rules", rules] + more, in: folder)
    }

    @Test func printsTheDocumentAndNothingElse() throws {
        let outcome = try merge("--base", folder.path("base"))
        #expect(outcome.code == 0)
        #expect(outcome.output == #"{"coins": 270}"#)
        #expect(outcome.errors == "")
        #expect(access(folder.path("home"), F_OK) != 0, "a merge needs no home")
    }

    /// A file that holds less than the base makes exit code 3, and nothing of the other file is lost.
    @Test(arguments: [("old", "b"), ("b", "old")]) func aFileThatHeldLessIsAsked(a: String, b: String) throws {
        let rules = folder.write("rules: {/coins: counter, /best: max}\n", "rules.yaml")
        folder.write(#"{"coins": 100, "best": 9}"#, "base")
        folder.write(#"{"coins": 10, "best": 4}"#, "old")
        folder.write(#"{"coins": 120, "best": 9}"#, "b")
        let files = [folder.path(a), folder.path(b), "--base", folder.path("base"), "--rules", rules]
        let outcome = try Command.run(["merge"] + files, in: folder)
        #expect(outcome.code == 3)
        #expect(outcome.output == #"{"coins": 120, "best": 9}"#)
        #expect(outcome.errors.contains("only lost: /best"))
        // As a merge driver, it writes the result nevertheless.
        #expect(try Command.run(["merge"] + files + ["--output", folder.path("out")], in: folder).code == 3)
        #expect(Disk.read(folder.path("out")) == Array(#"{"coins": 120, "best": 9}"#.utf8))
    }

    /// With --json the result is one object, which says what was decided and asked as well.
    @Test func theResultAsJSON() throws {
        let merged = try JSONValue(parsing: Array(merge("--base", folder.path("base"), "--json").output.utf8))
        #expect(merged["event"] == "merged" && merged["document"] == .string(#"{"coins": 270}"#))
        #expect(merged["questions"] == [] && merged["output"] == nil)
        let rules = folder.write("rules: {/coins: counter, /best: max}\n", "rules.yaml")
        folder.write(#"{"coins": 100, "best": 9}"#, "base")
        folder.write(#"{"coins": 10, "best": 4}"#, "old")
        let asked = try Command.run(
            "merge", folder.path("old"), folder.path("base"), "--base", folder.path("base"), "--rules", rules,
            "--output", folder.path("out"), "--json", in: folder)
        #expect(asked.code == 3 && asked.output.split(separator: "\n").count == 1, "\(asked.output)")
        let object = try JSONValue(parsing: Array(asked.output.utf8))
        #expect(object["document"] == nil && object["output"] == .string(JSONString(folder.path("out"))))
        #expect(object["questions"] != nil && object["questions"] != [])
    }

    @Test func fileTimeDecides() throws {
        for (name, x, time) in [("a", 1, 2_000), ("b", 2, 1_000)] {
            Disk.setTime(folder.write("{\"x\": \(x)}", name), time)
        }
        #expect(try merge().output == #"{"x": 1}"#)
        Disk.setTime(folder.path("b"), 3_000)
        #expect(try merge().output == #"{"x": 2}"#)
    }

    /// Called like a git merge driver: the result replaces A.
    @Test func output_replacesA() throws {
        chmod(folder.path("a"), 0o640)
        let outcome = try merge("--base", folder.path("base"), "--output", folder.path("a"))
        #expect(outcome.code == 0)
        #expect(outcome.output == "")
        #expect(String(decoding: Disk.read(folder.path("a")) ?? [], as: UTF8.self) == #"{"coins": 270}"#)
        var status = stat()
        stat(folder.path("a"), &status)
        #expect(status.st_mode & 0o777 == 0o640)
    }

    /// Called like a git merge driver without a common ancestor.
    @Test func emptyBase_isNone() throws {
        folder.write("", "base")
        let outcome = try merge("--base", folder.path("base"))
        #expect(outcome.code == 0)
        #expect(outcome.output == #"{"coins": 350}"#)
    }

    @Test(arguments: ["a", "b"]) func brokenSide_leavesTheOutputAlone(side: String) throws {
        folder.write(#"{"coins": 3"#, side)
        let before = Disk.read(folder.path("a"))
        let outcome = try merge(
            "--base",
            folder.path("base"),
            "--output",
            folder.path("a"),
            "--name",
            "saves/player.json"
        )
        #expect((1...127).contains(outcome.code))
        #expect(Disk.read(folder.path("a")) == before)
        #expect(outcome.errors.hasPrefix("saves/player.json (\(side.uppercased())):1:"), "\(outcome.errors)")
    }

    @Test func explain_saysWhatWasDecided() throws {
        let outcome = try merge("--base", folder.path("base"), "--explain")
        #expect(outcome.output == #"{"coins": 270}"#)
        #expect(outcome.errors == "/coins (counter): 100 became 350 in A and 20 in B; the result is 270\n")
    }

    @Test func output_throughASymlink() throws {
        symlink("a", folder.path("link"))
        #expect(try merge("--base", folder.path("base"), "-o", folder.path("link")).code == 0)
        var status = stat()
        lstat(folder.path("link"), &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        #expect(String(decoding: Disk.read(folder.path("a")) ?? [], as: UTF8.self) == #"{"coins": 270}"#)
    }

    @Test func unreadableValue_isAWarning() throws {
        folder.write(#"{"coins": "many"}"#, "b")
        let outcome = try merge("--base", folder.path("base"))
        #expect(outcome.code == 0)
        #expect(outcome.output == #"{"coins": 350}"#)
        #expect(outcome.errors.hasPrefix("warning: /coins: "))
    }

    @Test func brokenInput_namesThePlace() throws {
        folder.write("{\n\"coins\": 1,,}", "b")
        let outcome = try merge()
        #expect(outcome.code == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("\(folder.path("b")):2:12: "), "\(outcome.errors)")
    }

    @Test func brokenRules_nameThePlace() throws {
        folder.write("rules:\n  /coins: purse\n", "rules.yaml")
        let outcome = try merge()
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("\(rules):2:11: "), "\(outcome.errors)")
    }

    @Test func missingFile() throws {
        let outcome = try merge("--base", "/nonexistent")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("/nonexistent cannot be opened"))
    }

    /// A result that cannot be written makes the command fail.
    @Test(.enabled(if: access("/dev/full", F_OK) == 0, "there is no /dev/full"))
    func fullDisk() throws {
        let outcome = try Command.run(
            ["merge", folder.path("a"), folder.path("b"), "--rules", rules],
            in: folder,
            output: "/dev/full"
        )
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("cannot be written"))
    }
}
