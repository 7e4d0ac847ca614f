import HouseholdSimulation
import TestSupport

#if os(Linux)
    import Glibc
    import LosslessJSON
    import Synchronization
    import enum TestSupport.TestDepth
    import Testing

    extension LiveAgents {
        /// SIGKILL at every system call that changes something, and again during recovery.
        @Suite(.enabled(if: StoreScene.isPossible, StoreScene.missing)) struct KillAtEveryCallTests {
            /// What the game does between the kill and the next start.
            enum Meanwhile: String, CaseIterable, Sendable {
                case nothing
                /// It reads the file and saves by rename.
                case readsAndSaves
                /// It saves the state that it has had in memory since before the merge.
                case savesFromMemory
            }

            @Test(.timeLimit(.minutes(5)), arguments: Meanwhile.allCases)
            func aSaveAndAMerge_killedAtEveryCall(_ meanwhile: Meanwhile) async throws {
                let folder = TemporaryFolder()
                var points = try await StoreScene.inStep(folder.path + "/list").calls("1")
                #expect(points.count > 80, "\(points)")
                // Every second call for each way to save, to save time.
                switch meanwhile {
                case .nothing: break
                case .readsAndSaves: points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                case .savesFromMemory: points = points.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                }
                let killed = try await inParallel(points) { number, point in
                    let scene = try await StoreScene.inStep(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    var ledger = StoreScene.ledger(hasPlayed: true)
                    guard try await scene.killed("1", at: point) else { return false }
                    scene.play(meanwhile, &ledger)
                    let faults = try await scene.faults(2, ledger)
                    if !faults.isEmpty { Issue.record("killed at \(point), game \(meanwhile): \(faults)") }
                    return true
                }
                print("\(killed) kill points of a save and a merge; what the game does meanwhile: \(meanwhile)")
                #expect(killed == points.count)
            }

            @Test(.timeLimit(.minutes(5))) func theVeryFirstStart_killedAtEveryCall() async throws {
                let folder = TemporaryFolder()
                let points = try await StoreScene.empty(folder.path + "/list").calls("1")
                #expect(points.count > 100, "\(points)")
                let killed = try await inParallel(points) { number, point in
                    let scene = StoreScene.empty(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    guard try await scene.killed("1", at: point) else { return false }
                    let faults = try await scene.faults(2, StoreScene.ledger(hasPlayed: false))
                    if !faults.isEmpty { Issue.record("killed at \(point): \(faults)") }
                    return true
                }
                print("\(killed) kill points of a first start")
                #expect(killed == points.count)
            }

            /// The process is killed, and then its next start as well: once after most kills, and many times after
            /// those between the intent and the end of a projection, so that every call of such a start is hit.
            @Test(.timeLimit(.minutes(5)), arguments: Seeds.chosen)
            func recovery_killedAtManyCalls(_ seed: UInt64) async throws {
                let folder = TemporaryFolder()
                let all = try await StoreScene.inStep(folder.path + "/list").calls("1")
                // With less depth every fourth call, or every sixth, is the first at which the store is killed.
                let step = TestDepth.count(quick: 6, usual: 4, all: 1)
                let points = stride(from: 0, to: all.count, by: step).map { all[$0] }
                let recoveries = Mutex<[Int: (calls: [CallPoint], isInterrupted: Bool)]>([:])
                _ = try await inParallel(points) { number, first in
                    let scene = try await StoreScene.inStep(folder.path + "/first-\(number)")
                    defer { Disk.remove(scene.folder) }
                    guard try await scene.killed("1", at: first) else { return false }
                    let calls = try await scene.calls("2")
                    let isInterrupted = try scene.lastReport["recovered"] == true
                    recoveries.withLock { $0[number] = (calls, isInterrupted) }
                    return true
                }
                var random = SeededRandom(seed: seed)
                var pairs: [(first: CallPoint, second: CallPoint)] = []
                var interrupted = 0
                for (number, recovery) in recoveries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                    if recovery.isInterrupted {
                        let chosen = recovery.calls.enumerated().filter { $0.offset % 6 == interrupted % 6 }
                        pairs += chosen.map { (points[number], $0.element) }
                        interrupted += 1
                    } else if let second = recovery.calls.randomElement(using: &random) {
                        pairs.append((points[number], second))
                    }
                }
                let killed = try await inParallel(pairs) { number, pair in
                    let scene = try await StoreScene.inStep(folder.path + "/\(number)")
                    defer { Disk.remove(scene.folder) }
                    guard try await scene.killed("1", at: pair.first), try await scene.killed("2", at: pair.second)
                    else { return false }
                    let faults = try await scene.faults(3, StoreScene.ledger(hasPlayed: true))
                    if !faults.isEmpty { Issue.record("killed at \(pair.first), again at \(pair.second): \(faults)") }
                    return true
                }
                print(
                    "seed \(seed): \(killed) double kills, the first of them at \(interrupted) points between intent "
                        + "and end"
                )
                #expect(killed == pairs.count)
                #expect(interrupted >= 6 / step, "the swap was not met")
            }
        }
    }

    extension StoreScene {
        /// Kills a run at a call. False where the run was not killed.
        fileprivate func killed(_ run: String, at point: CallPoint) async throws -> Bool {
            let outcome = try await self.run(run, under: Strace.injecting(.kill, at: point))
            if outcome.code != -SIGKILL { Issue.record("\(point) was missed: \(outcome)") }
            return outcome.code == -SIGKILL
        }

        fileprivate func play(_ meanwhile: LiveAgents.KillAtEveryCallTests.Meanwhile, _ ledger: inout Ledger) {
            var save: GameSave?
            switch meanwhile {
            case .nothing: return
            case .readsAndSaves: save = GameSave(at: self.save)
            case .savesFromMemory:
                save = GameSave()
                _ = save?.play("here", earning: 10)
            }
            guard var save else {
                Issue.record("the game finds no save")
                return
            }
            ledger.note(save.play("meanwhile", earning: 7))
            Disk.replace(self.save, with: save.bytes)
        }
    }
#endif
