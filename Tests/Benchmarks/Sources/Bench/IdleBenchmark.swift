import Glibc

/// Two linked agents with three profiles that nobody plays.
enum IdleBenchmark {
    static func run(_ report: inout Report, folder: String, hearth: String, length: Double) throws {
        let stage = try Stage(in: folder, hearth: hearth, withRelay: true)
        defer { stage.stop() }
        for name in ["one", "two", "three"] { _ = try stage.share(name, Save(sections: 10, leaves: 60).bytes) }
        stage.relay!.waitForQuiet(2)
        usleep(3_000_000)
        let (bytes, start) = (stage.relay!.count, seconds())
        let agents = [stage.a.pid, stage.b.pid]
        let before = agents.map(Kernel.usage)
        usleep(UInt32(length * 1e6))
        let after = agents.map(Kernel.usage)
        let minutes = (seconds() - start) / 60
        let passed = stage.relay!.count - bytes
        report.title("3. Two linked agents with three profiles, idle for \(Report.text(length)) s")
        for (index, name) in ["A", "B"].enumerated() {
            let (from, to) = (before[index], after[index])
            let goal = name == "A" ? 0.055 / 3 : nil
            report.add(
                "idle \(name): processor seconds a minute",
                (to.seconds - from.seconds) / minutes,
                "s",
                goal: goal
            )
            report.add("idle \(name): wake-ups a minute", Double(to.switches - from.switches) / minutes, "")
            report.add(
                "idle \(name): memory", Double(Kernel.status(agents[index], "VmRSS")) / 1_024, "MB",
                goal: name == "A" ? 15 : nil)
            report.add("idle \(name): of that its own", Double(Kernel.status(agents[index], "RssAnon")) / 1_024, "MB")
            report.add("idle \(name): threads", Double(Kernel.status(agents[index], "Threads")), "")
        }
        report.add("idle link: bytes a minute", Double(passed.application) / minutes, "B", goal: 433)
        report.add("idle link: with TLS records", Double(passed.withTLS) / minutes, "B", goal: 433)
    }
}
