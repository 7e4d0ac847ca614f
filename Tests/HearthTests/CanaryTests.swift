import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// What is secret, or somebody's own, is in no log, in no error and in nothing that a crash leaves: codes, keys,
    /// passphrases, the values of saves, the words of rule files.
    ///
    /// (Names of saves and devices are in logs, on purpose. What `hearth status` and other commands answer to their own user
    /// may quote a damaged save: the name of a member that is there twice, the first letters of a word that is no JSON.)
    @Suite struct CanaryTests {
        /// Texts that occur nowhere else, and what was printed where none of them may be.
        private struct Cage {
            private(set) var canaries: [(what: String, text: String)] = []
            /// Standard output and standard error of commands that failed.
            var errors: [(command: String, text: String)] = []
            private var random = SeededRandom(seed: 50)

            mutating func add(_ what: String, _ text: String) { canaries.append((what, text)) }

            /// A new one: letters and digits, so that nobody has to escape it.
            mutating func make(_ what: String) -> String {
                let text = "canary" + random.bytes(8).map { String($0, radix: 16) }.joined()
                add(what, text)
                return text
            }

            mutating func failed(_ command: [String], _ outcome: Machine.Outcome) {
                let words = command.joined(separator: " ")
                #expect(outcome.code != 0, "hearth \(words) did not fail")
                errors.append((words, outcome.output + outcome.errors))
            }

            func expectSilence(of texts: [(of: String, text: String)]) {
                for (source, text) in texts + errors.map({ (of: "hearth \($0.command)", text: $0.text) }) {
                    for (what, canary) in canaries where text.contains(canary) {
                        Issue.record("\(what) (\(canary)) is in \(source)")
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(5)), arguments: [[], ["--verbose"]] as [[String]])
        func noSecretIsInALogAnErrorOrACrash(_ options: [String]) async throws {
            let folder = TemporaryFolder()
            let (a, b) = (try Machine("a", in: folder.path), try Machine("b", in: folder.path))
            defer {
                a.kill()
                b.kill()
            }
            // What a crash prints has the registers and the memory they point at. Names of functions take a debug build
            // half a minute, and say nothing of secrets.
            let backtrace = ["env", "SWIFT_BACKTRACE=enable=yes,symbolicate=off"]
            try await a.start(peers: [b], options: options, under: backtrace)
            try await b.start(peers: [a], options: options)
            var cage = Cage()
            try keys([a, b], &cage)
            try await pair(a, b, &cage)
            try await play(a, b, in: folder, &cage)
            try await damage(b, &cage)
            try await carry(a, b, in: folder, &cage)
            #expect(cage.canaries.count >= 50, "\(cage.canaries.count)")

            // What a crash prints is in the agent's log.
            a.running?.signal(SIGSEGV)
            let isPrinted = try await poll(.seconds(60)) { a.log.contains("Backtrace took") ? true : nil }
            #expect(isPrinted == true, "\(a.log.suffix(500))")
            // A signal that was only sent does not come again by itself, as that of a real fault does.
            a.kill()
            _ = try await b.stop()
            // The logs are of the level that was asked for, and say what happened.
            #expect(b.log.contains("paired") && b.log.contains("a profile file cannot be used"))
            #expect(b.log.contains("merged") == !options.isEmpty)
            cage.expectSilence(
                of: [a, b].flatMap { machine in
                    [
                        (of: "\(machine.name)'s log", text: machine.log),
                        (of: "\(machine.name)'s output", text: Disk.text(machine.folder + "/agent.out")),
                    ]
                })
        }

        /// The lines of the private keys.
        private func keys(_ machines: [Machine], _ cage: inout Cage) throws {
            for machine in machines {
                let lines = Disk.text(machine.home + "/device.key").split(separator: "\n").filter { !$0.hasPrefix("-") }
                #expect(lines.count > 1)
                for line in lines where line.count >= 12 { cage.add("\(machine.name)'s key", String(line)) }
            }
        }

        /// Two codes that count no more are typed, then the one that does.
        private func pair(_ a: Machine, _ b: Machine, _ cage: inout Cage) async throws {
            var shown: [(command: Machine.Command, code: String)] = []
            for _ in 0..<3 { shown.append(try await Pairing.code(on: a)) }
            for (_, code) in shown {
                cage.add("a code", code)
                cage.add("a code without hyphens", String(code.filter { $0 != "-" }))
            }
            for (_, code) in shown.dropLast() {
                let outcome = try await b.ask("pair", code, "--address", a.address, "--json")
                cage.failed(["pair", "CODE"], outcome)
            }
            let last = try #require(shown.last)
            let paired = try await poll {
                try await b.ask("pair", last.code, "--address", a.address, "--json").code == 0 ? true : nil
            }
            #expect(paired == true)
            #expect(try await last.command.process.end() == 0)
        }

        /// A save and its rules, edits on both sides.
        private func play(_ a: Machine, _ b: Machine, in folder: TemporaryFolder, _ cage: inout Cage) async throws {
            let comments = (0..<8).map { _ in "# " + cage.make("a comment of a rule file") }.joined(separator: "\n")
            let scopes = (0..<4).map { _ in "  " + cage.make("a scope of a rule file") + ": [/coins]" }
            let lines = ["profile: RPG", "rules:", "  /coins: counter", "  /log: union", "resets:"] + scopes
            let rules = comments + "\n" + lines.joined(separator: "\n") + "\n"
            Disk.write(rules, folder["rules.yaml"])
            Disk.replace(a.save, with: save(100, &cage))
            #expect(try await a.ask("add", a.save, "--rules", folder["rules.yaml"]).code == 0)
            let restored = try await poll {
                try await b.ask("restore", "RPG", "--to", b.save).code == 0 ? true : nil
            }
            #expect(restored == true)
            for (machine, other) in [(a, b), (b, a)] {
                let next = save(machine.name == "a" ? 140 : 180, &cage)
                Disk.replace(machine.save, with: next)
                let wanted = try JSONValue(parsing: next)["name"]
                let arrived = try await poll { () -> Bool? in
                    let there = Disk.read(other.save).flatMap { try? JSONValue(parsing: $0) }
                    return there?["name"] == wanted ? true : nil
                }
                #expect(arrived == true, "the edit of \(machine.name) did not arrive")
            }
        }

        private func save(_ coins: Int, _ cage: inout Cage) -> [UInt8] {
            let texts = (0..<6).map { _ in cage.make("a value of a save") }
            return Array(
                """
                {
                  "coins": \(coins),
                  "name": "\(texts[0])",
                  "log": ["\(texts[1])", "\(texts[2])"],
                  "deep": {"list": [{"id": 1, "text": "\(texts[3])"}, "\(texts[4])"], "note": "\(texts[5])"}
                }

                """.utf8)
        }

        /// A save that is no JSON any more, in ways that are told in different sentences.
        private func damage(_ machine: Machine, _ cage: inout Cage) async throws {
            let good = try #require(Disk.read(machine.save))
            let texts = (0..<6).map { _ in cage.make("a value of a damaged save") }
            // A status quotes these two: letters alone, as many as are quoted, and a member that is there twice.
            let (word, member) = ("canarynoquotes", cage.make("a member that is there twice"))
            cage.add("a word of a damaged save", word)
            let damaged = [
                "{\"coins\": 1, \"name\": \"\(texts[0])\" \"\(texts[1])\"}", "{\"coins\": 1, \"name\": \"\(texts[2])",
                "{\"coins\": 1, \"name\": \"\(texts[3])\", 7}", "[\"\(texts[4])\"] \"\(texts[5])\"",
                "{\"coins\": 1, \"name\": \(word)}", "{\"coins\": 1, \"\(member)\": 1, \"\(member)\": 2}",
            ]
            for text in damaged {
                Disk.replace(machine.save, with: Array(text.utf8))
                let told = try await poll { try await machine.profile()["state"] == "bad" ? true : nil }
                #expect(told == true, "\(text)")
                Disk.replace(machine.save, with: good)
                let mended = try await poll { try await machine.profile()["state"] == "bad" ? nil : true }
                #expect(mended == true)
            }
        }

        /// A stick with a passphrase, a wrong passphrase, and files that are none.
        private func carry(_ a: Machine, _ b: Machine, in folder: TemporaryFolder, _ cage: inout Cage) async throws {
            let (right, wrong) = (cage.make("a passphrase"), cage.make("a wrong passphrase"))
            func withPassphrase(
                _ text: String, _ command: [String], on machine: Machine
            ) async throws -> Machine.Outcome {
                Disk.write(text + "\n", folder["passphrase"], mode: 0o600)
                let script = "exec \"$@\" 3<'\(folder["passphrase"])'"
                let begun = try machine.begin(
                    command + ["--passphrase-fd", "3"], under: ["sh", "-c", script, "sh"])
                let code = try #require(try await begun.process.end(), "\(command)")
                return Machine.Outcome(code: code, output: Disk.text(begun.output), errors: Disk.text(begun.errors))
            }
            let exported = try await withPassphrase(right, ["export", "RPG", "--output", folder["stick"]], on: a)
            #expect(exported.code == 0, "\(exported.errors)")
            let refused = try await withPassphrase(wrong, ["import", folder["stick"]], on: b)
            cage.failed(["import", "STICK"], refused)
            let taken = try await withPassphrase(right, ["import", folder["stick"]], on: b)
            #expect(taken.code == 0, "\(taken.errors)")
            for number in 0..<4 {
                let text = cage.make("a value of a file that is none")
                let file = folder["none-\(number)"]
                Disk.write(number % 2 == 0 ? text : "{\"coins\": \"\(text)\" 7}", file)
                let outcome = try await b.ask("import", file, "--profile", "RPG", "--json")
                cage.failed(["import", "NONE"], outcome)
            }
        }
    }
}
