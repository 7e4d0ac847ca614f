import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// The messages and exit codes of the commands between real agents.
    @Suite struct TrueWordsTests {
        private func save(_ ending: String) -> [UInt8] { Array("{\"ending\": \"\(ending)\"}\n".utf8) }

        private func ending(_ machine: Machine) -> String? {
            Disk.read(machine.save).flatMap { try? JSONValue(parsing: $0) }?["ending"]?.text
        }

        /// Two machines with one save whose ending is a choice.
        private func couple() async throws -> Couple {
            let couple = try await Couple.paired()
            Disk.replace(couple.a.save, with: save("open"))
            let rules = couple.folder.path + "/rules.yaml"
            Disk.write(Array("profile: RPG\nrules: {/ending: choice}\n".utf8), rules)
            #expect(try await couple.a.ask("add", couple.a.save, "--rules", rules).code == 0)
            #expect(try await couple.b.ask("restore", "RPG", "--to", couple.b.save).code == 0)
            return couple
        }

        @Test(.timeLimit(.minutes(5))) func aChoiceThatIsOpenIsExitCode3() async throws {
            let couple = try await couple()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            let before = try await a.ask("sync")
            #expect(before.code == 0 && before.output == "In step: b.\n", "\(before.errors)")
            _ = try await b.stop()
            Disk.replace(a.save, with: save("good"))
            _ = try await poll {
                try await a.ask("show", "RPG", "/ending").output == "\"good\"\n" ? true : nil
            }
            let behind = try await a.ask("sync")
            #expect(behind.code == 1 && behind.errors.contains("behind: b"))
            Disk.replace(b.save, with: save("bad"))
            try await b.start(peers: [a])
            for machine in [a, b] {
                let open = try await poll { try await machine.ask("status").code == 3 ? true : nil }
                #expect(open == true, "on \(machine.name)")
                let status = try await machine.ask("status")
                #expect(status.output.contains("a choice waits for you") && !status.output.contains("All is well"))
                #expect(try await machine.ask("status", "--json").code == 3)
                let sync = try await machine.ask("sync")
                #expect(sync.code == 3 && sync.output == "" && sync.errors.contains("you have to decide"))
            }
            #expect(try await a.ask("resolve", "RPG", "/ending", "1").code == 0)
            let same = try await poll { ending(a) == ending(b) ? true : nil }
            #expect(same == true)
            for machine in [a, b] {
                let sync = try await machine.ask("sync")
                #expect(sync.code == 0, "\(sync.errors)")
                #expect(try await machine.ask("status").code == 0)
            }
        }

        /// A save that the player must explain: until that is done, no command reports that all is well.
        @Test(.timeLimit(.minutes(5)), arguments: ["accept", "keep"])
        func aQuestionIsExitCode3(_ answer: String) async throws {
            let couple = try await couple()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            let nothing = try await a.ask(answer, "RPG", "--yes")
            #expect(nothing.code == 1 && nothing.errors.contains("nothing is asked"), "\(nothing.errors)")
            Disk.replace(a.save, with: Array("{\"ending\": null}\n".utf8))
            let asked = try await poll { try await a.ask("status").code == 3 ? true : nil }
            #expect(asked == true)
            let status = try await a.ask("status")
            let said = [
                "lacks over half of what there was", "hearth accept RPG\n", "hearth keep RPG\n", "? waits for you",
            ]
            for part in said {
                #expect(status.output.contains(part), "\(status.output)")
            }
            #expect(!status.output.contains("All is well"))
            let sync = try await a.ask("sync")
            #expect(sync.code == 3 && sync.output == "" && sync.errors.contains("you have to decide"), "\(sync.errors)")
            // The other machine's file shows the household's state, and nothing waits there.
            #expect(try await b.ask("status").code == 0)
            #expect(try await a.ask(answer, "RPG", "--yes").code == 0)
            let wanted = answer == "keep" ? "open" : nil
            let same = try await poll { ending(a) == wanted && ending(b) == wanted ? true : nil }
            #expect(same == true, "\(ending(a) ?? "-") \(ending(b) ?? "-")")
            #expect(try await a.ask("status").code == 0)
            #expect(try await a.ask("sync").code == 0)
        }

        /// A save that cannot be read on one machine is not reported as in step on either.
        @Test(.timeLimit(.minutes(5))) func aDamagedSaveIsNotInStep() async throws {
            let couple = try await couple()
            defer { couple.clear() }
            #expect(try await couple.a.ask("sync").output == "In step: b.\n")
            Disk.replace(couple.b.save, with: Array("{\"ending\": ".utf8))
            let there = try await couple.b.ask("sync")
            #expect(there.code == 1 && there.output == "" && there.errors.contains("a file on this machine: RPG: "))
            let here = try await couple.a.ask("sync")
            #expect(
                here.code == 1 && here.output == "" && here.errors.contains("b has it, but its file does not show it"))
            Disk.replace(couple.b.save, with: save("open"))
            #expect(try await couple.a.ask("sync").output == "In step: b.\n")
        }
    }
}
