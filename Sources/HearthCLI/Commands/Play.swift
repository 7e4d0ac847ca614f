import AgentClients
import AgentRuntime
import ArgumentParser
import HouseholdAgent
import Libc

/// `hearth play NAME -- CMD…`: syncs, runs the game, and syncs again.
struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a game with its save in step before and after.",
        discussion: """
            Brings in what your other machines have, starts the game, leaves its save alone while it runs, and brings \
            the others what was played. Nobody is waited for longer than five seconds. As a launch option of Steam:

              hearth play NAME -- %command%

            Where no agent runs, one runs for as long as the game does. What the game starts belongs to it: where it hands \
            over to another program and ends, the command waits for that one's end too (Ctrl-C ends the waiting; the save \
            is left alone until then all the same). If this command is killed, the save is left alone until the game has \
            ended. On macOS only the first program is known; there name such a game in config.yaml, see 'hearth agent --help'.

            Exit codes: the game's own, 128+N where signal N ended it, 126 or 127 where it cannot be started. What is \
            wrong with Hearth, or with NAME, is said on standard error, and the game starts all the same.

            Examples:
              hearth play "My game" -- my-game --full
              hearth play "My game" --discovery off -- ~/games/my-game
            """
    )

    /// How long an agent may take before the game starts, and after it has ended. It includes the start of an agent.
    private static let patience = Duration.seconds(8)

    @Argument(help: "The save's name (or id), as 'hearth status' lists it.", completion: .save)
    var profile: String

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The game and its arguments, after \"--\".", valueName: "command")
    )
    var command: [String] = []

    @OptionGroup(title: "Where no agent runs") var network: AgentOptions
    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard command.first?.isEmpty == false else {
            throw ValidationError("say what to start: hearth play NAME -- GAME…")
        }
    }

    func run() async throws {
        let inheritance = Inheritance.atStart
        // If the reader of our messages goes away, the game must go on.
        signal(SIGPIPE, SIG_IGN)
        do {
            let configuration = network.configuration(try shared.hearthHome())
            let session = PlaySession(profile: profile, game: gameName, configuration: configuration)
            let (starts, told) = AsyncStream.makeStream(of: PlaySession.Start.self)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await session.keep { told.yield($0) }
                    told.finish()
                }
                let code = await play(session, starts, inheritance)
                // Wait for an agent in this process to stop properly, but not longer than the limit: the player must
                // not wait. What still runs then ends with the process.
                session.end()
                _ = await Limited.run(Self.patience) { for await _ in starts {} }
                ExitCodes.end(with: code)
            }
        } catch let failure as CommandFailure {
            // There is no home folder, so play without Hearth.
            warn(failure.what)
            ExitCodes.end(with: await startAndWait(inheritance))
        }
    }

    /// Syncs, runs the game, and syncs again. Returns the exit code.
    private func play(
        _ session: PlaySession, _ starts: AsyncStream<PlaySession.Start>, _ inheritance: Inheritance
    ) async -> Int32 {
        Console.progress("asking the other machines …")
        let first = await Limited.run(Self.patience) { await starts.first { _ in true } }.flatMap(\.self)
        Console.progress(nil)
        switch first {
        case .trouble(let sentence): warn(sentence)
        case .ready(let report): if let trouble = report.trouble { Console.note("hearth: \(PlainText.line(trouble))") }
        case nil: warn("the agent does not answer")
        }
        return await startAndWait(inheritance, session)
    }

    /// Runs the game and returns its exit code.
    private func startAndWait(_ inheritance: Inheritance, _ session: PlaySession? = nil) async -> Int32 {
        let began = ContinuousClock.now
        do {
            let game = try GameProcess(command, as: inheritance, mark: session?.mark)
            session?.gameStarted()
            let code = await game.end()
            if let session { await waitForChildren(session) }
            if let session { await tellWhatCameOfIt(session, ContinuousClock.now - began) }
            return code
        } catch {
            let failure = CommandFailure(error.sentence)
            failure.print()
            if shared.json { Console.note(json: failure.json(code: error.code)) }
            return error.code
        }
    }

    /// Waits for programs that the game started and that still run: they may save as well.
    private func waitForChildren(_ session: PlaySession) async {
        var rounds = 0
        while PlayProcesses.gameRuns(session.mark) {
            rounds += 1
            if rounds == 4 {
                Console.note("hearth: what \(PlainText.line(gameName)) has started still runs; waiting for its end")
            }
            guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
        }
    }

    private func tellWhatCameOfIt(_ session: PlaySession, _ time: Duration) async {
        Console.progress("bringing it to the other machines …")
        let report = await Limited.run(Self.patience) { await session.gameEnded() }.flatMap(\.self)
        Console.progress(nil)
        let text = PlayText(seconds: time.components.seconds, report: report)
        Console.note(shared.json ? text.json : "hearth: \(text.words)")
    }

    private func warn(_ sentence: String) {
        Console.note("hearth: \(PlainText.line(sentence)); the game starts without Hearth")
    }

    private var gameName: String { command[0].split(separator: "/").last.map(String.init) ?? command[0] }
}
