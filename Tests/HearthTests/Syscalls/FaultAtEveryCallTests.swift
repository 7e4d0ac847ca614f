import TestSupport

#if os(Linux)
    import Glibc
    import LosslessJSON
    import Testing

    extension LiveAgents {
        /// Every system call that changes something fails once: the disk is full, broken, read-only or not permitted.
        ///
        /// The device reports what failed and where, continues on its own when the cause is gone, and loses nothing.
        @Suite(.enabled(if: StoreScene.isPossible, StoreScene.missing)) struct FaultAtEveryCallTests {
            struct Fault: Sendable, CustomStringConvertible {
                var point: CallPoint
                var code: Int32

                var description: String { "\(Strace.name(code)) at \(point)" }
            }

            /// The call fails once, in a process that continues.
            @Test(.timeLimit(.minutes(5))) func aCallThatFailsOnce_isMadeUpFor() async throws {
                let folder = TemporaryFolder()
                let faults = try await faults(in: folder.path, manyEach: true)
                let met = try await inParallel(faults) { number, fault in
                    let scene = try await StoreScene.inStep(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    let ledger = StoreScene.ledger(hasPlayed: true)
                    let outcome = try await scene.run("1", under: Strace.injecting(.fail(fault.code), at: fault.point))
                    var wrong = scene.misstatements(outcome)
                    if outcome.code == 0 { wrong += try scene.faults(outcome, ledger) }
                    if !wrong.isEmpty { Issue.record("\(fault): \(wrong)") }
                    let after = try await scene.faults(2, ledger)
                    if !after.isEmpty { Issue.record("started again after \(fault): \(after)") }
                    return true
                }
                print("\(met) calls failed once")
            }

            /// The call fails from then on, until the next start.
            @Test(.timeLimit(.minutes(5))) func aCallThatFailsFromThenOn_isSaid_andMadeUpForAtTheNextStart()
                async throws
            {
                let folder = TemporaryFolder()
                let faults = try await faults(in: folder.path, manyEach: false)
                let met = try await inParallel(faults) { number, fault in
                    let scene = try await StoreScene.inStep(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    let injection = Strace.injecting(.failFromNowOn(fault.code), at: fault.point)
                    let outcome = try await scene.run("1", under: injection)
                    let wrong = scene.misstatements(outcome)
                    if !wrong.isEmpty { Issue.record("\(fault): \(wrong)") }
                    let after = try await scene.faults(2, StoreScene.ledger(hasPlayed: true))
                    if !after.isEmpty { Issue.record("started again after \(fault): \(after)") }
                    return true
                }
                print("\(met) calls failed until the next start")
            }

            /// The process is killed right before or right after the swap; then a call of the recovery fails.
            @Test(.timeLimit(.minutes(5)), arguments: [false, true])
            func aCallOfTheRecoveryThatFails_isMadeUpFor(_ isSwapped: Bool) async throws {
                let folder = TemporaryFolder()
                let calls = try await StoreScene.inStep(folder.path + "/list").calls("1")
                let swap = try #require(calls.firstIndex { $0.call == "renameat2" })
                let cut = calls[isSwapped ? swap + 1 : swap]
                let list = try await StoreScene.inStep(folder.path + "/again")
                _ = try await list.run("1", under: Strace.injecting(.kill, at: cut))
                let again = try await list.calls("2")
                #expect(try list.lastReport["recovered"] == true)
                let codes = [EIO, ENOSPC]
                let faults = again.enumerated().filter { $0.offset % 2 == (isSwapped ? 1 : 0) }
                    .map { Fault(point: $0.element, code: codes[$0.offset / 2 % 2]) }
                let met = try await inParallel(faults) { number, fault in
                    let scene = try await StoreScene.inStep(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    let ledger = StoreScene.ledger(hasPlayed: true)
                    _ = try await scene.run("1", under: Strace.injecting(.kill, at: cut))
                    let outcome = try await scene.run("2", under: Strace.injecting(.fail(fault.code), at: fault.point))
                    var wrong = scene.misstatements(outcome)
                    if outcome.code == 0 { wrong += try scene.faults(outcome, ledger) }
                    if !wrong.isEmpty { Issue.record("\(fault): \(wrong)") }
                    let after = try await scene.faults(3, ledger)
                    if !after.isEmpty { Issue.record("started again after \(fault): \(after)") }
                    return true
                }
                print("\(met) calls of a recovery failed once, \(isSwapped ? "after" : "before") the swap")
            }

            /// The faults to inject: around the files each kind of fault, in the record one after the other.
            private func faults(in folder: String, manyEach: Bool) async throws -> [Fault] {
                let points = try await StoreScene.inStep(folder + "/list").calls("1")
                #expect(points.count > 80, "\(points)")
                var faults: [Fault] = []
                for (number, point) in points.enumerated() {
                    let codes: [Int32] =
                        switch point.call {
                        case "fsync", "fdatasync": [EIO, ENOSPC]
                        case "write", "pwrite64", "ftruncate": [ENOSPC, EIO]
                        default: [EACCES, ENOSPC, EROFS, EIO]
                        }
                    if manyEach, !point.arguments.contains("sqlite") {
                        faults += codes.map { Fault(point: point, code: $0) }
                    } else {
                        faults.append(Fault(point: point, code: codes[number % codes.count]))
                    }
                }
                return faults
            }
        }
    }

    extension StoreScene {
        /// What is wrong with the end of a run and its report. It must not crash, and must say in one line each what
        /// failed, where, and what to do.
        fileprivate func misstatements(_ outcome: Machine.Outcome) -> [String] {
            var said: [String] = []
            switch outcome.code {
            case 0: said = (try? outcome.json()["troubles"]?.elements.compactMap(\.text)) ?? ["no report"]
            case 1: said = outcome.errors.split(separator: "\n").map(String.init)
            default: return ["it ended with \(outcome.code): \(outcome.errors)"]
            }
            if outcome.code == 1, said.count != 1 { return ["not one sentence: \(outcome.errors)"] }
            return said.filter { !$0.contains(folder) || !$0.contains("; ") }.map { "no sentence: " + $0 }
        }
    }
#endif
