import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// `hearth doctor` between two real agents, one of which is stopped.
    @Suite struct DoctorTests {
        @Test(.timeLimit(.minutes(5))) func anAgentThatIsStoppedIsNamed_withWhatToDo() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            try await expectWell(on: a, with: b)

            #expect(try await b.stop() == 0)
            let gone = try await a.ask("doctor")
            #expect(gone.code == 1 && gone.errors == "", "\(gone.errors)")
            #expect(gone.output.contains("✗ b: nothing listens at \(b.address), "), "\(gone.output)")
            #expect(gone.output.contains("\n      hearth agent\n") && gone.output.hasSuffix("One thing is wrong.\n"))
            let report = try await a.ask("doctor", "--json")
            let findings = try report.json()["findings"]?.elements ?? []
            let fault = try #require(findings.first { $0["ok"] == false })
            #expect(fault["kind"] == "refused" && fault["about"] == "b" && fault["command"] == "hearth agent")

            let there = try await b.ask("doctor")
            #expect(there.code == 1 && there.output.hasPrefix("✗ no agent is running here"), "\(there.output)")

            try await b.start(peers: [a])
            try await expectWell(on: a, with: b)
        }

        /// Two agents that have just met may need a moment.
        private func expectWell(on machine: Machine, with other: Machine) async throws {
            let well = try await poll {
                let outcome = try await machine.ask("doctor")
                return outcome.code == 0 ? outcome.output : nil
            }
            let connected = "✓ \(other.name): it is connected at 127.0.0.1:"
            #expect(well?.contains(connected) == true && well?.hasSuffix("All is well.\n") == true, "\(well ?? "-")")
        }
    }
}
