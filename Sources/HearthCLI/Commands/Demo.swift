import ArgumentParser
import Libc
import LosslessJSON
import UnixSignals

/// `hearth demo`: runs two agents on this machine and lets them sync a save.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch two machines play apart and come together, here and now.",
        discussion: """
            Starts two agents as processes of their own, each with a home of its own in a temporary folder, lets them \
            find each other by mDNS on the loopback interface, pairs them, and plays on both while they are apart. \
            Ends with 0 only if both files hold the progress of both. Nothing of yours is read or changed, and \
            nothing stays behind.

            Examples:
              hearth demo
              hearth demo --keep
            """
    )

    @Flag(help: "Print JSON: one object a line; the last is \"done\".")
    var json = false

    @Flag(help: "Keep the temporary folder, to look around in it.")
    var keep = false

    func run() async throws {
        // If the reader of the output goes away, the demo must still clean up.
        signal(SIGPIPE, SIG_IGN)
        let stage = try DemoStage()
        let output = DemoOutput(json: json, style: .standard)
        do {
            try await play(DemoPlay(stage: stage, output: output))
        } catch {
            await stage.clear(keeping: keep)
            throw try json ? told(error) : error
        }
        await stage.clear(keeping: keep)
        if keep { Console.note("kept: \(stage.folder)") }
    }

    /// Plays until the end, or until a signal asks to stop. Either way the two agents are stopped.
    private func play(_ play: DemoPlay) async throws {
        let keep = keep
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { throw CancellationError() }
            }
            group.addTask {
                try play.output.begin(play.stage.folder, keeping: keep)
                let outcome = try await play.run()
                try play.output.done(outcome, play.stage)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Prints the last line of JSON for a failure, and returns the failure, which is said thereby.
    private func told(_ error: any Error) throws -> any Error {
        var failure = CommandFailure(error)
        failure.isReported = true
        try Console.result(
            ReplyJSON.line(
                event: "done",
                [
                    "converged": false, "message": .text(failure.what), "remedy": failure.remedy.map { .text($0) },
                ]
            )
        )
        return failure
    }
}
