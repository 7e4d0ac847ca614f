import AgentRuntime
import ArgumentParser
import HouseholdAgent
import Libc
import MergeCore

/// The entry point: parses and runs a command, and ends with one of the documented exit codes.
@main
enum Main {
    static func main() async {
        Inheritance.take()
        do {
            var command = try await Hearth.asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            exit(report(error))
        }
    }

    /// The message where the first word is no command; `nil` where it is one.
    private static func unknownCommand(_ word: String?) -> String? {
        let names = Hearth.configuration.subcommands.map { $0._commandName }
        guard let word, !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
        let near = NearWord.of(word, in: names).map { "did you mean 'hearth \($0)'?" }
        return "hearth: there is no command '\(PlainText.line(word))'; \(near ?? "'hearth --help' lists them")"
    }

    /// Prints what went wrong and returns the exit code. Help and version arrive as errors too, but are none.
    private static func report(_ error: any Error) -> Int32 {
        if let failure = error as? CommandFailure {
            failure.print()
            return failure.exitCode
        }
        if error is CancellationError {
            Console.note("hearth: interrupted")
            return ExitCodes.failed
        }
        let text = Hearth.fullMessage(for: error)
        switch Hearth.exitCode(for: error) {
        case .success:
            do { try Console.result(text + "\n") } catch { return ExitCodes.failed }
            return 0
        case .validationFailure:
            Console.note(unknownCommand(CommandLine.arguments.dropFirst().first) ?? text)
            return ExitCodes.usage
        case let code where error is ExitCode:
            return code.rawValue
        default:
            Console.note("hearth: \(PlainText.line("\(error)"))")
            return Int32(HomeClient.failureCode(of: error).rawValue)
        }
    }
}
