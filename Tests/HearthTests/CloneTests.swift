import Libc
import LosslessJSON
import TestSupport
import Testing

#if os(Linux)
    extension LiveAgents {
        /// A machine is copied completely, and both copies run: the same record, device and replica exist twice.
        @Suite(.enabled(if: Mounts.areAllowed, Mounts.missing)) struct CloneTests {
            @Test(.timeLimit(.minutes(5)))
            func aCloneBesideItsTwin() async throws {
                let couple = try await Couple.sharing()
                let clone = try Machine("c", in: couple.folder.path)
                defer {
                    couple.clear()
                    clone.kill()
                }
                var ledger = Ledger()
                try await play(on: [couple.a, couple.b], "1", &ledger)
                #expect(try await couple.b.stop() == 0)
                let copied = try ChildProcess(
                    ["cp", "-a", couple.b.home, couple.b.folder + "/game", clone.folder], in: "/",
                    output: clone.folder + "/cp.out", errors: clone.folder + "/cp.err")
                #expect(try await copied.end() == 0)
                // Each copy plays before it knows of the other, and the household hears of both.
                try await couple.b.start(peers: [couple.a])
                try await clone.start(
                    peers: [couple.a], mounting: "mount --bind '\(clone.folder)' '\(couple.b.folder)'")
                for round in 2...6 { try await play(on: [couple.a, couple.b, clone], "\(round)", &ledger) }
            }

            /// Each game saves once, and all files get everything.
            private func play(on machines: [Machine], _ round: String, _ ledger: inout Ledger) async throws {
                for (machine, coins) in zip(machines, [5, 11, 17]) {
                    var save = try #require(GameSave(at: machine.save))
                    ledger.note(save.play(machine.name + round, earning: coins))
                    Disk.replace(machine.save, with: save.bytes)
                }
                let whole = ledger
                let agreed = try await poll {
                    machines.allSatisfy { machine in
                        GameSave(at: machine.save).map { whole.difference(to: $0).isEmpty } ?? false
                    } ? true : nil
                }
                guard agreed == nil else { return }
                for machine in machines {
                    let wrong = GameSave(at: machine.save).map(whole.difference(to:)) ?? ["no save"]
                    Issue.record("round \(round), \(machine.name): \(wrong); \(machine.log.suffix(600))")
                }
            }
        }
    }
#endif
