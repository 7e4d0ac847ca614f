import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// Two machines that remove each other while they are apart: the third one decides who stays, each keeps its saves,
    /// and pairing brings everybody back, with all that was played.
    @Suite struct MutualRemovalTests {
        private func names(_ machine: Machine) async throws -> Set<String> {
            let status = try await machine.ask("status", "--json").json()
            return Set(status["household"]?.elements.compactMap { $0["name"]?.text } ?? [])
        }

        private func pair(_ shower: Machine, _ typer: Machine) async throws {
            let shown = try await Pairing.code(on: shower)
            let typed = try await typer.ask("pair", shown.code, "--address", shower.address, "--json")
            guard typed.code == 0, try await shown.command.process.end() == 0 else {
                throw Failure("\(shower.name) and \(typer.name) could not be paired: \(typed.errors)")
            }
        }

        private func restore(_ machine: Machine) async throws {
            let restored = try await poll {
                try await machine.ask("restore", "RPG", "--to", machine.save, "--json").code == 0 ? true : nil
            }
            guard restored != nil else { throw Failure("the save did not reach \(machine.name)") }
        }

        /// A play on one machine that is in the file of others soon.
        private func play(_ word: String, on machine: Machine, reaching others: [Machine]) async throws {
            var save = try #require(GameSave(at: machine.save))
            _ = save.play(word, earning: 1)
            Disk.replace(machine.save, with: save.bytes)
            let isThere = try await poll {
                others.allSatisfy { GameSave(at: $0.save)?.log.contains(word) == true } ? true : nil
            }
            #expect(isThere != nil, "\(word) did not reach \(others.map(\.name))")
        }

        @Test(.timeLimit(.minutes(5))) func aThirdOneDecides_andPairingBringsAllBack() async throws {
            let folder = TemporaryFolder()
            let machines = try ["a", "b", "c"].map { try Machine($0, in: folder.path) }
            defer { for machine in machines { machine.kill() } }
            let (a, b, c) = (machines[0], machines[1], machines[2])
            for machine in machines { try await machine.start(peers: machines.filter { $0 !== machine }) }
            try await pair(a, b)
            try await pair(a, c)
            Disk.replace(a.save, with: GameSave().bytes)
            let rules = folder.path + "/rules.yaml"
            Disk.write(Array(GameSave.rules.utf8), rules)
            #expect(try await a.ask("add", a.save, "--rules", rules, "--json").code == 0)
            try await restore(b)
            try await restore(c)
            try await play("before", on: b, reaching: [a, c])

            // Each of the two is alone when it removes the other, and plays on.
            for (machine, other, word) in [(a, "b", "apart on a"), (b, "a", "apart on b")] {
                for running in machines { running.kill() }
                try await machine.start(peers: machines.filter { $0 !== machine })
                #expect(try await machine.ask("unpair", other, "--yes").code == 0)
                try await play(word, on: machine, reaching: [])
                _ = try await machine.ask("sync", "--json")
            }
            for running in machines { running.kill() }
            for machine in machines { try await machine.start(peers: machines.filter { $0 !== machine }) }
            // The third one decides: whom it hears of first is out, or both.
            let left = try await poll {
                let known = try await names(c)
                return known.count <= 1 ? known : nil
            }
            let known = try #require(left, "c still has both")
            for (machine, other) in [(a, "b"), (b, "a")] {
                let members = try await names(machine)
                #expect(!members.contains(other), "\(machine.name) has \(members)")
            }
            // Nobody's save is touched by that.
            #expect(GameSave(at: a.save)?.log.contains("apart on a") == true)
            #expect(GameSave(at: b.save)?.log.contains("apart on b") == true)

            for machine in [a, b] where !known.contains(machine.name) { try await pair(c, machine) }
            // Each of the two still holds what it said of the other, until they are paired themselves.
            try await pair(a, b)
            let areAllIn = try await poll {
                for machine in machines {
                    let members = try await names(machine)
                    guard members.count == 2 else { return nil as Bool? }
                }
                return true
            }
            #expect(areAllIn != nil)
            for machine in machines {
                try await play("after on \(machine.name)", on: machine, reaching: machines.filter { $0 !== machine })
            }
            let all: Set = ["before", "apart on a", "apart on b", "after on a", "after on b", "after on c"]
            for machine in machines {
                let log = try #require(GameSave(at: machine.save)).log
                #expect(log.isSuperset(of: all), "\(machine.name) has \(log.sorted())")
            }
        }
    }
}
