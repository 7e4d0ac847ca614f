import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// `hearth play` and configured programs where something is missing or broken: the game always starts.
    @Suite struct PlayAloneTests {
        private static let network = ["--host", "127.0.0.1", "--discovery", "off"]

        private func added(_ machine: Machine, _ folder: TemporaryFolder) async throws {
            Disk.replace(machine.save, with: GameSave().bytes)
            Disk.write(Array(GameSave.rules.utf8), folder.path + "/rules.yaml")
            let added = try await machine.ask("add", machine.save, "--rules", folder.path + "/rules.yaml")
            guard added.code == 0 else { throw Failure(added.errors) }
        }

        private func arguments(_ game: ScriptGame, _ machine: Machine) -> [String] {
            ["play", "RPG"] + Self.network + ["--"] + game.command(machine.save)
        }

        /// Where no agent runs, the command runs one as long as the game runs. Other commands can use it.
        @Test(.timeLimit(.minutes(5))) func withoutAnAgentOneRunsInside() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            try await added(machine, folder)
            let game = ScriptGame(in: folder.path, "\(ScriptGame.untilTold); \(ScriptGame.saves(coins: 120))")
            let command = try machine.begin(arguments(game, machine))
            _ = try await game.found()
            let status = try await machine.ask("status", "--json").json()
            #expect(status["port"]?.int != nil)
            #expect(try await machine.profile()["held"]?.text == "script-game")
            game.tell()
            #expect(try await command.process.end() == 0)
            #expect(Disk.text(command.errors).contains("1 field changed"))
            #expect(try await machine.ask("status", "--json").json()["port"]?.int == nil, "it is gone")
            #expect(try await machine.ask("show", "RPG", "/coins").output == "120\n")
        }

        /// Two games on one machine: the second uses the agent of the first, and starts its own when that is gone.
        @Test(.timeLimit(.minutes(5))) func theSecondGameOutlivesTheFirstOnesAgent() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            try await added(machine, folder)
            mkdir(folder.path + "/1", 0o700)
            mkdir(folder.path + "/2", 0o700)
            let games = ["1", "2"].map {
                ScriptGame(in: folder.path + "/" + $0, name: "game\($0)", ScriptGame.untilTold)
            }
            let first = try machine.begin(arguments(games[0], machine))
            _ = try await games[0].found()
            let second = try machine.begin(arguments(games[1], machine))
            _ = try await games[1].found()
            games[0].tell()
            #expect(try await first.process.end() == 0)
            let held = try await poll(.seconds(60)) {
                // A status without an agent locks the record for a moment, so do not ask too often.
                try await Task.sleep(for: .milliseconds(500))
                return try? await machine.profile()["held"]?.text
            }
            #expect(held == "game2")
            games[1].tell()
            #expect(try await second.process.end() == 0)
        }

        enum Breakage: CaseIterable {
            case homeIsAFile, recordIsGarbage, configurationIsWrong, agentIsAsleep, keyIsOpen
        }

        /// Whatever is wrong with Hearth is reported, and the game runs and gives its exit code.
        @Test(.timeLimit(.minutes(5)), arguments: Breakage.allCases) func theGameStartsAllTheSame(_ breakage: Breakage)
            async throws
        {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            defer { machine.kill() }
            try await added(machine, folder)
            switch breakage {
            case .homeIsAFile:
                Disk.remove(machine.home)
                Disk.write([], machine.home)
            case .recordIsGarbage:
                for name in Disk.names(in: machine.home) where name.hasPrefix("hearth.sqlite") {
                    Disk.write(Array("garbage, for a while".utf8), machine.home + "/" + name)
                }
            case .configurationIsWrong:
                Disk.write(Array("profiles:\n  RPG: {proces: x}\n".utf8), machine.home + "/config.yaml")
            case .agentIsAsleep:
                try await machine.start(peers: [])
                machine.running?.stop()
            case .keyIsOpen:
                for name in Disk.names(in: machine.home) { chmod(machine.home + "/" + name, 0o666) }
            }
            let game = ScriptGame(in: folder.path, "exit 5")
            let outcome = try await machine.ask(arguments(game, machine))
            #expect(outcome.code == 5, "\(outcome.errors)")
            #expect(outcome.errors.contains("; the game starts without Hearth\n"), "\(outcome.errors)")
            #expect(outcome.output == "")
            if breakage == .configurationIsWrong {
                #expect(outcome.errors.contains("config.yaml:2:9: the field \"proces\""), "\(outcome.errors)")
            }
        }

        // MARK: Programs of the configuration

        #if os(Linux)
            /// A game that was started without Hearth is recognised, held, and released.
            @Test(.timeLimit(.minutes(5))) func aConfiguredProgramIsSeen() async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                let configuration = couple.a.home + "/config.yaml"
                Disk.write(
                    Array("profiles: {RPG: {process: long-name-of-a-script-game}}\n".utf8), configuration)
                couple.a.running?.signal(SIGHUP)
                let game = ScriptGame(
                    in: couple.folder.path, name: "long-name-of-a-script-game",
                    "\(ScriptGame.untilTold); \(ScriptGame.saves(coins: 110))")
                let process = try ChildProcess(
                    Array(game.command(couple.a.save).dropFirst()),
                    home: couple.a.home,
                    output: couple.folder.path + "/game.out",
                    errors: couple.folder.path + "/game.err", program: game.path)
                let held = try await poll { try await couple.a.profile()["held"]?.text }
                #expect(held == "long-name-of-a-script-game")
                var save = GameSave()
                save.coins = 500
                Disk.replace(couple.b.save, with: save.bytes)
                #expect(try await couple.a.hasPending(), "it came in")
                #expect(await stays(.seconds(1)) { GameSave(at: couple.a.save)?.coins == 100 }, "and is not written")
                // A wrong configuration changes nothing.
                Disk.write(Array("profiles: 7\n".utf8), configuration)
                couple.a.running?.signal(SIGHUP)
                #expect(
                    try await poll { couple.a.log.contains("config.yaml:1:11: ") ? true : nil } == true)
                #expect(try await couple.a.profile()["held"] != nil)
                game.tell()
                #expect(try await process.end() == 0)
                #expect(try await couple.agree { $0.coins == 510 } != nil)
                #expect(try await couple.a.profile()["held"] == nil)
            }
        #endif

        @Test(.timeLimit(.minutes(5))) func anAgentDoesNotStartOnAWrongConfiguration() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            try await added(machine, folder)
            Disk.write(Array("profiles:\n  RPG:\n    proces: x\n".utf8), machine.home + "/config.yaml")
            let agent = try await machine.ask("agent", "--discovery", "off", "--host", "127.0.0.1")
            #expect(agent.code == 1)
            #expect(agent.errors.contains("config.yaml:3:5: ") && agent.errors.contains("did you mean process?"))
        }
    }
}
