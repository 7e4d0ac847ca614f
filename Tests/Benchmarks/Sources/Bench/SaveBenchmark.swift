import Glibc

/// Save at A → file at B has it.
enum SaveBenchmark {
    static func run(_ report: inout Report, folder: String, hearth: String, rounds: Int) throws {
        let stage = try Stage(in: folder, hearth: hearth, withRelay: false)
        defer { stage.stop() }
        var save = Save(sections: 10, leaves: 60)
        let (game, there, events) = try stage.share("small", save.bytes)
        let floor = try Floor(folder: folder + "/floor")
        report.title(
            "1. A save of \(save.bytes.count) bytes, \(save.count) leaves, 5 changed: saved at A until the file at B "
                + "has it"
        )
        var (sync, alone, ratio, work) = (Series(), Series(), Series(), Series())
        for round in 0..<(rounds + 5) {
            for step in 0..<5 { save.raise((round * 31 + step * 97) % save.count, by: 1 + step) }
            let bytes = save.bytes
            let used = stage.processorSeconds
            let start = try game.save(bytes)
            let time = try events.wait(until: there, holds: bytes, since: start)
            usleep(40_000)
            let spent = stage.processorSeconds - used
            let least = try floor.run(bytes, message: 200)
            usleep(40_000)
            // The first rounds warm caches up.
            guard round >= 5 else { continue }
            sync.add(time * 1_000)
            alone.add(least * 1_000)
            ratio.add(time / least)
            work.add(spent * 1_000)
        }
        report.add("save at A -> at B", sync, "ms", goal: 20)
        report.add("floor: 2 files made durable, 1 round trip", alone, "ms")
        report.add("ratio of the medians", sync.median / alone.median, "x", goal: 3)
        report.add("processor time of both agents, a save", work, "ms")
        report.add("ratio, save by save", ratio, "x")
    }
}
