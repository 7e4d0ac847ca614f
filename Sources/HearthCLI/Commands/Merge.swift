import ArgumentParser
import LosslessJSON
import MergeCore

/// `hearth merge A B`: merge two files, with no home and no agent.
struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge two saves under a rule file, and print the result.",
        discussion: """
            With --base, the file that both came from, what each side changed since is taken together. Without it, \
            of two counters the larger counts, and of two other values the one from the file changed last.

            Where a rule asks for the last writer, the file changed later wins; at equal times, B. What is 'local' \
            stays as it is in A. The result is A's text, changed only where it has to be.

            As a git merge driver:  hearth merge %A %B --base %O --rules RULES --output %A
            """
    )

    @Argument(help: ArgumentHelp("The file of this machine.", valueName: "a"), completion: .file())
    var a: String

    @Argument(help: ArgumentHelp("The other file.", valueName: "b"), completion: .file())
    var b: String

    @Option(help: ArgumentHelp("The file that both came from.", valueName: "file"), completion: .file())
    var base: String?

    @Option(help: ArgumentHelp("How the fields merge (YAML).", valueName: "file"), completion: .file())
    var rules: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the result there instead of printing it.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    func run() throws {
        let set = try RuleInput.read(rules)
        let ancestor = try base.map(Self.side)
        let (first, second) = (try Self.side(a), try Self.side(b))
        let merge: FileMerge
        do {
            merge = try FileMerge(a: first, b: second, base: ancestor, rules: set)
        } catch {
            throw CommandFailure("\(a) and \(b) cannot be merged: \(error)")
        }
        for leaf in merge.unreadable {
            Console.note("warning: \(PlainText.line("\(leaf)")) (left as it is in \(PlainText.line(a)))")
        }
        guard let output else { return try Console.result(merge.bytes) }
        do {
            try AtomicFile.write(merge.bytes, to: output)
        } catch {
            throw CommandFailure("\(output) \(error.sentence)", "nothing was written; name another file with --output")
        }
    }

    private static func side(_ path: String) throws -> FileMerge.Side {
        let file = try JSONInput.read(path)
        return FileMerge.Side(file.document, time: file.changed)
    }
}
