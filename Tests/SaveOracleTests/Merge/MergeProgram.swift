import Libc
import SaveOracle
import TestSupport

/// Runs `hearth merge` as a player does: files in a folder, a process, what it prints.
final class MergeProgram: MergesCases {
    let program: String
    private let folder = TemporaryFolder()

    init(program: String) { self.program = program }

    static let atOnce = 4

    func run(_ cases: [MergeCase]) -> [MergeOutcome] {
        precondition(cases.count <= Self.atOnce)
        let children = cases.enumerated().map { slot, item in start(item, slot) }
        return children.enumerated().map { slot, children in
            let codes = children.map { $0.waitForEnd() }
            return MergeOutcome(
                codes: codes,
                outputs: [0, 1].map { Disk.text(folder["out\($0)\(slot)"]) },
                errors: [0, 1].map { Disk.text(folder["err\($0)\(slot)"]) }
            )
        }
    }

    private func start(_ item: MergeCase, _ slot: Int) -> [ChildProcess] {
        func path(_ name: String) -> String { folder["\(name)\(slot)"] }
        func write(_ text: String, _ path: String, time: Int) {
            Disk.write(text, path)
            Disk.setTime(path, time)
        }
        write(item.rules.yaml, path("rules"), time: 1_000)
        write(item.base.text(item.layout), path("base"), time: 1_000)
        write(item.a.text(item.layout), path("a"), time: item.timeA)
        write(item.b.text(item.layout), path("b"), time: item.timeB)
        return [("a", "b"), ("b", "a")].enumerated().map { order, files in
            let arguments = ["merge", path(files.0), path(files.1), "--base", path("base"), "--rules", path("rules")]
            do {
                return try ChildProcess(
                    program, arguments, as: "hearth",
                    environment: ["HEARTH_HOME=\(folder["home"])", "PATH=/usr/bin:/bin"],
                    output: .file(path("out\(order)")), errors: .file(path("err\(order)")))
            } catch { preconditionFailure("\(error)") }
        }
    }
}
