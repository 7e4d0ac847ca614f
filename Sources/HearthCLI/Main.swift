import AgentRuntime
import ArgumentParser
import HouseholdAgent
import Libc

/// The entry point: parses and runs a command, and ends with one of the documented exit codes.
@main
enum Main {
    static func main() async {
        Inheritance.take()
        let invocation = Invocation(Array(CommandLine.arguments.dropFirst()))
        // Before there is a second thread, which would have a heap of its own from then on.
        if invocation.verb == "agent" { HearthAgent.beSmall() }
        do {
            var command = try await Hearth.asyncParseAsRoot(invocation.words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch {
            exit(report(error, invocation))
        }
    }

    /// All verbs.
    private static var names: [String] { Hearth.configuration.subcommands.map { $0._commandName } }

    /// Prints what went wrong and returns the exit code. Help and version arrive as errors too, but are none.
    private static func report(_ error: any Error, _ invocation: Invocation) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        switch Hearth.exitCode(for: error) {
        case .success:
            // The parser prints its overview for a verb that it does not know.
            if invocation.verb == "help", let sentence = invocation.unknownVerb(names) {
                let failure = CommandFailure(sentence, code: .usage)
                failure.print()
                tell(failure, invocation)
                return failure.exitCode
            }
            let text = Hearth.fullMessage(for: error)
            // Where a shell asks for names and there are none, nothing is said: an empty line would be a name to it.
            guard !text.isEmpty else { return 0 }
            do { try Console.result(text + "\n") } catch { return ExitCodes.failed }
            return 0
        case .validationFailure:
            let failure = wrongUsage(error, invocation)
            tell(failure, invocation)
            return failure.exitCode
        default:
            let failure = CommandFailure(error)
            failure.print()
            tell(failure, invocation)
            return failure.exitCode
        }
    }

    /// Says on standard error how the command line is wrong, with the usage of its verb.
    private static func wrongUsage(_ error: any Error, _ invocation: Invocation) -> CommandFailure {
        let verb = Hearth.configuration.subcommands.first { $0._commandName == invocation.verb }
        let subverbs = verb?.configuration.subcommands.map { $0._commandName } ?? []
        if let sentence = invocation.unknownVerb(names) ?? invocation.unknownSubverb(subverbs) {
            let failure = CommandFailure(sentence, code: .usage)
            failure.print()
            return failure
        }
        let said = Hearth.message(for: error)
        let sentence = Invocation.withoutFarSuggestion(said)
        let text = Hearth.fullMessage(for: error)
        Console.note(said == sentence ? text : text.replacing(said, with: sentence, maxReplacements: 1))
        return CommandFailure(sentence, "see: hearth \(invocation.verb.map { "\($0) " } ?? "")--help", code: .usage)
    }

    /// Prints a failure as JSON where that is asked for: every failure of every verb comes by here. It goes to standard
    /// output, where a script reads; what `hearth play` says goes to standard error, because its output is the game's.
    private static func tell(_ failure: CommandFailure, _ invocation: Invocation) {
        guard invocation.wantsJSON, !failure.isReported else { return }
        if invocation.verb == "play" { return Console.note(json: failure.json()) }
        // A failure that cannot be printed ends with its exit code all the same.
        try? Console.result(failure.json())
    }
}
