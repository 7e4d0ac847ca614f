import Libc
import LosslessJSON
import TestSupport
import Testing

/// `hearth check`, run as a process.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct CheckTests {
    private let folder = Folder()

    @Test(arguments: [
        ("", 1, 1), ("{", 1, 2), ("{\"a\": 1,}", 1, 9), ("{\n  \"a\": 1,\n  \"a\": 2\n}", 3, 3), ("[1e999, NaN]", 1, 9),
        ("{} {}", 1, 4), ("[01]", 1, 2), ("\"\t\"", 1, 2), ("{\"é\": tru}", 1, 7),
    ]) func wrong(_ text: String, _ line: Int, _ column: Int) throws {
        let file = folder.write(text, "save.json")
        let outcome = try Command.run("check", file, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("\(file):\(line):\(column): "), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        "{}", "\u{FEFF}[1.0, 1e2, 123456789012345678901234567890]", "null", "{\"é\": 1, \"e\u{301}\": 2}",
    ])
    func sound(_ text: String) throws {
        let file = folder.write(text, "save.json")
        let outcome = try Command.run("check", file, in: folder)
        #expect(outcome.code == 0)
        #expect(outcome.output == "\(file): ok\n")
        #expect(outcome.errors == "")
    }

    @Test func everyFileIsTold() throws {
        let (good, bad) = (folder.write("1", "good"), folder.write("x", "bad"))
        let outcome = try Command.run("check", bad, good, "/nonexistent", in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.output == "\(good): ok\n")
        #expect(outcome.errors.contains("bad:1:1: "))
        #expect(outcome.errors.contains("/nonexistent cannot be opened"))
    }

    @Test func standardInput() throws {
        #expect(try Command.run("check", "-", input: Array("[1]".utf8), in: folder).output == "-: ok\n")
        let bad = try Command.run("check", "-", input: Array("[1".utf8), in: folder)
        #expect(bad.code == 1)
        #expect(bad.errors.hasPrefix("-:1:3: "))
    }

    /// Anything but a regular file is refused in a sentence, without waiting for it.
    @Test func noOrdinaryFile() throws {
        mkfifo(folder.path("pipe"), 0o600)
        symlink(folder.path("nowhere"), folder.path("dangling"))
        for (path, word) in [
            (folder.path("pipe"), "is a pipe"), (folder.path, "is a folder"), ("/dev/zero", "is no ordinary file"),
            (folder.path("dangling"), "cannot be opened"),
        ] {
            let outcome = try Command.run("check", path, in: folder)
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains(word), "\(path): \(outcome.errors)")
        }
    }

    @Test func hugeFile() throws {
        let path = folder.write("", "huge")
        truncate(path, 5 << 40)
        let outcome = try Command.run("check", path, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("is over 64 MiB"))
    }

    @Test func deepFile() throws {
        let deep = String(repeating: "[", count: 100_000)
        let outcome = try Command.run("check", folder.write(deep, "deep"), in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("deep:1:"))
    }

    /// Random bytes, and valid text with random bytes in it, give an answer and never a crash.
    @Test func randomBytes() throws {
        var random = SeededRandom(seed: 7)
        let sound = Array(
            "{\"level\": 7, \"themes\": [\"a\", \"b\\u00e9\"], \"x\": {\"y\": -1.5e10, \"z\": null}}".utf8
        )
        var files: [String] = []
        for index in 0..<400 {
            var bytes = sound
            if index.isMultiple(of: 2) {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            } else {
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            files.append(folder.write(bytes, folder.path("random\(index)")))
        }
        let outcome = try Command.run(["check"] + files, in: folder)
        #expect(outcome.code == 1)
        let lines = outcome.output.split(separator: "\n").count + outcome.errors.split(separator: "\n").count
        #expect(lines == files.count)
    }

    @Test func json() throws {
        let (good, bad) = (folder.write("1", "good"), folder.write("[\n1 2]", "bad"))
        let outcome = try Command.run("check", "--json", good, bad, in: folder)
        #expect(outcome.code == 1)
        let lines = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        try #require(lines.count == 2)
        #expect(lines[0] == ["event": "checked", "file": .string(JSONString(good)), "ok": true])
        #expect(lines[1]["line"] == 2 && lines[1]["column"] == 3 && lines[1]["ok"] == false)
    }

    /// The rules are compared with each file, and nothing is changed.
    @Test func rulesAreCompared() throws {
        let save = folder.write(#"{"coins": 5, "name": "Ada"}"#, "save.json")
        let fitting = folder.write("rules:\n  /coins: counter\n", "fitting.yaml")
        let wrong = folder.write("rules:\n  /coinz: counter\n  /name: counter\n", "wrong.yaml")
        let good = try Command.run("check", save, "--rules", fitting, in: folder)
        #expect(good.code == 0 && good.output == "\(save): ok\n" && good.errors == "")
        let bad = try Command.run("check", save, "--rules", wrong, in: folder)
        #expect(bad.code == 1 && bad.output == "")
        #expect(
            bad.errors == "\(wrong):2:3: no place matches /coinz; did you mean /coins?\n"
                + "\(wrong):3:3: /name: counter takes a number, but the save has a text there\n", "\(bad.errors)")
        let line = try Command.run("check", save, "--json", "--rules", wrong, in: folder).output
        let told = try JSONValue(parsing: Array(line.utf8))
        let lines = bad.errors.split(separator: "\n").map { JSONValue.string(JSONString(String($0))) }
        #expect(told["ok"] == false && told["rules"] == .array(lines))
        let piped = try Command.run("check", "-", "--rules", wrong, input: Array("1".utf8), in: folder)
        #expect(piped.code == 2 && piped.errors.contains("takes no standard input"))
    }

    /// A file's name cannot write escape sequences to the terminal.
    @Test func hostileName() throws {
        let file = folder.write("x", "\u{1B}[2Jname")
        let outcome = try Command.run("check", file, in: folder)
        #expect(!outcome.errors.contains("\u{1B}"))
    }
}
