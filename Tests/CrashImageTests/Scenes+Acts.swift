import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping

extension CrashScene {
    /// What players do beside playing.
    static var acts: [CrashScene] {
        var scenes = [
            CrashScene("is adopted", start: .alone) { stage, device in
                _ = try device.add(Stage.path, .logged, profile: profile)
                stage.load()
                stage.save(.rename, .nothing)
                try device.settle()
            },
            CrashScene("saves unsynced, then is adopted", .plain, start: .alone) { stage, device in
                stage.save(.truncate, .nothing)
                _ = try device.add(Stage.path, .plain, profile: profile)
                try device.settle()
            },
            CrashScene("two in one folder", start: .twoFiles) { stage, device in
                stage.load()
                stage.save(.rename, .nothing)
                try device.settle()
            },
            CrashScene("plays on for nine days", limit: 10) { stage, device in
                try device.settle()
                for day in 1...9 {
                    device.now += 86_400_000
                    stage.load()
                    stage.save(.rename, .all)
                    _ = try device.engine.ingest(profile, now: device.now)
                    _ = try device.engine.dailyBackup(
                        profile, now: device.now, day: LocalDay(year: 2026, month: 11, day: day)!)
                }
                try device.settle()
            },
        ]
        for (start, elsewhere, absent) in [
            (Start.apart, Start.apartElsewhere, second), (.apartReversed, .apartElsewhereReversed, profile),
        ] {
            scenes.append(
                CrashScene("two become one, \(start)", start: start) { stage, device in
                    stage.load()
                    stage.save(.rename, .all)
                    try device.settle()
                    try device.engine.bind(absent, to: Stage.path, now: device.now)
                    try device.settle()
                })
            scenes.append(
                CrashScene("two become one elsewhere, \(start)", start: elsewhere) { stage, device in
                    try device.settle()
                    let other = try Household(.logged, elsewhere).other(now: device.now)
                    stage.load()
                    stage.save(.rename, .all)
                    for id in other.engine.ids { try device.join(id, from: other) }
                    try device.settle()
                })
        }
        scenes += acts("reset of all") { device in
            try device.engine.reset(profile, PathSelector(patterns: [RulePattern(parsing: "/**")]), now: device.now)
        }
        scenes += acts("reset of one counter") { device in
            try device.engine.reset(profile, PathSelector(patterns: [RulePattern(parsing: "/coins")]), now: device.now)
        }
        scenes += acts("restore") { device in
            let former = try JSONDocument(parsing: TallySave(.logged, plays: 1).bytes)
            try device.engine.restore(profile, former, now: device.now)
        }
        return scenes
    }

    private static func acts(
        _ name: String, _ act: @escaping @Sendable (inout CrashDevice) throws -> Void
    ) -> [CrashScene] {
        MemoryFiles.Swapping.allCases.map { swapping in
            CrashScene("\(name), \(swapping)", .logged, swapping, expects: .record) { stage, device in
                try device.settle()
                try act(&device)
                try device.settle()
            }
        }
    }

    /// Something that is no save comes in between.
    static var spoiling: [CrashScene] {
        var scenes: [CrashScene] = []
        for (name, bytes) in [("nothing", []), ("half a save", Array(TallySave(.logged, plays: 1).bytes.prefix(40)))] {
            for way in [Stage.Way.rename, .truncate] {
                for isAfter in [false, true] {
                    scenes.append(
                        CrashScene("writes \(name) \(isAfter ? "after" : "before") the swap, \(way)") { stage, device in
                            let count = Count()
                            stage.watch { operation, stage throws(StorageFault) in
                                switch operation {
                                case .exchange where !isAfter && count.value == 0,
                                    .syncFolder where isAfter && count.value == 0:
                                    count.add()
                                    stage.spoil(bytes, way)
                                default: break
                                }
                            }
                            try device.settle()
                            stage.watch()
                            stage.save(.rename, .nothing)
                            try device.settle()
                        })
                }
            }
        }
        return scenes
    }

    /// The disk is full, or broken, for some steps; then all is well again, and then comes the crash.
    static var failing: [CrashScene] {
        var scenes: [CrashScene] = []
        for swapping in MemoryFiles.Swapping.allCases {
            let stepBeforeSwap = [.exchange: 5, .exchangeWithoutDrafts: 8][swapping] ?? 7
            for (first, count) in (1...36).map({ ($0, 1) }) + stride(from: 2, to: 34, by: 4).map({ ($0, 4) }) {
                scenes.append(
                    CrashScene("\(count) steps from \(first) on fail, \(swapping)", .logged, swapping, limit: 3) {
                        stage, device in
                        let steps = Count()
                        stage.load()
                        stage.watch { operation, stage throws(StorageFault) in
                            steps.add()
                            // By rename and synced, so that it is durable whatever fails.
                            if steps.value == stepBeforeSwap { stage.save(.rename, .all) }
                            if steps.value >= first, steps.value < first + count {
                                throw StorageFault(.noSpace, "the disk is full")
                            }
                        }
                        for _ in 0..<3 { try? device.settle() }
                        stage.watch()
                        try device.settle()
                    })
            }
        }
        return scenes
    }
}
