import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// `hearth status --watch`, `hearth log` and `hearth rename` between two real agents.
    @Suite struct CommandsOfTwoTests {
        /// The objects that a command has printed until now, one a line.
        private func printed(_ command: Machine.Command) -> [JSONValue] {
            Disk.text(command.output).split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
        }

        /// The name of the only save that a status has.
        private func name(_ status: JSONValue) -> String? { status["profiles"]?.elements.first?["name"]?.text }

        /// A change is printed when it comes, and what stays as it is is printed once.
        @Test(.timeLimit(.minutes(5))) func aWatchedStatusIsPrintedAtEachChange() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            let watch = try a.begin(["status", "--watch", "--json"])
            defer { watch.process.kill() }
            let first = try await poll { printed(watch).first }
            #expect(first?["event"] == "status" && first.flatMap(name) == "RPG", "\(Disk.text(watch.errors))")

            #expect(try await b.ask("rename", "RPG", "Universe RPG").code == 0)
            let renamed = try await poll { printed(watch).contains { name($0) == "Universe RPG" } ? true : nil }
            #expect(renamed == true, "\(Disk.text(watch.output))")

            // It goes on where the agent does not.
            #expect(try await a.stop() == 0)
            let alone = try await poll {
                printed(watch).last.flatMap { $0["event"] == "status" && $0["port"] == nil ? true : nil }
            }
            #expect(alone == true, "\(Disk.text(watch.output))")
            #expect(watch.process.exitCode() == nil)
            try await a.start(peers: [b])
            let back = try await poll { printed(watch).last.flatMap { $0["port"] == nil ? nil : true } }
            #expect(back == true, "\(Disk.text(watch.output)) \(Disk.text(watch.errors))")

            let all = Disk.text(watch.output).split(separator: "\n")
            #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 }, "\(all)")
            watch.process.signal(SIGINT)
            #expect(try await watch.process.end() == -SIGINT)
        }

        @Test(.timeLimit(.minutes(5))) func theLogHasWhatEachMachineDid() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            var save = GameSave()
            save.coins += 7
            Disk.replace(a.save, with: save.bytes)
            #expect(try await couple.agree { $0.coins == save.coins } != nil)

            let here = try await a.ask("log")
            #expect(here.code == 0 && here.errors == "", "\(here.errors)")
            let lines = here.output.split(separator: "\n")
            #expect(lines.contains { $0.hasSuffix("  RPG  a  taken up") }, "\(here.output)")
            #expect(lines.contains { $0.hasSuffix("  RPG  a  played") }, "\(here.output)")
            #expect(lines.contains { $0.contains("/coins 100 → 107") }, "\(here.output)")

            let there = try await b.ask("log", "RPG", "--json").json()
            let entries = there["entries"]?.elements ?? []
            #expect(there["event"] == "log" && there["leftOut"] == false, "\(there)")
            let came = try #require(entries.first { $0["step"]?["origin"] == "merge" }, "\(there)")
            #expect(came["profile"] == "RPG" && came["step"]?["devices"] == ["a"], "\(came)")
            let changes = came["step"]?["changes"]?.elements ?? []
            #expect(changes.contains(["place": "/coins", "old": "100", "new": "107"]), "\(came)")

            #expect(try await b.ask("log", "b").output == "Nothing has happened in that time.\n")
            #expect(try await b.ask("log", "a", "--days", "7").output.contains("/coins 100 → 107"))
            let nobody = try await b.ask("log", "nobody")
            #expect(nobody.code == 1 && nobody.errors.contains("no save and no machine is called nobody"))
            #expect(try await b.ask("log", "--days", "0").code == 2)
        }

        @Test(.timeLimit(.minutes(5))) func aSaveAndAMachineGetOtherNamesEverywhere() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (a, b) = (couple.a, couple.b)
            let save = try await a.ask("rename", "RPG", "Universe RPG")
            #expect(save.code == 0 && save.output == "RPG is called Universe RPG from now on.\n", "\(save.errors)")
            #expect(save.errors.contains("config.yaml"))
            let heard = try await poll { try await b.profile()["name"]?.text == "Universe RPG" ? true : nil }
            #expect(heard == true)
            #expect(try await b.ask("show", "Universe RPG", "/coins").output == "100\n")
            #expect(try await b.ask("show", "RPG", "/coins").code == 1)

            // A machine says itself what it is called.
            let other = try await a.ask("rename", "b", "Living room")
            #expect(other.code == 1 && other.errors.contains("hearth rename b 'Living room'"), "\(other.errors)")
            let machine = try await b.ask("rename", "b", "Living room", "--json")
            let answer = try machine.json()
            #expect(answer["event"] == "renamed" && answer["former"] == "b", "\(answer)")
            #expect(answer["device"]?["name"] == "Living room", "\(answer)")
            let shown = try await poll {
                let devices = try await a.ask("devices", "--json").json()["devices"]?.elements ?? []
                return devices.contains { $0["name"] == "Living room" && $0["connected"] == true } ? true : nil
            }
            #expect(shown == true)

            let unknown = try await a.ask("rename", "nobody", "somebody", "--json")
            #expect(try unknown.code == 1 && unknown.json()["error"]?["code"] == 1, "\(unknown.output)")
            #expect(try await a.ask("rename", "Universe RPG", "").code == 2)
            let taken = try await a.ask("rename", "a", "Living room")
            #expect(taken.code == 1 && taken.errors.contains("is called Living room"), "\(taken.errors)")
        }
    }
}
