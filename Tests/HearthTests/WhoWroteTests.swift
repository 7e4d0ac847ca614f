import Libc
import LosslessJSON
import TestSupport
import Testing

#if os(Linux)
    extension LiveAgents {
        /// A game that is not configured and keeps its purse in memory. The system's events about its opens and its
        /// process tell which state it had read. The test itself opens that save only at the end, because its opens
        /// would count.
        @Suite struct WhoWroteTests {
            /// The game: it saves the number of coins that it is sent, and takes a moment for that.
            private static let play = #"""
                mkfifo "$2/pipe" 2>/dev/null; exec 3<>"$2/pipe"; : > "$2/up"
                while read -r coins <&3; do
                    exec 4>"$1.game"
                    sed "s/\"coins\": [0-9]*/\"coins\": $coins/" "$2/found" >&4
                    sleep 0.3
                    exec 4>&-
                    mv "$1.game" "$1"
                done
                """#

            private func text(_ coins: Int) -> [UInt8] { Array("{\"coins\": \(coins)}\n".utf8) }

            /// Two machines with a save of 200 coins.
            private func couple() async throws -> Couple {
                let couple = try await Couple.paired()
                Disk.replace(couple.a.save, with: text(200))
                let rules = couple.folder.path + "/rules.yaml"
                Disk.write(Array("profile: RPG\nrules: {/coins: counter}\n".utf8), rules)
                #expect(try await couple.a.ask("add", couple.a.save, "--rules", rules).code == 0)
                let restored = try await poll {
                    try await couple.b.ask("restore", "RPG", "--to", couple.b.save).code == 0 ? true : nil
                }
                #expect(restored == true)
                return couple
            }

            private func start(_ game: ScriptGame, on machine: Machine) async throws -> ChildProcess {
                for name in ["up", "found"] { unlink(game.folder + "/" + name) }
                let process = try ChildProcess(
                    game.command(machine.save), in: game.folder, output: game.folder + "/out",
                    errors: game.folder + "/err")
                let isUp = try await poll { Disk.read(game.folder + "/up").map { _ in true } }
                guard isUp == true else { throw Failure("the game did not start: \(Disk.text(game.folder + "/err"))") }
                return process
            }

            private func save(_ coins: Int, by game: ScriptGame) {
                let pipe = open(game.folder + "/pipe", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                precondition(pipe >= 0, "the game does not listen")
                Disk.append(Array("\(coins)\n".utf8), to: pipe)
                close(pipe)
            }

            /// The game of the other machine reads and saves; then waits until this machine's file has it.
            private func earn(_ coins: Int, on a: Machine, reaches b: Machine) async throws {
                _ = Disk.read(a.save)
                Disk.replace(a.save, with: text(coins))
                try await expect(coins, on: b)
                let sync = try await poll {
                    try await a.ask("sync").code == 0 ? true : nil
                }
                #expect(sync == true, "the file of \(b.name) holds it")
            }

            private func expect(_ coins: Int, on machine: Machine) async throws {
                let shown = try await poll {
                    try await machine.ask("show", "RPG", "/coins").output == "\(coins)\n" ? true : nil
                }
                guard shown == true else {
                    let status = try await machine.ask("status").output
                    throw Failure("\(coins) wanted on \(machine.name): \(status)\(machine.log.suffix(2_000))")
                }
            }

            /// Whether the kernel reports opens, found out without the code under test.
            static let tellsOfOpens: Bool = {
                typealias Begin = @convention(c) (UInt32, UInt32) -> Int32
                typealias Mark = @convention(c) (Int32, UInt32, UInt64, Int32, UnsafePointer<CChar>) -> Int32
                guard let begin = dlsym(nil, "fanotify_init"), let mark = dlsym(nil, "fanotify_mark") else {
                    return false
                }
                let (folderAndName, openOfChild): (UInt32, UInt64) = (0xC00, 0x0800_0020)
                let queue = unsafeBitCast(begin, to: Begin.self)(folderAndName, 0)
                guard queue >= 0 else { return false }
                defer { close(queue) }
                return unsafeBitCast(mark, to: Mark.self)(queue, 1, openOfChild, AT_FDCWD, "/tmp") == 0
            }()

            @Test(.timeLimit(.minutes(5))) func whatItHadNotOpenedItDidNotSpend() async throws {
                let couple = try await couple()
                defer { couple.clear() }
                let (a, b) = (couple.a, couple.b)
                mkdir(couple.folder.path + "/rpg", 0o700)
                let game = ScriptGame(in: couple.folder.path + "/rpg", name: "coin-quest", Self.play)

                // The game runs on while 5 coins come in, and saves from memory: 210 is 10 more than it had read.
                var process = try await start(game, on: b)
                defer { process.kill() }
                try await Task.sleep(for: .seconds(3.5))
                try await earn(205, on: a, reaches: b)
                save(210, by: game)
                guard Self.tellsOfOpens else { return try await expectWord(on: b) }
                for machine in [a, b] { try await expect(215, on: machine) }
                try await expectNoGuess(on: b)
                #expect(b.log.contains("coin-quest"), "the program that saves is known by now")

                // Restarted, it has read 220, and not the 225 that come in later.
                process.kill()
                try await earn(220, on: a, reaches: b)
                // The start time of a process is known only to two seconds.
                try await Task.sleep(for: .seconds(2.5))
                process = try await start(game, on: b)
                try await Task.sleep(for: .seconds(3.5))
                try await earn(225, on: a, reaches: b)
                save(230, by: game)
                for machine in [a, b] { try await expect(235, on: machine) }
                try await expectNoGuess(on: b)
                let same = try await poll {
                    [a, b].allSatisfy { Disk.read($0.save) == text(235) } ? true : nil
                }
                #expect(same == true, "\(Disk.text(a.save))\(Disk.text(b.save))")
            }

            /// Where the kernel reports nothing, the base is guessed or asked for, and status says so.
            private func expectWord(on machine: Machine) async throws {
                let said = try await poll {
                    let status = try await machine.ask("status")
                    return status.code == 3 || status.output.contains("guessed") ? true : nil
                }
                #expect(said == true)
            }

            /// Expects that no save on this machine was guessed or asked about.
            private func expectNoGuess(on machine: Machine) async throws {
                let isWell = try await poll {
                    let status = try await machine.ask("status")
                    return status.code == 0 && status.output.contains("All is well.") ? true : nil
                }
                let status = try await machine.ask("status")
                #expect(isWell == true, "\(status.output)")
            }
        }
    }
#endif
