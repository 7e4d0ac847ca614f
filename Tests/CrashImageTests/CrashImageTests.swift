import HouseholdSimulation
import TestSupport
import Testing

/// Crash at every step: whatever a kill or a power cut leaves of disk and record, no play is lost that was durable or
/// taken up, none counts twice, and nothing is left lying about. And again at every step of what puts it right.
@Suite struct CrashImageTests {
    @Test(.timeLimit(.minutes(20))) func everyImageIsPutRight() async throws {
        // Scenes that may leave the same on the disk are looked at together, so that nothing is looked at twice.
        let groups = Dictionary(grouping: CrashScene.all.enumerated(), by: \.element.family).values
        let examiners = try await withThrowingTaskGroup(of: Examiner.self) { tasks in
            for group in groups.sorted(by: { $0.count > $1.count }) {
                tasks.addTask { try await Self.examine(group.map(\.element), seed: UInt64(group[0].offset)) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        let images = examiners.reduce(into: Set<Int>()) { $0.formUnion($1.images) }
        let moments = examiners.reduce(0) { $0 + $1.moments }
        print("crash images: \(images.count) distinct ones put right, of \(moments) moments")
        for fault in examiners.flatMap(\.faults).prefix(20) { Issue.record("\(fault)") }
        #expect(images.count >= TestDepth.count(quick: 4_000, usual: 5_000, all: 50_000))
    }

    @concurrent private static func examine(_ scenes: [CrashScene], seed: UInt64) async throws -> Examiner {
        let household = try Household(scenes[0].kind, scenes[0].start)
        var examiner = Examiner(scenes[0], household, seed: seed)
        for scene in scenes {
            let stage = Stage(household.disk, household.record, scene.kind, scene.swapping)
            stage.watch()
            var device = try CrashDevice(stage.files, stage.record, number: 1, now: Household.now + 10_000)
            try scene.run(stage, &device)
            stage.keep("the end")
            stage.files.power.restart()
            examiner.examine(scene, stage.moments)
        }
        return examiner
    }
}
