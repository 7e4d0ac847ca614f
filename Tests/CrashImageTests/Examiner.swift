import HouseholdSimulation
import MergeCore
import ProfileKeeping
import TestSupport

/// Starts a device on what a crash may leave, as often as there is something else to be left, and checks every promise.
struct Examiner: Sendable {
    let household: Household
    private var scene: CrashScene
    private(set) var faults: [String] = []
    private(set) var moments = 0
    /// Distinct ones by disk and record.
    private(set) var images: Set<Int> = []
    /// What was looked at once need not be again: images, with what their game may rely on.
    private var seen: Set<Int> = []
    /// The same of what starts came to.
    private var ends: Set<Int> = []
    private var reader: SaveReader
    private var random: SeededRandom

    init(_ scene: CrashScene, _ household: Household, seed: UInt64) {
        (self.scene, self.household) = (scene, household)
        random = SeededRandom(seed: seed)
        reader = SaveReader(scene.kind)
    }

    /// Looks at another scene of the same family.
    mutating func examine(_ scene: CrashScene, _ moments: [CrashPoint]) {
        self.scene = scene
        self.moments += moments.count
        crash(moments, limit: min(scene.limit, Self.sample), again: min(scene.again, Self.sampleAgain))
    }

    /// How many images of one moment are looked at, and how many of each moment of what puts it right. Every moment is
    /// looked at at every depth.
    private static let sample = TestDepth.count(quick: 10, usual: 15, all: 100)
    private static let sampleAgain = TestDepth.count(quick: 1, usual: 1, all: 6)

    /// Crashes at every moment, with everything that may be left then, or a sample of it.
    ///
    /// - Parameter again: How many images of each moment of what follows are looked at as well.
    private mutating func crash(_ moments: [CrashPoint], limit: Int, again: Int) {
        var digest: (of: MemoryRecord.Copy, value: Int)?
        for moment in moments {
            if digest?.of != moment.record { digest = (moment.record, moment.record.hashValue) }
            let left =
                [moment.disk.afterKill]
                + PowerCut(of: moment.disk, using: &random).disks(limit: limit, using: &random)
            for image in left where faults.count < 3 {
                let key = image.fingerprint() &* 31 &+ digest!.value
                images.insert(key)
                guard seen.insert(key ^ Int(moment.durable) &* 0x9E37_79B9).inserted else { continue }
                do {
                    try examine(image, moment, digest!.value, again: again)
                } catch {
                    tell("\(error)", image, moment)
                }
            }
        }
    }

    private mutating func examine(_ image: MemoryDisk, _ moment: CrashPoint, _ digest: Int, again: Int) throws {
        let stage = Stage(image, moment.record, scene.kind, scene.swapping)
        let visible = try reader.look(at: image, stage.record, digest)
        if !visible.isMixture, moment.durable & ~visible.plays != 0 {
            tell("plays \(TallySave.bits(moment.durable & ~visible.plays)) were durable and are gone", image, moment)
        }
        stage.watch()
        var device = try CrashDevice(stage.files, stage.record, number: 1, now: Household.now + 5_000_000_000)
        try device.start()
        stage.files.power.restart()
        for problem in thrownAway(image, moment, stage) + lostBackups(image, moment) { tell(problem, image, moment) }
        var end = Hasher()
        end.combine(stage.files.disk.fingerprint { !$0.hasSuffix("/.new") })
        end.combine(stage.record.copy)
        end.combine(visible.plays)
        end.combine(visible.broken)
        end.combine(visible.isMixture)
        // What else there is to check follows from where it ended.
        if ends.insert(end.finalize()).inserted {
            var check = EndCheck(scene, household, stage, visible)
            try check.run(&device)
            for problem in check.problems {
                let status = device.engine.profiles[CrashScene.profile]?.file.status
                tell(problem, image, moment, "\(visible); \(stage.moments.map(\.step)); status \(status as Any)")
            }
        }
        guard again > 0, faults.isEmpty else { return }
        // Once more, at every step of what put it right.
        let moments = stage.moments.map { next in
            var next = next
            next.durable = visible.isMixture || scene.expects == .record ? 0 : moment.durable | visible.plays
            next.inodes = moment.inodes
            return next
        }
        crash(moments, limit: again, again: 0)
    }

    /// What a game wrote that is no save, and was swapped away, is set aside.
    private func thrownAway(_ image: MemoryDisk, _ moment: CrashPoint, _ stage: Stage) -> [String] {
        var problems: [String] = []
        for (path, inode) in image.names where path.contains("/.hearth-") && moment.inodes.contains(inode) {
            guard let bytes = image[path]?.bytes, TallySave.isBroken(bytes) else { continue }
            // A beginning that all saves have in common, and zeros, tell nothing.
            let told = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
            let present = stage.files.bytes(at: Stage.path) ?? []
            if told <= 27 || present.starts(with: bytes[..<told]) { continue }
            guard stage.files.quarantined(of: CrashScene.profile).contains(bytes) else {
                problems.append("\(path) was thrown away")
                continue
            }
        }
        return problems
    }

    /// Backups that were durable, and are not any more.
    private func lostBackups(_ image: MemoryDisk, _ moment: CrashPoint) -> [String] {
        let kept = moment.disk.durableNames.filter {
            $0.key.hasSuffix(".backup") && moment.disk.names[$0.key] == $0.value
        }
        return kept.filter { image[$0.key]?.bytes != moment.disk.files[$0.value]?.bytes }
            .map { "\($0.key) was durable and is another" }
    }

    private mutating func tell(_ what: String, _ image: MemoryDisk, _ moment: CrashPoint, _ more: String = "") {
        let files = image.names.keys.sorted().filter { $0.hasPrefix("/saves") }
            .map { "\($0): \(TallySave.text(image[$0]?.bytes))" }
        faults.append(
            """
            \(scene.name): \(what)
              crash before: \(moment.step)
              left: \(files.joined(separator: "\n        "))
              \(more)
            """)
    }
}
