import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// A new machine: one command brings every save of the household.
    @Suite struct RestoreManyTests {
        private func text(_ number: Int) -> String { "{\n  \"level\": \(number),  \"coins\": 1.0\n}\n" }

        /// Two paired machines; A has saves in files of one folder each.
        private func household(_ count: Int) async throws -> Couple {
            let couple = try await Couple.paired()
            for number in 0..<count {
                let path = "\(couple.a.folder)/game/\(number % 7)/\(number).json"
                mkdir("\(couple.a.folder)/game/\(number % 7)", 0o755)
                Disk.replace(path, with: Array(text(number).utf8))
                let added = try await couple.a.ask("add", path, "--name", "save \(number)")
                #expect(added.code == 0, "\(added.errors)")
            }
            return couple
        }

        private func expectAll(_ count: Int, in folder: String, but left: Set<Int> = []) {
            for number in 0..<count where !left.contains(number) {
                #expect(Disk.text("\(folder)/\(number).json") == text(number))
            }
            #expect(Disk.names(in: folder).allSatisfy { !$0.hasPrefix(".hearth-") })
        }

        @Test(.timeLimit(.minutes(5))) func oneCommandBringsAll_andWhatStandsAgainstOneStopsNoOther() async throws {
            let couple = try await household(12)
            defer { couple.clear() }
            let (folder, elsewhere) = ("\(couple.b.folder)/new", "\(couple.b.folder)/elsewhere")
            mkdir(folder, 0o755)
            Disk.write(Array(#"{"mine": 1}"#.utf8), "\(folder)/3.json")
            #expect(symlink(elsewhere, "\(folder)/5.json") == 0)
            mkdir("\(folder)/8.json", 0o755)
            let restored = try await couple.b.ask("restore", "--all", "--to", folder + "/", "--json")
            #expect(restored.code == 1, "\(restored.errors)")
            let json = try restored.json()
            #expect(json["event"] == "restoredMany")
            guard case .array(let saves)? = json["saves"] else { throw Failure("\(restored.output)") }
            #expect(saves.count == 12 && saves.count { $0["outcome"] == "restored" } == 9)
            let failed = saves.filter { $0["outcome"] == "failed" }
            #expect(failed.count == 3 && failed.allSatisfy { $0["message"] != nil })
            expectAll(12, in: folder, but: [3, 5, 8])
            #expect(Disk.text("\(folder)/3.json") == #"{"mine": 1}"#)
            #expect(access(elsewhere, F_OK) != 0, "a link was followed")
            // Once nothing stands in the way, the same command brings the rest, and says so in a table.
            Disk.remove("\(folder)/5.json")
            Disk.remove("\(folder)/8.json")
            let again = try await couple.b.ask("restore", "--all", "--to", folder + "/")
            #expect(again.code == 1)
            #expect(again.output.contains("2 restored, and kept in step; 9 here before; 1 not restored."))
            #expect(again.output.contains("hearth restore 'save 3' --to"), "\(again.output)")
            expectAll(12, in: folder, but: [3])
            // They are in step.
            Disk.replace("\(folder)/7.json", with: Array(text(700).utf8))
            #expect(try await poll { Disk.text("\(couple.a.folder)/game/0/7.json") == text(700) ? true : nil } == true)
        }

        @Test(.timeLimit(.minutes(5))) func savesThatAreNamedComeAlone_alsoWhereNoAgentRuns() async throws {
            let couple = try await household(3)
            defer { couple.clear() }
            let folder = "\(couple.b.folder)/new"
            let two = try await couple.b.ask("restore", "save 0", "save 2", "--to", folder)
            #expect(two.code == 0, "\(two.errors)")
            #expect(Set(Disk.names(in: folder)) == ["0.json", "2.json"])
            #expect(try await couple.b.stop() == 0)
            let last = try await couple.b.ask("restore", "--all", "--to", folder)
            #expect(last.code == 0, "\(last.errors)")
            let found = try JSONValue(parsing: Array(Disk.text("\(folder)/1.json").utf8))
            #expect(found["level"] == 1)
        }

        /// A file, or what is no folder for another reason, is one reason and not one for each save.
        @Test(.timeLimit(.minutes(5))) func aFileIsNoFolder() async throws {
            let couple = try await household(3)
            defer { couple.clear() }
            let file = "\(couple.b.folder)/file.json"
            Disk.write(Array("{}".utf8), file)
            let refused = try await couple.b.ask("restore", "--all", "--to", file)
            #expect(refused.code == 1 && refused.output == "", "\(refused.output)")
            #expect(refused.errors.contains("no save can be put into \(file): "), "\(refused.errors)")
            #expect(refused.errors.ranges(of: file).count <= 2, "\(refused.errors)")
            // The next one is not held up by it.
            let all = try await couple.b.ask("restore", "--all", "--to", "\(couple.b.folder)/new")
            #expect(all.code == 0, "\(all.errors)")
            expectAll(3, in: "\(couple.b.folder)/new")
            #expect(Disk.text(file) == "{}")
        }

        /// The agent is killed while it makes files. After its start the same command finishes, and nothing is lost.
        @Test(.timeLimit(.minutes(5))) func anAgentThatIsKilledInTheMiddleIsNoLoss() async throws {
            let count = 150
            let couple = try await household(count)
            defer { couple.clear() }
            let folder = "\(couple.b.folder)/new"
            for enough in [1, 70] {
                let command = try couple.b.begin(["restore", "--all", "--to", folder + "/"])
                let begun = try await poll { Disk.names(in: folder).count >= enough ? true : nil }
                #expect(begun == true)
                couple.b.kill()
                _ = try await command.process.end()
                try await couple.b.start(peers: [couple.a])
            }
            let restored = try await couple.b.ask("restore", "--all", "--to", folder + "/", "--json")
            #expect(restored.code == 0, "\(restored.errors) \(restored.output)")
            expectAll(count, in: folder)
            #expect(Set(Disk.names(in: folder)) == Set((0..<count).map { "\($0).json" }))
            let status = try await couple.a.ask("status", "--json").json()
            guard case .array(let profiles)? = status["profiles"] else { throw Failure("no status") }
            #expect(profiles.count == count)
        }
    }
}
