import TestSupport

#if os(Linux)
    import Glibc
    import LosslessJSON
    import Testing

    extension LiveAgents {
        /// A household in which one machine's disk is full, read-only or not permitted. Status says what is wrong,
        /// where, and what to do; when the cause is gone, everything goes on without a restart.
        @Suite(.enabled(if: Mounts.areAllowed, Mounts.missing)) struct BadDiskAgentTests {
            @Test(.timeLimit(.minutes(5))) func theGamesDiskIsFull() async throws {
                let b = try await Case { b in "mount -t tmpfs -o size=256k,mode=700 tmpfs \(b.folder)/game" }
                defer { b.clear() }
                let filler = b.machine.within(b.machine.folder + "/game/filler")
                Disk.fill(filler)
                try await b.meets("disk is full", at: b.machine.folder + "/game") { unlink(filler) }
            }

            @Test(.timeLimit(.minutes(5))) func theHomesDiskIsFull_whichIsAnotherThanTheGames() async throws {
                let b = try await Case { b in
                    """
                    cp -a \(b.home) \(b.home).copy
                    mount -t tmpfs -o size=2m,mode=700 tmpfs \(b.home)
                    cp -a \(b.home).copy/. \(b.home)
                    """
                }
                defer { b.clear() }
                let filler = b.machine.within(b.machine.home + "/filler")
                Disk.fill(filler)
                try await b.meets("disk is full", at: b.machine.home) { unlink(filler) }
            }

            @Test(.timeLimit(.minutes(5))) func theBackupsDiskIsFull() async throws {
                let b = try await Case { b in
                    """
                    mkdir -p \(b.home)/backups
                    mount -t tmpfs -o size=4k,mode=700 tmpfs \(b.home)/backups
                    """
                }
                defer { b.clear() }
                try await b.meets("disk is full", at: b.machine.home + "/backups") {
                    try await b.machine.mount("mount -o remount,size=1m tmpfs \(b.machine.home)/backups")
                }
            }

            @Test(.timeLimit(.minutes(5))) func theGamesFolderIsReadOnly() async throws {
                let b = try await Case { b in "mount --bind \(b.folder)/game \(b.folder)/game" }
                defer { b.clear() }
                let game = b.machine.folder + "/game"
                try await b.machine.mount("mount -o remount,bind,ro \(game)")
                try await b.meets("read-only", at: b.machine.folder + "/game", isFile: true) {
                    try await b.machine.mount("mount -o remount,bind,rw \(game)")
                }
            }

            @Test(.timeLimit(.minutes(5))) func theGamesFolderIsAnotherUsers() async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                #expect(try await couple.b.stop() == 0)
                try await couple.b.mount(
                    "chown -R 65534:65534 \(couple.b.home) && chmod 755 \(couple.folder.path) \(couple.b.folder)"
                )
                chmod(couple.b.folder + "/game", 0o755)
                chmod(couple.b.save, 0o644)
                // It may read everything, as the built program needs that, but write only its own files.
                try await couple.b.start(
                    peers: [couple.a],
                    under: [
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                        "--bounding-set=-all,+dac_read_search",
                        "--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search",
                    ])
                let b = Case(couple)
                try await b.meets("permission denied", at: couple.b.folder + "/game", isFile: true) {
                    try await couple.b.mount("chown -R 65534:65534 \(couple.b.folder)/game")
                }
            }
        }
    }

    /// Two machines that share a save; the second has a special disk.
    private struct Case {
        let couple: Couple
        var machine: Machine { couple.b }

        init(_ couple: Couple) { self.couple = couple }

        /// Starts B again with its own mounts, and with its files in place.
        init(_ mounts: (Machine) -> String) async throws {
            couple = try await Couple.sharing()
            guard try await couple.b.stop() == 0, let save = Disk.read(couple.b.save) else {
                throw Failure("B does not stop")
            }
            try await couple.b.start(peers: [couple.a], mounting: mounts(couple.b))
            // The new disk under the game's folder is empty.
            Disk.replace(couple.b.within(couple.b.save), with: save)
        }

        func clear() { couple.clear() }

        /// Both games play while the disk is bad. B reports the place of the problem, and goes on when it is solved.
        ///
        /// - Parameter isFile: Whether the game's file cannot be written; then sync must report that it is not in step.
        func meets(
            _ words: String, at place: String, isFile: Bool = false, _ relieve: () async throws -> Void
        ) async throws {
            var ledger = Ledger()
            var first = try #require(GameSave(at: couple.a.save))
            ledger.note(first.play("a", earning: 20))
            Disk.replace(couple.a.save, with: first.bytes)
            var said = ""
            let told = try await poll { () -> Bool? in
                let status = try await machine.ask("status", "--json").json()
                let reason = status["profiles"]?.elements.first?["reason"]?.text
                let backup = status["profiles"]?.elements.first?["backupTrouble"]?.text
                said = ([reason, backup].compactMap { $0 } + (status["troubles"]?.elements.compactMap(\.text) ?? []))
                    .joined(separator: "\n")
                return said.contains(words) && said.contains(place) && said.contains("; ") ? true : nil
            }
            if told == nil {
                let status = try await machine.ask("status", "--json").output
                Issue.record("status says: \(status); the log: \(machine.log.suffix(600))")
            }
            #expect(machine.running?.exitCode() == nil, "the agent is gone")
            if isFile {
                let sync = try await machine.ask("sync")
                let says = ["not in step, because of a file on this machine: ", words, place]
                #expect(
                    sync.code == 1 && sync.output == "" && says.allSatisfy(sync.errors.contains),
                    "\(sync.code) \(sync.output) \(sync.errors)")
                let there = try await couple.a.ask("sync")
                #expect(there.code == 1 && there.output == "", "\(there.output) \(there.errors)")
            }
            try await relieve()
            let whole = ledger
            let path = machine.running.map { _ in machine.within(machine.save) } ?? machine.save
            let agreed = try await poll { () -> Bool? in
                guard let here = GameSave(at: couple.a.save)?.shared, let there = GameSave(at: path)?.shared else {
                    return nil
                }
                return here == there && whole.difference(to: here).isEmpty ? true : nil
            }
            if agreed == nil {
                let save = GameSave(at: path)
                Issue.record("B: \(save.map(whole.difference(to:)) ?? ["no save"]); \(machine.log.suffix(600))")
            }
            let isWell = try await poll { () -> Bool? in
                let status = try await machine.ask("status", "--json").json()
                let profile = status["profiles"]?.elements.first
                let isGood = profile?["state"] == "good" && profile?["reason"]?.text == nil
                return isGood && status["troubles"]?.elements.isEmpty == true ? true : nil
            }
            if isWell == nil { Issue.record("still: \(try await machine.ask("status").output)") }
        }
    }

    /// Mounts that only one process sees (mount namespaces).
    enum Mounts {
        static let missing: Comment = "mounts need root and a mount namespace"

        static let areAllowed: Bool = {
            let command = ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
            guard let probe = try? ChildProcess(command, in: "/", output: "/dev/null", errors: "/dev/null") else {
                return false
            }
            return probe.waitForEnd() == 0
        }()
    }

    extension Disk {
        /// Fills the disk completely.
        static func fill(_ path: String) {
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            for size in [65_536, 4_096, 1] {
                let block = [UInt8](repeating: 0, count: size)
                while Glibc.write(file, block, size) == size {}
            }
            close(file)
        }
    }
#endif
