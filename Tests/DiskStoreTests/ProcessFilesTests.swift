#if os(Linux)
    import Libc
    import LocalFiles
    import TestSupport
    import Testing

    /// What Linux tells of processes, with real ones.
    @Suite(.timeLimit(.minutes(5))) struct ProcessFilesTests {
        private let folder = TemporaryFolder()

        /// A process that waits, under the name of a file of its own. While it begins, its files are still changing.
        private func sleeper(_ name: String = "game", environment: [String]? = nil) async throws -> ChildProcess {
            guard symlink("/bin/sleep", folder[name]) == 0 else { throw Failure("no link \(name)") }
            let child = try ChildProcess(folder[name], ["60"], as: "sleep", environment: environment)
            let isUp = await eventually {
                ProcessFiles.read("comm", of: child.id) == Array("\(name)\n".utf8)
                    && !ProcessFiles.read("environ", of: child.id).isEmpty
            }
            guard isUp else { throw Failure("\(name) does not begin") }
            return child
        }

        @Test func everyProcessIsListedOnce() async throws {
            let child = try await sleeper()
            let ids = ProcessFiles.ids()
            #expect(ids.contains(getpid()) && ids.contains(child.id) && Set(ids).count == ids.count)
            child.kill()
            #expect(!ProcessFiles.ids().contains(child.id))
        }

        /// A game may call itself whatever it likes.
        @Test(arguments: ["game", "a b", "a) Z 1 (b", "))((", " "]) func aNameMovesNoField(name: String) async throws {
            let child = try await sleeper(name)
            let fields = ProcessFiles.stat(of: child.id).map { String(decoding: $0, as: UTF8.self) }
            try #require(fields.count > 19)
            #expect(["S", "R", "D"].contains(fields[0]) && fields[1] == "\(getpid())")
            #expect(Int64(fields[19]).map { $0 > 0 } == true)
        }

        @Test func aFileIsReadWholeOrUpToTheLimit() async throws {
            let variables = ["A=" + String(repeating: "x", count: 100_000), "B=1"]
            let child = try await sleeper(environment: variables)
            let whole: [UInt8] = variables.flatMap { Array("\($0)\0".utf8) }
            #expect(ProcessFiles.read("environ", of: child.id, limit: 1 << 20) == whole)
            for limit in [0, 1, 16_384, 16_385, whole.count - 1, whole.count] {
                #expect(ProcessFiles.read("environ", of: child.id, limit: limit) == Array(whole.prefix(limit)))
            }
        }

        @Test func aLinkLeadsToItsTarget() async throws {
            let child = try await sleeper()
            let real = try #require(realpath("/bin/sleep", nil))
            defer { free(real) }
            #expect(ProcessFiles.target(of: "/proc/\(child.id)/exe") == String(cString: real))
        }

        @Test func whatHasEndedHasNoFiles() async throws {
            let child = try await sleeper()
            child.kill()
            #expect(ProcessFiles.read("environ", of: child.id).isEmpty && ProcessFiles.stat(of: child.id).isEmpty)
            #expect(ProcessFiles.target(of: "/proc/\(child.id)/exe") == nil)
        }
    }
#endif
