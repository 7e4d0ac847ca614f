import ArgumentParser
import TestSupport
import Testing

@testable import HearthCLI

/// `--help` teaches by examples, and what an example shows is a command that the parser takes.
@Suite struct HelpTests {
    private static var verbs: [any ParsableCommand.Type] { Hearth.configuration.subcommands }

    /// Every command with its words, such as `service install`: the verbs, and those that stand behind a verb.
    private static func commands(
        _ types: [any ParsableCommand.Type], behind words: [String] = []
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        types.flatMap { type in
            let own = words + [type._commandName]
            return [(own.joined(separator: " "), type)] + commands(type.configuration.subcommands, behind: own)
        }
    }

    private static let names = commands(verbs).map(\.name)

    /// The lines under "Examples:" in the help of a command.
    private func examples(_ command: any ParsableCommand.Type) -> [String] {
        let lines = command.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  hearth ") }
        return shown.map { String($0.dropFirst(2)) }
    }

    /// The words of a command as a shell reads them, up to what it is piped into.
    private func words(_ command: String) -> [String] {
        var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
        for letter in command.split(separator: " | ")[0].split(separator: " && ")[0] {
            if letter == quote {
                quote = nil
            } else if quote == nil, letter == "\"" || letter == "'" {
                (quote, word) = (letter, word ?? "")
            } else if quote == nil, letter == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(letter)
            }
        }
        return words + [word].compactMap { $0 }
    }

    @Test func theOverviewFitsIntoItsColumns() {
        let lines = Hearth.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  hearth ") }
        #expect(lines.count > 5)
        for line in lines { #expect(line.count < 80, "\(line)") }
    }

    /// A verb that is missing in the list would be unknown to the parser.
    @Test func theListHasEveryVerbOfItsFolder() {
        let folder = ExampleFiles.root + "/Sources/HearthCLI/Commands"
        let types = Disk.names(in: folder).flatMap { file in
            Disk.text("\(folder)/\(file)").split(separator: "\n").compactMap { line -> String? in
                guard line.hasPrefix("struct "), line.contains("ParsableCommand") else { return nil }
                return line.dropFirst("struct ".count).prefix { $0 != ":" }.description
            }
        }
        #expect(types.contains("Explain"))
        #expect(Self.verbs.map { String(describing: $0) }.sorted() == types.sorted())
    }

    /// That what stands behind a verb is among the commands whose help is looked at.
    @Test func commandsBehindAVerbAreLookedAt() {
        #expect(Self.names.contains("service install"))
        #expect(Self.names.contains("backup-key recover"))
    }

    @Test(arguments: HelpTests.names) func everyCommandHasExamplesThatAreParsed(_ name: String) async throws {
        let command = try #require(Self.commands(Self.verbs).first { $0.name == name })
        let lines = examples(command.type)
        #expect(lines.contains { $0.hasPrefix("hearth \(name)") }, "no example of its own: \(lines)")
        for line in lines {
            #expect(line.count <= 76, "it fits into 80 columns: \(line)")
            do {
                _ = try await Hearth.asyncParseAsRoot(Array(words(line).dropFirst()))
            } catch {
                Issue.record("\(line): \(Hearth.message(for: error))")
            }
        }
    }
}
