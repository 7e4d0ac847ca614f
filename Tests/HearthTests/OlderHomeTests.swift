import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// Homes as an earlier version left them are opened by this one: what was played, the history and the pairing are
    /// there, both machines stay in step, and an old step can be taken back.
    ///
    /// `OlderHomes` keeps two paired machines of each version, made by its script `make` with the command of that
    /// version. Their keys belong to nobody.
    @Suite struct OlderHomeTests {
        private static let kept = ExampleFiles.root + "/Tests/HearthTests/OlderHomes"

        @Test(.timeLimit(.minutes(5)), arguments: ["0.1.0"])
        func twoMachinesAreUpdated(_ version: String) async throws {
            let folder = TemporaryFolder()
            let laptop = try Self.machine("laptop", of: version, in: folder)
            let deck = try Self.machine("deck", of: version, in: folder)
            defer {
                laptop.kill()
                deck.kill()
            }
            // One machine is updated first, and is played on meanwhile.
            try await laptop.start(peers: [deck])
            #expect(try await Self.history(of: laptop) == ["/hero", "/unlocked", "/coins", "/coins"])
            let moved = try await laptop.ask("move", "saga", laptop.save, "--json")
            #expect(moved.code == 0, "\(moved.errors)")
            Disk.replace(laptop.save, with: Array(Disk.text(laptop.save).replacing("130", with: "150").utf8))

            try await deck.start(peers: [laptop])
            let followed = try await deck.ask("move", "saga", deck.save, "--json")
            #expect(followed.code == 0, "\(followed.errors)")
            try await expect(
                """
                {
                  "coins": 150,
                  "level": 5,
                  "unlocked": ["forest", "cave"],
                  "hero": "Grace"
                }

                """, on: [laptop, deck])
            #expect(try await Self.history(of: deck).dropFirst() == ["/hero", "/unlocked", "/coins", "/coins"])

            // A step that the older version noted is taken back by the newer one, on both machines.
            let undone = try await deck.ask("undo", "saga", "4", "--yes", "--json")
            #expect(undone.code == 0, "\(undone.errors)")
            try await expect(
                """
                {
                  "coins": 150,
                  "level": 5,
                  "unlocked": ["forest", "cave"],
                  "hero": "Ada"
                }

                """, on: [laptop, deck])
            for machine in [laptop, deck] {
                let isWell = try await poll {
                    try await machine.ask("status").output.hasSuffix("All is well.\n") ? true : nil
                }
                let status = try await machine.ask("status")
                #expect(isWell == true, "\(status.output)")
            }
        }

        /// A machine whose home and save are a kept copy.
        private static func machine(_ name: String, of version: String, in folder: TemporaryFolder) throws -> Machine {
            let machine = try Machine(name, in: folder.path)
            let kept = "\(kept)/\(version)/\(name)"
            let copied = try ChildProcess(
                [
                    "sh", "-e", "-c",
                    "cp -R '\(kept)/home' '\(machine.folder)'; cp '\(kept)/save.json' '\(machine.save)'; "
                        + "chmod -R u+rwX,go= '\(machine.folder)'",
                ],
                in: "/", output: machine.folder + "/cp.out", errors: machine.folder + "/cp.err")
            guard copied.waitForEnd() == 0 else {
                throw Failure("no copy of \(kept): \(Disk.text(machine.folder + "/cp.err"))")
            }
            return machine
        }

        /// The first place that each step changed, the newest step first.
        private static func history(of machine: Machine) async throws -> [String?] {
            let steps = try await machine.ask("history", "saga", "--json").json()["history"]?.elements ?? []
            return steps.map { $0["changes"]?.elements.first?["place"]?.text }
        }

        private func expect(_ text: String, on machines: [Machine]) async throws {
            let isThere = try await poll {
                machines.allSatisfy { Disk.text($0.save) == text } ? true : nil
            }
            let texts = machines.map { Disk.text($0.save) }
            #expect(isThere == true, "\(texts); \(machines.map { $0.log.suffix(600) })")
        }
    }
}
