import AgentClients
import AgentRuntime
import ArgumentParser
import ControlInterface
import HouseholdAgent
import ProfileKeeping

/// The names that a shell completes: those that the running agent knows. Where none runs, and where it does not answer at
/// once, there are none, and no file is made.
enum NameCompletion {
    /// How long the agent may take. A shell waits for it while somebody types.
    private static let patience = Duration.milliseconds(300)

    /// The status report of the agent whose home the command line names; its saves and machines are offered.
    ///
    /// - Parameter words: The command line as the shell has it, with its quotes.
    static func status(_ words: [String]) async -> StatusReport? {
        guard let home = home(words) else { return nil }
        let client = ControlClient(socketPath: home.socketHere)
        return try? await Limited.run(patience) { () async throws -> StatusReport in
            try await client.send(StatusRequest())
        }
    }

    /// The home that a command line names, or else the environment; `nil` where the shell would still change the word
    /// of the command line.
    private static func home(_ words: [String]) -> HearthHome? {
        var option: String?
        var rest = words.prefix { $0 != "--" }
        while let word = rest.popFirst() {
            if word == "--home" {
                // bash takes "--home=FOLDER" for three words.
                if rest.first == "=" { rest.removeFirst() }
                option = rest.popFirst()
            } else if word.hasPrefix("--home=") {
                option = String(word.dropFirst("--home=".count))
            }
        }
        if let option, option.contains(where: { "\"'\\$`~*?[{".contains($0) }) { return nil }
        return try? HearthHome.resolve(option: option, environment: Environment.all)
    }

    /// The words by which commands take the saves.
    static func saves(_ report: StatusReport) -> [String] {
        report.profiles.filter { $0.joinedInto == nil }.map { $0.handle ?? $0.name }
    }

    /// The words by which commands take the other machines.
    static func others(_ report: StatusReport) -> [String] {
        machines(report.household.filter { $0.id != report.device.id }, among: report)
    }

    /// The word by which commands take this machine.
    static func own(_ report: StatusReport) -> [String] { machines([report.device], among: report) }

    private static func machines(_ devices: [DeviceReport], among report: StatusReport) -> [String] {
        let all = [report.device] + report.household.filter { $0.id != report.device.id }
        return devices.map { device in
            let isOnlyOne = all.filter { $0.name == device.name }.count == 1
            return isOnlyOne && ShellWord.isShown(device.name) ? device.name : device.id
        }
    }

    /// Names in the form in which the parser's script for a shell takes them. A name comes from other machines too, so
    /// nothing in it may count for more than a letter: bash expands each word as one of a command line, so that `$(…)`
    /// would be run, and zsh takes what stands behind a colon for a description.
    static func quoted(_ names: [String], for shell: CompletionShell?) -> [String] {
        switch shell {
        case .bash?: names.map(ShellWord.quoted)
        case .zsh?: names.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
        default: names
        }
    }
}

extension CompletionKind {
    /// Completes the name of a save.
    static let save = names(NameCompletion.saves)
    /// Completes the name of another machine.
    static let otherMachine = names(NameCompletion.others)
    /// Completes the name of a save, or of this machine.
    static let saveOrOwn = names { NameCompletion.saves($0) + NameCompletion.own($0) }
    /// Completes the name of a save or of any machine.
    static let saveOrMachine = names {
        NameCompletion.saves($0) + NameCompletion.own($0) + NameCompletion.others($0)
    }

    private static func names(_ chosen: @escaping @Sendable (StatusReport) -> [String]) -> CompletionKind {
        .custom { (words: [String], _: Int, _: String) async -> [String] in
            guard let report = await NameCompletion.status(words) else { return [] }
            return NameCompletion.quoted(chosen(report), for: .requesting)
        }
    }
}
