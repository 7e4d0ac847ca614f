import Libc
import SaveOracle

/// Runs `hearth merge` as a player does: files in a folder, a process, what it prints.
final class MergeProgram: MergesCases {
    let program: String
    private let folder: String

    init(program: String) {
        self.program = program
        var template = Array("/tmp/hearth-oracle-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for slot in 0..<Self.atOnce {
            for name in ["rules", "base", "a", "b", "out0", "out1", "err0", "err1"] {
                unlink("\(folder)/\(name)\(slot)")
            }
        }
        rmdir(folder)
    }

    static let atOnce = 4

    func run(_ cases: [MergeCase]) -> [MergeOutcome] {
        precondition(cases.count <= Self.atOnce)
        let children = cases.enumerated().map { slot, item in start(item, slot) }
        return children.enumerated().map { slot, children in
            let codes = children.map { child -> Int32 in
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
            }
            return MergeOutcome(
                codes: codes,
                outputs: [0, 1].map { read("\(folder)/out\($0)\(slot)") },
                errors: [0, 1].map { read("\(folder)/err\($0)\(slot)") }
            )
        }
    }

    private func start(_ item: MergeCase, _ slot: Int) -> [pid_t] {
        func path(_ name: String) -> String { "\(folder)/\(name)\(slot)" }
        write(item.rules.yaml, path("rules"), time: 1_000)
        write(item.base.text(item.layout), path("base"), time: 1_000)
        write(item.a.text(item.layout), path("a"), time: item.timeA)
        write(item.b.text(item.layout), path("b"), time: item.timeB)
        return [("a", "b"), ("b", "a")].enumerated().map { order, files in
            spawn(
                ["merge", path(files.0), path(files.1), "--base", path("base"), "--rules", path("rules")],
                output: path("out\(order)"),
                errors: path("err\(order)")
            )
        }
    }

    private func spawn(_ arguments: [String], output: String, errors: String) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let variables = ["HEARTH_HOME=\(folder)/home", "PATH=/usr/bin:/bin"]
        var argv = (["hearth"] + arguments).map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawn(&child, program, &actions, nil, &argv, &environment)
        guard failure == 0 else { preconditionFailure("\(program) cannot be started: \(failure)") }
        return child
    }

    private func write(_ text: String, _ path: String, time: Int) {
        guard let file = fopen(path, "wb") else { preconditionFailure("\(path) cannot be written") }
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
        var times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, &times, 0)
    }

    private func read(_ path: String) -> String {
        guard let file = fopen(path, "rb") else { return "" }
        defer { fclose(file) }
        var (bytes, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }
}
