import HouseholdSimulation
import MergeCore
import ProfileKeeping

extension CrashScene {
    static var all: [CrashScene] { saving + merging + arriving + held + acts + spoiling + failing }

    /// The game saves, and the save is taken up; nothing comes from elsewhere.
    static var saving: [CrashScene] {
        var scenes: [CrashScene] = []
        for kind in [TallySave.Kind.plain, .logged, .large] {
            for way in Stage.Way.allCases {
                for sync in MemoryFiles.GameSync.allCases {
                    scenes.append(
                        CrashScene("saves, \(kind), \(way), syncing \(sync)", kind) { stage, device in
                            try device.settle()
                            for _ in 0..<3 {
                                stage.load()
                                stage.save(way, sync)
                                try device.settle()
                            }
                        })
                }
            }
        }
        return scenes
    }

    enum Moments: CaseIterable { case beforeSwap, afterSwap, afterSync, beforeAndAfter }

    /// What the other device played is written into the file while the game saves.
    static var merging: [CrashScene] {
        var scenes: [CrashScene] = []
        for swapping in MemoryFiles.Swapping.allCases {
            scenes.append(CrashScene("merges, \(swapping)", .logged, swapping) { _, device in try device.settle() })
            for moment in Moments.allCases {
                for way in [Stage.Way.rename, .truncate] {
                    for sync in [MemoryFiles.GameSync.nothing, .all] {
                        scenes.append(
                            CrashScene("saves \(moment), \(way), syncing \(sync), \(swapping)", .logged, swapping) {
                                stage, device in
                                let count = Count()
                                stage.load()
                                stage.watch { operation, stage throws(StorageFault) in
                                    switch (operation, moment, count.value) {
                                    case (.exchange, .beforeSwap, 0) where swapping != .links,
                                        (.exchange, .beforeAndAfter, 0) where swapping != .links,
                                        // Between a look at the file and the rename over it nothing can be done.
                                        (.syncAside, .beforeSwap, 0), (.syncAside, .beforeAndAfter, 0),
                                        (.syncFolder, .afterSwap, 0), (.syncFolder, .beforeAndAfter, 1),
                                        (.commit, .afterSync, 2):
                                        count.add()
                                        stage.save(way, sync)
                                    case (.commit, .afterSync, ...1): count.add()
                                    default: break
                                    }
                                }
                                try device.settle()
                                stage.watch()
                                try device.settle()
                            })
                    }
                }
            }
        }
        return scenes
    }

    /// What the other device played comes in, and is written into the file in one go, while the game saves.
    static var arriving: [CrashScene] {
        var scenes: [CrashScene] = []
        for swapping in MemoryFiles.Swapping.allCases {
            for (step, moment) in ["nowhere", "while it is staged", "before the swap", "after it"].enumerated() {
                for sync in [MemoryFiles.GameSync.nothing, .all] where step > 0 || sync == .all {
                    scenes.append(
                        CrashScene(
                            "arrives, saves \(moment), syncing \(sync), \(swapping)", .logged, swapping, start: .unheard
                        ) {
                            stage, device in
                            let other = try Household(.logged, .unheard).other(now: device.now)
                            let count = Count()
                            stage.load()
                            stage.watch { operation, stage throws(StorageFault) in
                                switch (operation, step, count.value) {
                                case (.create, 1, 0),
                                    (.exchange, 2, 0) where swapping != .links, (.syncAside, 2, 0):
                                    count.add()
                                    stage.save(.rename, sync)
                                // The first one is before the swap.
                                case (.syncFolder, 3, 1):
                                    count.add()
                                    stage.save(.rename, sync)
                                case (.syncFolder, 3, 0): count.add()
                                default: break
                                }
                            }
                            try device.join(CrashScene.profile, from: other, writes: true)
                            stage.watch()
                            try device.settle()
                        })
                }
            }
        }
        return scenes
    }

    /// The game holds its save open while it is swapped away, and goes on writing into it.
    static var held: [CrashScene] {
        var scenes: [CrashScene] = []
        for swapping in MemoryFiles.Swapping.allCases {
            for sync in [MemoryFiles.GameSync.nothing, .all] {
                scenes.append(
                    CrashScene("writes late, syncing \(sync), \(swapping)", .logged, swapping) { stage, device in
                        let id = CrashScene.profile
                        stage.load()
                        stage.hold()
                        _ = device.project(id)
                        stage.saveHeld(sync)
                        device.now += 5_000
                        try device.engine.clearDisplaced(id, now: device.now)
                        stage.saveHeld(sync)
                        stage.release()
                        // Started again, it reads the file and saves to it.
                        stage.load()
                        stage.save(.rename, sync)
                        _ = try device.engine.ingest(id, now: device.now)
                        try device.settle()
                    })
            }
        }
        return scenes
    }
}
