import Libc
import TestSupport
import Testing

extension LiveAgents {
    /// After a clean end the next agent is ready before it has read the whole record. Damage that came without a trace, as a
    /// bad disk makes it, must end that agent as it ends a start that reads everything first.
    @Suite struct RecordAtRestTests {
        private let folder = TemporaryFolder()
        private let machine: Machine

        init() throws { machine = try Machine("solo", in: folder.path) }

        /// One page of the record after the other is damaged: first while no agent runs, then under an agent that has read all
        /// of it, whose clean end vouches for what is there.
        @Test(.timeLimit(.minutes(5))) func damageIsToldInTheSameWordsAsByAStart() async throws {
            defer { machine.kill() }
            Disk.replace(machine.save, with: GameSave().bytes)
            try await machine.start(peers: [])
            #expect(try await machine.ask("add", machine.save, "--json").code == 0)
            #expect(try await machine.stop() == 0)
            let whole = try files.map { try #require(Disk.read($0)) }
            var found = 0
            // The first page is read by whoever opens the record.
            for page in (1..<whole[0].count / Self.pageSize).reversed() where found < 3 {
                putBack(whole)
                Disk.write(damaged(whole[0], page), machine.record, mode: 0o600)
                guard let atStart = try await refusal() else { continue }

                putBack(whole)
                try await machine.start(peers: [])
                let written = damaged(try #require(Disk.read(machine.record)), page)
                Disk.write(written, machine.record, mode: 0o600)
                // At its end the agent may see the damage, or write that page itself.
                guard try await machine.stop() == 0, let left = Disk.read(machine.record),
                    left[bytes(of: page)] == written[bytes(of: page)]
                else { continue }
                try machine.launch(peers: [])
                #expect(try await machine.running?.end() == 1, "page \(page): \(machine.log)")
                // A start that meets the damage by itself knows less of it.
                let words = isReady ? lastWords == atStart : lastWords?.contains("is damaged") == true
                #expect(words, "page \(page), ready: \(isReady): \(machine.log)")
                if isReady { found += 1 }
            }
            #expect(found > 0, "an agent was ready before it saw the damage")
        }

        #if os(Linux)
            /// The log of a record that was closed goes while its agent still has other things to end. A kill just then has lost
            /// nothing, and the next agent does not take the record for an old one.
            @Test(.timeLimit(.minutes(5)), .enabled(if: Strace.isAllowed, "system calls cannot be traced here"))
            func aKillAsTheLogGoesLosesNothing() async throws {
                defer { machine.kill() }
                Disk.replace(machine.save, with: GameSave().bytes)
                try await machine.start(peers: [])
                #expect(try await machine.ask("add", machine.save, "--json").code == 0)
                #expect(try await machine.stop() == 0)
                let log = machine.record + "-wal"
                try await machine.start(
                    peers: [],
                    // `-D` makes strace a grandchild, so that the agent is our own child.
                    under: [
                        "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", log, "-e", "trace=unlink", "-e",
                        "inject=unlink:signal=SIGKILL:when=1",
                    ])
                #expect(try await machine.stop() == -SIGKILL)
                for path in [log, machine.record + "-shm"] { unlink(path) }
                try await machine.start(peers: [])
                #expect(!machine.log.contains("is an old one or a copy"))
                #expect(try await machine.stop() == 0)
            }
        #endif

        private static var pageSize: Int { 4_096 }

        private var files: [String] { [machine.record, machine.home + "/record.token"] }

        /// Whether the agent has written the line that says it is ready, and on which port.
        private var isReady: Bool { Disk.text(machine.folder + "/agent.out").contains(#""port":"#) }

        /// What the agent said last.
        private var lastWords: Substring? { machine.log.split(separator: "\n").last }

        private func bytes(of page: Int) -> Range<Int> { page * Self.pageSize..<(page + 1) * Self.pageSize }

        /// A record whose page has lost its head.
        private func damaged(_ record: [UInt8], _ page: Int) -> [UInt8] {
            var record = record
            record.replaceSubrange(bytes(of: page).prefix(8), with: [UInt8](repeating: 0x5A, count: 8))
            return record
        }

        /// What an agent says that does not start; `nil` where it does.
        private func refusal() async throws -> Substring? {
            try machine.launch(peers: [])
            let code = try await poll {
                if let code = machine.running?.exitCode() { return code }
                return isReady ? Int32(0) : nil
            }
            if code == 0 { _ = try await machine.stop() }
            return code == 1 ? lastWords : nil
        }

        private func putBack(_ contents: [[UInt8]]) {
            for name in ["-wal", "-shm"] { unlink(machine.record + name) }
            for (path, bytes) in zip(files, contents) { Disk.write(bytes, path, mode: 0o600) }
        }
    }
}
