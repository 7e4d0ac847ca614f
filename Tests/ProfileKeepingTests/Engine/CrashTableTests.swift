import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Synchronization
import Testing

/// The crash table: the power goes before every step of a projection, and again before every step of the recovery.
/// Whatever is left, no edit is lost, no counter counts twice, and no temporary stays.
@Suite struct CrashTableTests {
    @Test(arguments: CrashScene.GameSave.allCases, CrashScene.Loss.allCases)
    func aProjectionStoppedBeforeEveryStep(_ save: CrashScene.GameSave, _ loss: CrashScene.Loss) throws {
        try stopEverywhere(save, loss, absent: false, atLeast: 6)
    }

    @Test(arguments: CrashScene.Loss.allCases)
    func aFirstProjectionStoppedBeforeEveryStep(_ loss: CrashScene.Loss) throws {
        try stopEverywhere(.none, loss, absent: true, atLeast: 6)
    }

    @Test(arguments: CrashScene.GameSave.allCases, [1, 2, 3, 5])
    func stepsThatFailWhileTheAgentGoesOn(_ save: CrashScene.GameSave, _ count: Int) throws {
        for first in 1... {
            try #require(first < 200)
            let scene = CrashScene(save, .killed)
            try scene.run(failingAt: first, count: count)
            guard scene.wasStopped else { return #expect(first > 8) }
        }
    }

    private func stopEverywhere(
        _ save: CrashScene.GameSave, _ loss: CrashScene.Loss, absent: Bool, atLeast: Int
    ) throws {
        for cut in 1... {
            try #require(cut < 60)
            for again in 1... {
                try #require(again < 100)
                let scene = CrashScene(save, loss)
                try scene.run(cut: cut, again: again, absent: absent)
                guard scene.wasStopped else {
                    #expect(cut > atLeast, "a projection has more steps than were met")
                    return
                }
                if !scene.wasStoppedAgain { break }
            }
        }
    }
}
