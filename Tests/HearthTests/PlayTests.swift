import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// `hearth play` with a real game between real agents.
    @Suite struct PlayTests {
        private func play(_ game: ScriptGame, on machine: Machine) throws -> Machine.Command {
            try machine.begin(["play", "RPG"] + Self.network + ["--"] + game.command(machine.save))
        }

        /// Options for an agent inside the command.
        private static let network = ["--host", "127.0.0.1", "--discovery", "off"]

        private func end(_ command: Machine.Command) async throws -> Int32 {
            guard let code = try await command.process.end() else {
                throw Failure("it did not end: \(Disk.text(command.errors))")
            }
            return code
        }

        /// A machine with one save, without an agent.
        private func alone() async throws -> (folder: TemporaryFolder, machine: Machine) {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            Disk.replace(machine.save, with: GameSave().bytes)
            Disk.write(Array(GameSave.rules.utf8), folder.path + "/rules.yaml")
            let added = try await machine.ask("add", machine.save, "--rules", folder.path + "/rules.yaml")
            guard added.code == 0 else { throw Failure(added.errors) }
            return (folder, machine)
        }

        // MARK: Two machines

        /// When the game starts, its save has what was played on the other machine. What comes in while it runs waits.
        /// At the end both machines have everything.
        @Test(.timeLimit(.minutes(5))) func inStepBefore_heldWhile_broughtOverAfter() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            // B is played while A is away.
            _ = try await couple.a.stop()
            var save = GameSave()
            save.coins = 700
            Disk.replace(couple.b.save, with: save.bytes)
            try await couple.a.start(peers: [couple.b])
            let game = ScriptGame(
                in: couple.folder.path,
                "echo out; echo err >&2; \(ScriptGame.untilTold); \(ScriptGame.saves(coins: 710))"
            )
            let command = try play(game, on: couple.a)
            #expect(try await game.found()?.coins == 700)
            save.coins = 750
            Disk.replace(couple.b.save, with: save.bytes)
            #expect(try await couple.a.hasPending(), "it came in")
            #expect(GameSave(at: couple.a.save)?.coins == 700, "and is not written")
            #expect(try await couple.a.profile()["held"]?.text == "script-game")
            #expect(try await couple.a.ask("status").output.contains("held while script-game runs"))
            game.tell()
            #expect(try await end(command) == 0)
            // When the command returns, the other machine has everything.
            #expect(GameSave(at: couple.a.save)?.coins == 760)
            #expect(try await couple.agree { $0.coins == 760 } != nil)
            #expect(Disk.text(command.output) == "out\n", "nothing of ours")
            let errors = Disk.text(command.errors)
            #expect(errors.hasPrefix("err\n") && errors.contains("1 field changed; b has it"), "\(errors)")
            #expect(try await couple.a.profile()["held"] == nil)
        }

        /// The game spends exactly what came in, in a save with only a purse.
        @Test(.timeLimit(.minutes(5))) func aPurseIsSpentByWhatCameIn() async throws {
            let couple = try await Couple.paired()
            defer { couple.clear() }
            func purse(_ coins: Int) -> [UInt8] { Array("{\"coins\": \(coins)}\n".utf8) }
            func coins(_ machine: Machine) -> Int? {
                Disk.read(machine.save).flatMap { try? JSONValue(parsing: $0) }?["coins"]?.int
            }
            Disk.replace(couple.a.save, with: purse(100))
            let rules = couple.folder.path + "/rules.yaml"
            Disk.write(Array("profile: RPG\nrules: {/coins: counter}\n".utf8), rules)
            #expect(try await couple.a.ask("add", couple.a.save, "--rules", rules).code == 0)
            #expect(try await couple.b.ask("restore", "RPG", "--to", couple.b.save).code == 0)
            Disk.replace(couple.b.save, with: purse(500))
            #expect(try await poll { coins(couple.a) == 500 ? true : nil } == true)
            let game = ScriptGame(in: couple.folder.path, ScriptGame.saves(coins: 100))
            #expect(try await end(play(game, on: couple.a)) == 0)
            #expect(
                try await poll { coins(couple.b) == 100 ? true : nil } == true,
                "\(coins(couple.b) ?? -1)"
            )
            #expect(coins(couple.a) == 100)
        }

        #if os(Linux)
            /// The save belongs to the game as long as it runs, whether the command is killed or the agent as well.
            @Test(.timeLimit(.minutes(5)), arguments: [false, true])
            func killedPlay_leavesTheSaveToTheGame(agentToo: Bool) async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                let game = ScriptGame(
                    in: couple.folder.path, "\(ScriptGame.untilTold); \(ScriptGame.saves(coins: 110))")
                let command = try play(game, on: couple.a)
                _ = try await game.found()
                defer { game.tell() }
                if agentToo { couple.a.kill() }
                command.process.kill()
                // The other device earns while no agent runs here, and the agent comes back while the game runs.
                var save = GameSave()
                save.coins = 130
                Disk.replace(couple.b.save, with: save.bytes)
                if agentToo {
                    let name = try #require(try await couple.b.profile()["name"]?.text)
                    let isTaken = try await poll {
                        try await couple.b.ask("show", name, "/coins").output.hasPrefix("130") ? true : nil
                    }
                    #expect(isTaken == true, "the other device has taken it up before the agent starts again")
                    try await couple.a.start(peers: [couple.b])
                }
                #expect(try await couple.a.hasPending(), "it came in")
                #expect(await stays(.seconds(1)) { GameSave(at: couple.a.save)?.coins == 100 }, "and is not written")
                #expect(try await couple.a.profile()["held"]?.text == "script-game")
                #expect(kill(try #require(game.id), 0) == 0, "the game is not touched")
                game.tell()
                #expect(try await couple.agree { $0.coins == 140 } != nil)
                #expect(try await couple.a.profile()["held"] == nil)
            }

            /// A launcher starts another program and ends; that program saves later.
            @Test(.timeLimit(.minutes(5))) func whatTheGameStartedIsWaitedFor() async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                let game = ScriptGame(
                    in: couple.folder.path,
                    "( \(ScriptGame.untilTold); \(ScriptGame.saves(coins: 110)) ) </dev/null >/dev/null 2>&1 & exit 3")
                let command = try play(game, on: couple.a)
                defer { game.tell() }
                _ = try await game.found()
                var save = GameSave()
                save.coins = 130
                Disk.replace(couple.b.save, with: save.bytes)
                #expect(try await couple.a.hasPending(), "it came in")
                #expect(await stays(.seconds(1)) { GameSave(at: couple.a.save)?.coins == 100 }, "and is not written")
                #expect(await eventually { Disk.text(command.errors).contains("has started still runs") })
                game.tell()
                #expect(try await end(command) == 3, "the launcher's own code")
                #expect(try await couple.agree { $0.coins == 140 } != nil)
            }
        #endif

        /// An agent that is restarted while the game runs is told of the game.
        @Test(.timeLimit(.minutes(5))) func anAgentThatComesBackHoldsAgain() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let game = ScriptGame(in: couple.folder.path, "\(ScriptGame.untilTold); \(ScriptGame.saves(coins: 105))")
            let command = try play(game, on: couple.a)
            _ = try await game.found()
            couple.a.kill()
            try await couple.a.start(peers: [couple.b])
            let held = try await poll { try await couple.a.profile()["held"] == nil ? nil : true }
            #expect(held == true)
            var save = GameSave()
            save.coins = 130
            Disk.replace(couple.b.save, with: save.bytes)
            #expect(try await couple.a.hasPending(), "it came in")
            #expect(GameSave(at: couple.a.save)?.coins == 100, "and is not written")
            game.tell()
            #expect(try await end(command) == 0)
            #expect(try await couple.agree { $0.coins == 135 } != nil)
        }

        // MARK: The game as it would run without Hearth

        @Test(
            .timeLimit(.minutes(5)),
            arguments: [
                ("exit 0", 0), ("exit 7", 7), ("exit 64", 64), ("kill -KILL $$", 128 + 9), ("kill -TERM $$", 128 + 15),
            ] as [(String, Int32)])
        func theExitCodeIsTheGames(script: String, code: Int32) async throws {
            let (folder, machine) = try await alone()
            let game = ScriptGame(in: folder.path, script)
            #expect(try await end(play(game, on: machine)) == code)
        }

        @Test(.timeLimit(.minutes(5)), arguments: [SIGTERM, SIGINT, SIGHUP])
        func signalsReachTheGame(number: Int32) async throws {
            let (folder, machine) = try await alone()
            let game = ScriptGame(
                in: folder.path,
                """
                trap 'echo signalled; exit 9' \(number)
                touch "$2/ready"
                \(ScriptGame.untilTold)
                """)
            let command = try play(game, on: machine)
            defer { game.tell() }
            let ready = try await poll { Disk.read(folder.path + "/ready") }
            #expect(ready != nil)
            command.process.signal(number)
            #expect(try await end(command) == 9)
            #expect(Disk.text(command.output) == "signalled\n", "once")
        }

        @Test(.timeLimit(.minutes(5))) func whatCannotBeStartedIsSaidAsShellsDo() async throws {
            let (folder, machine) = try await alone()
            let nothing = try await machine.ask(["play", "RPG"] + Self.network + ["--", folder.path + "/nothing"])
            #expect(nothing.code == 127 && nothing.errors.contains("/nothing cannot be started"))
            let noProgram = try await machine.ask(["play", "RPG"] + Self.network + ["--", machine.save])
            #expect(noProgram.code == 126)
            #expect(try await machine.ask("play", "RPG").code == 2)
        }

        /// A save of that name may be one that is not here yet, or a misspelt one: the player plays all the same.
        @Test(.timeLimit(.minutes(5))) func aNameThatNoSaveHasKeepsNoGameFromStarting() async throws {
            let (folder, machine) = try await alone()
            let misspelt = try await machine.ask(
                ["play", "RPGG"] + Self.network + ["--", "sh", "-c", "touch \(folder.path)/ran; exit 7"])
            #expect(misspelt.code == 7, "the game's own")
            #expect(Disk.read(folder.path + "/ran") != nil, "it was started")
            #expect(
                misspelt.errors.contains("no save is called RPGG here; did you mean RPG?")
                    && misspelt.errors.contains("the game starts without Hearth"), "\(misspelt.errors)")
        }

        #if os(Linux)
            /// A script without an interpreter line is run by a shell, which would look for a name in the current folder
            /// first: whoever can write there must not choose the game.
            @Test(.timeLimit(.minutes(5))) func aScriptOfPathIsNotTakenFromTheCurrentFolder() async throws {
                let (folder, machine) = try await alone()
                let (tools, current) = (folder.path + "/tools", folder.path + "/current")
                for (place, word) in [(tools, "right"), (current, "wrong")] {
                    mkdir(place, 0o700)
                    Disk.write(Array("echo \(word) \"$@\"\n".utf8), place + "/gamex")
                    chmod(place + "/gamex", 0o700)
                }
                let under = ["env", "-C", current, "PATH=\(tools):/usr/bin:/bin"]
                let named = try machine.begin(["play", "RPG"] + Self.network + ["--", "gamex", "a b"], under: under)
                #expect(try await end(named) == 0)
                #expect(Disk.text(named.output) == "right a b\n")
                // A path is what it says.
                let path = try machine.begin(["play", "RPG"] + Self.network + ["--", "./gamex"], under: under)
                #expect(try await end(path) == 0)
                #expect(Disk.text(path.output).hasPrefix("wrong"))
            }
        #endif

        #if os(Linux)
            /// The game must not inherit our descriptors: its children would keep our connections open.
            @Test(.timeLimit(.minutes(5))) func theGameInheritsWhatPlayInherited() async throws {
                let (folder, machine) = try await alone()
                let game = ScriptGame(
                    in: folder.path,
                    #"for f in /proc/$$/fd/*; do readlink "$f"; done; grep -E 'SigBlk|SigIgn' /proc/self/status"#)
                // First close what the tests themselves have open. Descriptor 7 is meant for the game.
                let clean =
                    #"for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval "exec $n>&-"; done; "#
                    + #"exec 7</dev/full; exec "$@""#
                let hearth = try #require(BuiltProgram.hearth)
                let output = folder.path + "/output"
                let process = try ChildProcess(
                    ["-c", clean, "bash", hearth, "play", "RPG"] + Self.network + ["--"]
                        + game.command(machine.save),
                    home: machine.home, output: output, errors: folder.path + "/errors", program: "/bin/bash")
                #expect(try await process.end() == 0)
                let lines = Disk.text(output).split(separator: "\n").map(String.init)
                #expect(!lines.contains { $0.hasPrefix("socket:") || $0.hasPrefix("anon_inode:") }, "\(lines)")
                #expect(!lines.contains { $0.contains(machine.home) } && lines.contains("/dev/full"), "\(lines)")
                #expect(lines.contains { $0.hasPrefix("SigBlk:") && $0.hasSuffix("0000000000000000") }, "\(lines)")
                func ignoresPipe(_ lines: [String]) throws -> Bool {
                    let mask = try #require(lines.first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last)
                    return try #require(UInt64(mask, radix: 16)) >> UInt64(SIGPIPE - 1) & 1 == 1
                }
                let own = Disk.text("/proc/self/status").split(separator: "\n").map(String.init)
                #expect(try ignoresPipe(lines) == ignoresPipe(own))
            }
        #endif
    }
}
