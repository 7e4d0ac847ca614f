import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// Three agents in a line. The two ends never connect, but what they report about each other is true.
    @Suite struct LineTests {
        @Test(.timeLimit(.minutes(5))) func theFarMachineIsInStepOnceItHasIt_andBehindOnceItIsGone() async throws {
            let folder = TemporaryFolder()
            let machines = try ["a", "b", "c"].map { try Machine($0, in: folder.path) }
            let (a, b, c) = (machines[0], machines[1], machines[2])
            defer { for machine in machines { machine.kill() } }
            try await a.start(peers: [b])
            try await b.start(peers: [a, c])
            try await c.start(peers: [b])
            for (one, two) in [(a, b), (b, c)] {
                let shown = try await Pairing.code(on: one)
                #expect(try await two.ask("pair", shown.code, "--address", one.address, "--json").code == 0)
                #expect(try await shown.command.process.end() == 0)
            }
            Disk.replace(a.save, with: Array("{\"coins\": 100}\n".utf8))
            #expect(try await a.ask("add", a.save, "--yes").code == 0)
            for machine in [b, c] {
                let isThere = try await poll {
                    try await machine.ask("restore", "save", "--to", machine.save).code == 0 ? true : nil
                }
                #expect(isThere == true, "on \(machine.name)")
            }
            Disk.replace(a.save, with: Array("{\"coins\": 130}\n".utf8))
            let there = try await a.ask("sync")
            #expect(there.code == 0, "\(there.errors)")
            #expect(["In step: b, c.\n", "In step: c, b.\n"].contains(there.output), "\(there.output)")
            // The text depends on whether the middle device could be asked for its form in time, so compare without
            // white space.
            let far = Disk.text(c.save).filter { !$0.isWhitespace }
            #expect(far == #"{"coins":130}"#, "what is said of the far file is true")
            // The middle agent is restarted, and knows it at once.
            b.kill()
            try await b.start(peers: [a, c])
            let again = try await c.ask("sync")
            #expect(again.code == 0, "\(again.errors)")
            c.kill()
            let gone = try await a.ask("sync")
            #expect(gone.code == 1 && gone.errors.contains("behind: c"), "\(gone.output)")
        }
    }
}
