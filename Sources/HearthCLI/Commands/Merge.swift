import ArgumentParser
import HouseholdAgent
import LocalFiles
import LosslessJSON
import MergeCore

/// `hearth merge A B`: merges two files without a home or an agent.
struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Merge two saves under a rule file, and print the result.",
        discussion: """
            With --base, the file that both came from, what each side changed since is taken together. Without it, \
            of two counters the larger counts, and of two other values the one from the file changed last.

            Where a rule asks for the last writer, the file changed later wins; at equal times, B. What is 'local' \
            stays as it is in A. The result is A's text, changed only where it has to be.

            Exit code 1 means that nothing was merged and no file was touched: one of them is no JSON, say. Exit code 3 \
            means that a file holds less than the base (an old copy, or an empty state?): of that file only gains were \
            taken, and it is yours to say whether the result is what you want.

            As a git merge driver:
              hearth merge %A %B --base %O --rules RULES --output %A --name %P
            git runs it in the top folder of the work tree, so RULES is a path from there. An empty base (git has no \
            common ancestor) is none. The times of git's files say nothing: where a rule asks for the last writer, \
            %B wins, the branch that is merged in (in a rebase, the commit that is replayed).

            Examples:
              hearth merge a.json b.json --rules rules.yaml
              hearth merge a.json b.json --base old.json --rules rules.yaml -o both.json
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

    @Option(help: ArgumentHelp("What to call the file in messages.", valueName: "name"))
    var name: String?

    @Flag(help: "Say what was decided where both sides changed one place.")
    var explain = false

    @Flag(help: "Print JSON: one object with the result and what was decided.")
    var json = false

    func run() throws {
        let set = try RuleInput.read(rules)
        let ancestor = try base.flatMap { try JSONInput.readUnlessEmpty($0, shown: shown($0, "base")) }
        let first = try JSONInput.read(a, shown: shown(a, "A"))
        let second = try JSONInput.read(b, shown: shown(b, "B"))
        let merge: ThreeWayMerge
        do {
            merge = try ThreeWayMerge(
                a: ThreeWayMerge.Side(first.document, time: first.changed),
                b: ThreeWayMerge.Side(second.document, time: second.changed),
                base: ancestor.map { ThreeWayMerge.Side($0.document, time: $0.changed) },
                rules: set
            )
        } catch {
            throw CommandFailure("\(shown(a, "A")) and \(shown(b, "B")) cannot be merged: \(error)")
        }
        for leaf in merge.unreadable {
            Console.note("warning: \(PlainText.line("\(leaf)")) (left as it is in \(PlainText.line(shown(a, "A"))))")
        }
        if explain { for decision in merge.decisions { Console.note(PlainText.line("\(decision)")) } }
        for lowered in merge.lowered {
            Console.note(
                "note: \(PlainText.line(lowered.words)); the rule \(lowered.rule.merge.rawValue) keeps what was there")
        }
        if let output {
            do {
                try AtomicFile.write(merge.bytes, to: output)
            } catch {
                throw CommandFailure(
                    "\(output) \(error.sentence)", "nothing was written; name another file with --output")
            }
        }
        if json { try Console.result(report(merge)) } else if output == nil { try Console.result(merge.bytes) }
        guard !merge.questions.isEmpty else { return }
        var failure = CommandFailure(
            questions(merge).joined(separator: "; "),
            "if that file is right, use it instead of the result; the result holds everything else",
            code: .needsDecision)
        failure.isReported = json
        throw failure
    }

    private func questions(_ merge: ThreeWayMerge) -> [String] {
        merge.questions.map { "\(shown($0.side == .a ? a : b, $0.side.rawValue)): \(PlainText.line("\($0)"))" }
    }

    /// The result and what was decided, as one line of JSON.
    private func report(_ merge: ThreeWayMerge) -> [UInt8] {
        func list(_ sentences: [String]) -> JSONValue { .array(sentences.map { .text($0) }) }
        return ReplyJSON.line(
            event: "merged",
            [
                "document": output == nil ? .text(String(decoding: merge.bytes, as: UTF8.self)) : nil,
                "output": output.map { .text($0) }, "decisions": list(merge.decisions.map { "\($0)" }),
                "lowered": list(merge.lowered.map(\.words)), "unreadable": list(merge.unreadable.map { "\($0)" }),
                "questions": list(questions(merge)),
            ])
    }

    /// The name of a file in messages: `--name` where given, because git's temporary file names mean nothing to a
    /// person.
    private func shown(_ path: String, _ side: String) -> String {
        if let name { return "\(name) (\(side))" }
        return path == "-" ? "standard input" : path
    }
}
