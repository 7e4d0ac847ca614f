import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// One agent process: who may start it, how it ends, and what works without it.
    @Suite struct ProcessTests {
        @Test(.timeLimit(.minutes(5))) func aSecondAgentOnTheSameHome_isRefused_namingTheFirst() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            defer { machine.kill() }
            try await machine.start(peers: [])
            let second = try await machine.ask("agent", "--discovery", "off", "--host", "127.0.0.1")
            #expect(second.code == 1)
            #expect(second.errors.contains("pid \(try #require(machine.running).id)"), "\(second.errors)")
            #expect(try await machine.ask("status", "--json").json()["port"]?.int == Int(machine.port))
        }

        @Test(.timeLimit(.minutes(5))) func sigtermEndsItWithZero_alsoInTheMiddleOfThings() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let games = [try Game(couple.a, seed: 31), try Game(couple.b, seed: 32)]
            let end = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for game in games {
                    group.addTask { try await game.play(until: end, limit: 500, pause: 5...20, stale: 20) }
                }
                defer { end.set() }
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(300))
                    #expect(try await couple.b.stop() == 0)
                    let ready = try await couple.b.start(peers: [couple.a])
                    #expect(ready["recovered"] == [], "a clean stop leaves nothing to recover")
                }
            }
            var ledger = Ledger()
            for game in games { await ledger.add(game.ledger) }
            let whole = ledger
            if try await couple.agree({ whole.difference(to: $0).isEmpty }) == nil {
                couple.tell(whole)
            }
        }

        @Test(.timeLimit(.minutes(5))) func withoutAnAgent_statusAnswers_andSyncSaysSo() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            let status = try await machine.ask("status", "--json")
            #expect(status.code == 0)
            #expect(try status.json()["port"]?.int == nil)
            #expect(try await machine.ask("sync").code == 4)
            #expect(try await machine.ask("pair").code == 4)
        }

        /// `status` says within a second that the agent hangs, and works again once it goes on.
        @Test(.timeLimit(.minutes(5))) func anAgentThatHangs_isSaidByStatus() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            defer { machine.kill() }
            try await machine.start(peers: [])
            let agent = try #require(machine.running)
            agent.stop()
            defer { agent.signal(SIGCONT) }
            let began = ContinuousClock.now
            let status = try await machine.askOnce(["status"])
            // A second on a machine that is not busy.
            #expect(began.duration(to: .now) < .seconds(10))
            #expect(status.code == 1)
            #expect(status.errors.contains("the agent (pid \(agent.id)) runs, but does not answer"), "\(status.errors)")
            let error = try await machine.askOnce(["status", "--json"]).json()["error"]
            #expect(error?["code"]?.int == 1 && error?["hint"] != nil)
            agent.signal(SIGCONT)
            let again = try await poll { try await machine.ask("status").code == 0 ? true : nil }
            #expect(again == true)
        }
    }
}
