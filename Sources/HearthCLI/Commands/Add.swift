import AgentRuntime
import ArgumentParser
import HouseholdAgent
import LocalFiles
import MergeCore
import RuleFile
import SyncProtocol

/// `hearth add FILE`: starts keeping a save in step.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep a save in step from now on.",
        discussion: """
            The file stays where it is, and the game goes on using it. A rule file says how its fields merge; without \
            one, every field belongs to whoever changed it last, and rules guessed from the save are written down for \
            you to read. To change the rules of a save that is kept already, \
            add it again with --rules.

            Examples:
              hearth add ~/.game/save.json
              hearth add ~/.game/save.json --rules rules.yaml --name "My game"
            """
    )

    @Argument(help: ArgumentHelp("The save: a JSON file.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("How its fields merge (YAML).", valueName: "file"), completion: .file())
    var rules: String?

    @Option(
        help: ArgumentHelp("What to call it; else the rule file's 'profile', else the file's name.", valueName: "name")
    )
    var name: String?

    @Flag(help: "Add it even where another tool syncs its folder, or where it was another save's file.")
    var anyway = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("FILE is empty; name the save.") }
        if name?.isEmpty == true { throw ValidationError("--name is empty; leave it out, or give a name.") }
    }

    func run() async throws {
        let set = try rules.map(RuleInput.read)
        let path = FilePath.absolute(file)
        let chosen = name ?? DisplayName.cleaned(set?.profile ?? FilePath.stem(path), fallback: "save")
        let answer = try await shared.ask(AddRequest(path: path, name: chosen, rules: set, anyway: anyway))
        try shared.print(
            answer,
            "\(PlainText.line(answer.profile.name)) is kept in step from now on: \(PlainText.line(path))\n"
        )
        if let name, name != answer.profile.name {
            let rename = "hearth rename \(CommandWord.of(answer.profile)) \(CommandWord.of(name))"
            Console.note("note: it was kept already, under that name; to change it: \(PlainText.line(rename))")
        }
        for warning in rules.map({ RuleInput.warnings($0, for: path) }) ?? [] {
            Console.note("warning: \(PlainText.line(warning))")
        }
        if set == nil, answer.note == nil { try propose(for: path, named: chosen) }
        if answer.profile.state != "good", let reason = answer.profile.reason {
            Console.note("note: \(PlainText.line(reason))")
        }
    }

    /// Says that without rules a level can fall and coins earned apart do not add up, and writes guessed rules to a
    /// file, or says that there are none.
    private func propose(for path: String, named name: String) throws {
        let outcome = ProposedRules.write(for: path, named: name, into: try shared.hearthHome().path)
        Console.note("note: every field belongs to whoever changed it last, because no rules were given")
        switch outcome {
        case .written(let proposed):
            Console.note("note: rules guessed from the save are in \(proposed); read them, change them, then run")
            Console.note("    hearth add \(CommandWord.of(path)) --rules \(CommandWord.of(proposed))")
        case .nothing:
            Console.note("note: nothing in the save suggests a rule; where one is needed, write it to a file, then run")
            Console.note("    hearth add \(CommandWord.of(path)) --rules FILE")
        case .failed: return
        }
    }
}
