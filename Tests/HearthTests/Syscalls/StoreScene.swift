import TestSupport

#if os(Linux)
    import Glibc
    import LosslessJSON
    import Testing

    /// One device on a real disk, driven by `StoreDriver`. Its game earned 10 coins, and another device 40.
    struct StoreScene: Sendable {
        let folder: String

        static let driver = BuiltProgram.path("StoreDriver")
        static let isPossible = driver != nil && Strace.isAllowed
        /// The reason to skip the tests.
        static let missing: Comment = "system calls cannot be traced here"

        var save: String { folder + "/game/save.json" }

        // MARK: Beginning

        /// An empty scene: the run makes record, keys and file.
        static func empty(_ folder: String) -> StoreScene {
            let scene = StoreScene(folder: folder)
            mkdir(folder, 0o700)
            mkdir(folder + "/game", 0o700)
            return scene
        }

        /// A scene in which both devices had the same save, and then this device's game saved.
        static func inStep(_ folder: String) async throws -> StoreScene {
            let scene = empty(folder)
            let outcome = try await scene.run("first")
            guard outcome.code == 0, var save = GameSave(at: scene.save) else {
                throw Failure("no scene: \(outcome.errors)")
            }
            _ = save.play("here", earning: 10)
            Disk.replace(scene.save, with: save.bytes)
            return scene
        }

        /// What the files must contain at the end.
        static func ledger(hasPlayed: Bool) -> Ledger {
            var ledger = Ledger()
            ledger.note(Play(earned: 40, level: 5, theme: "peer", entry: "peer", isStale: false))
            if hasPlayed { ledger.note(Play(earned: 10, level: 2, theme: "there", entry: "here", isStale: false)) }
            return ledger
        }

        // MARK: Running

        /// - Parameters:
        ///   - run: `first`, or a number above those of earlier runs.
        ///   - wrapper: A command under which the driver runs, such as `strace`.
        func run(_ run: String, under wrapper: [String] = []) async throws -> Machine.Outcome {
            guard let driver = Self.driver else { throw Failure("the built StoreDriver is not beside the tests") }
            let (output, errors) = (folder + ".out", folder + ".err")
            unlink(errors)
            let process = try ChildProcess(
                wrapper + [driver, folder, run], in: folder, output: output, errors: errors)
            guard let code = try await process.end() else {
                throw Failure("StoreDriver \(run) did not end in time: \(Disk.text(errors))")
            }
            return Machine.Outcome(code: code, output: Disk.text(output), errors: Disk.text(errors))
        }

        /// The report of the last run.
        var lastReport: JSONValue {
            get throws { try Machine.Outcome(code: 0, output: Disk.text(folder + ".out"), errors: "").json() }
        }

        /// The system calls of a run, in order. The scene cannot be used afterwards.
        func calls(_ run: String) async throws -> [CallPoint] {
            let list = folder + ".calls"
            let outcome = try await self.run(run, under: Strace.listing(into: list))
            guard outcome.code == 0 else { throw Failure("no listing: \(outcome.errors)") }
            return CallPoint.all(in: Disk.text(list), under: folder + "/")
        }

        // MARK: Judging

        /// Starts again without faults, and lists what is wrong then; also where one more start changes a correct file.
        func faults(_ run: Int, _ ledger: Ledger) async throws -> [String] {
            let outcome = try await self.run("\(run)")
            guard outcome.code == 0 else { return ["it does not start again: \(outcome.code) \(outcome.errors)"] }
            var words = try faults(outcome, ledger)
            let troubles = try outcome.json()["troubles"]?.elements.compactMap(\.text) ?? ["no report"]
            if !troubles.isEmpty { words.append("on the way: \(troubles)") }
            // SQLite removes these files at a clean end, when everything is in the record itself.
            let home = Disk.names(in: folder + "/home")
            words += home.filter { $0.hasPrefix("hearth.sqlite-") }.map { "left behind: " + $0 }
            let bytes = Disk.read(save)
            let again = try await self.run("\(run + 1)")
            if again.code != 0 || Disk.read(save) != bytes { words.append("another start changes the file") }
            return words
        }

        /// What is wrong after a run that was not interrupted: values lost or counted twice on either device, leftover
        /// files, a faulty record.
        func faults(_ outcome: Machine.Outcome, _ ledger: Ledger) throws -> [String] {
            var words: [String] = []
            let report = try outcome.json()
            if let save = GameSave(at: save) { words += ledger.difference(to: save) } else { words.append("no save") }
            if let peer = report["peer"]?.text.flatMap({ GameSave(Array($0.utf8)) }) {
                words += ledger.difference(to: peer).map { "over there: " + $0 }
            } else {
                words.append("nothing over there")
            }
            if report["hasIntent"] != false { words.append("an intent is left") }
            if report["displaced"]?.int != 0 { words.append("a displaced file is remembered") }
            if report["unsoundBackups"]?.elements.isEmpty != true { words.append("a backup is damaged") }
            if report["trouble"]?.text != "" { words.append("still in trouble: \(report["trouble"]?.text ?? "?")") }
            return words + leftovers.map { "left behind: " + $0 }
        }

        /// Files that should not be there.
        private var leftovers: [String] {
            let home = folder + "/home"
            let backups = Disk.names(in: home + "/backups").flatMap { Disk.names(in: home + "/backups/" + $0) }
            return Disk.names(in: folder + "/game").filter { $0 != "save.json" }
                + Disk.names(in: home).filter {
                    $0 != "agent.lock" && $0 != "backups" && !$0.hasPrefix("hearth.sqlite")
                }
                + backups.filter { !$0.hasSuffix(".backup") }
        }
    }
#endif
