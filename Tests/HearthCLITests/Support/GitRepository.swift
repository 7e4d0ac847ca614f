import Libc
import TestSupport
import Testing

/// A temporary git repository, used with the machine's git and without anybody's configuration.
struct GitRepository {
    static let program: String? = ["/usr/bin/git", "/opt/homebrew/bin/git", "/usr/local/bin/git"].first { path in
        access(path, X_OK) == 0
    }

    let folder = Folder()
    var path: String { folder.path("repository") }

    /// Makes a repository with one commit on `main`, in which the built `hearth` merges `saves/*.json`.
    init(rules: String, save: String?) throws {
        mkdir(path, 0o700)
        mkdir(path + "/saves", 0o700)
        try git("init", "--quiet", "--initial-branch=main")
        let hearth = try #require(BuiltProgram.hearth)
        try git("config", "merge.hearth.name", "game saves, merged by their rules")
        try git(
            "config",
            "merge.hearth.driver",
            "'\(hearth)' merge %A %B --base %O --rules saves/rules.yaml --output %A --name %P"
        )
        write("saves/*.json merge=hearth\n", ".gitattributes")
        write(rules, "saves/rules.yaml")
        if let save { write(save, "saves/player.json") }
        try commit("start")
    }

    /// Runs git in the repository or one of its folders, and expects this exit code.
    @discardableResult
    func git(_ arguments: String..., in subfolder: String = "", code: Int32 = 0) throws -> Command.Outcome {
        let program = try #require(Self.program, "git is not installed")
        let who = ["AUTHOR", "COMMITTER"].flatMap {
            ["GIT_\($0)_NAME=Test", "GIT_\($0)_EMAIL=test@example.invalid", "GIT_\($0)_DATE=2024-01-01T00:00:00Z"]
        }
        let outcome = try Command.run(
            ["-C", subfolder.isEmpty ? path : path + "/" + subfolder] + arguments,
            in: folder,
            program: (program, who + ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true"])
        )
        #expect(outcome.code == code, "git \(arguments): \(outcome.output)\(outcome.errors)")
        return outcome
    }

    func write(_ text: String, _ name: String) { folder.write(Array(text.utf8), path + "/" + name) }

    func read(_ name: String) -> String? {
        Disk.read(path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Commits everything.
    func commit(_ message: String) throws {
        try git("add", "--all")
        try git("commit", "--quiet", "--message", message)
    }

    /// Makes a branch from `main` with another save, and checks out `main` again.
    func branch(_ name: String, save: String) throws {
        try git("checkout", "--quiet", "-b", name, "main")
        write(save, "saves/player.json")
        try commit(name)
        try git("checkout", "--quiet", "main")
    }
}
