import Glibc
import LosslessJSON

/// One changed leaf of 100,000.
enum LeafBenchmark {
    static func run(_ report: inout Report, folder: String, hearth: String, rounds: Int) throws {
        let stage = try Stage(in: folder, hearth: hearth, withRelay: true)
        defer { stage.stop() }
        let relay = stage.relay!
        var save = Save(sections: 1_000, leaves: 100)
        let before = relay.count
        let start = seconds()
        let (game, there, events) = try stage.share("large", save.bytes)
        let first = seconds() - start
        relay.waitForQuiet(1)
        let whole = relay.count - before
        report.title(
            "2. A save of \(save.bytes.count) bytes, \(save.count) leaves, 1 changed (through a relay that counts)"
        )
        var (application, withTLS, records) = (Series(), Series(), Series())
        var (sync, parse, ratio) = (Series(), Series(), Series())
        var (work, parseWork) = (Series(), Series())
        for round in 0..<(rounds + 3) {
            save.raise((round * 7_919 + 13) % save.count, by: 1)
            let bytes = save.bytes
            let before = relay.count
            let used = stage.processorSeconds
            let start = try game.save(bytes)
            let time = try events.wait(until: there, holds: bytes, since: start)
            relay.waitForQuiet()
            let passed = relay.count - before
            let spent = stage.processorSeconds - used
            let began = processorSeconds()
            let twice = try parsed(bytes) + parsed(bytes)
            let parseSpent = processorSeconds() - began
            usleep(20_000)
            guard round >= 3 else { continue }
            application.add(Double(passed.application))
            withTLS.add(Double(passed.withTLS))
            records.add(Double(passed.records))
            sync.add(time * 1_000)
            parse.add(twice * 1_000)
            ratio.add(time / twice)
            work.add(spent * 1_000)
            parseWork.add(parseSpent * 1_000)
        }
        report.add("one leaf: bytes both ways, with the answer", application, "B", goal: 200)
        report.add("one leaf: the same with TLS records", withTLS, "B", goal: 200)
        report.add("one leaf: TLS records", records, "")
        report.add("one leaf: save at A -> at B", sync, "ms")
        report.add("one leaf: parse of the file twice", parse, "ms")
        report.add("one leaf: ratio of the medians", sync.median / parse.median, "x", goal: 3)
        report.add("one leaf: ratio, save by save", ratio, "x")
        report.add("one leaf: processor time of both agents", work, "ms")
        report.add("one leaf: processor time of parsing twice", parseWork, "ms")
        report.add("one leaf: ratio of processor times", work.median / parseWork.median, "x", goal: 3)
        report.add("large: add at A, restore at B, all there", first * 1_000, "ms")
        report.add("large: bytes for all of it", Double(whole.application), "B")
        report.add("large: memory of A", Double(Kernel.status(stage.a.pid, "VmRSS")) / 1_024, "MB")
        report.add("large: memory of B", Double(Kernel.status(stage.b.pid, "VmRSS")) / 1_024, "MB")
    }

    private static func parsed(_ bytes: [UInt8]) throws -> Double {
        let start = seconds()
        let document = try JSONDocument(parsing: bytes)
        let time = seconds() - start
        guard document.count(document.root) > 0 else { throw Trouble("the save is empty") }
        return time
    }
}
