import TestSupport

#if os(Linux)
    import Glibc

    /// Uses `strace` to list a program's system calls, to kill the program at one of them, or to let one fail.
    enum Strace {
        /// Every call that can change the disk. (The index of the write-ahead log is a shared mapping, so writing it is
        /// no call. SQLite rebuilds it where no other process has it open.)
        static let mutating = [
            "openat", "open", "creat", "mkdir", "mkdirat", "write", "pwrite64", "writev", "pwritev", "pwritev2",
            "ftruncate", "truncate", "fallocate", "copy_file_range", "sendfile", "fchmod", "fchmodat", "chmod",
            "fchown",
            "fchownat", "chown", "fsetxattr", "fremovexattr", "utimensat", "fsync", "fdatasync", "sync_file_range",
            "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "rmdir",
        ]

        /// What happens at a call.
        enum Injection: Hashable, Sendable {
            /// SIGKILL, before the call does anything.
            case kill
            /// The call does nothing and fails, once.
            case fail(Int32)
            /// The call fails, and so do all later calls of its kind.
            case failFromNowOn(Int32)
        }

        /// Whether this process is allowed to trace its children.
        static let isAllowed: Bool = {
            let command = ["strace", "-qq", "-o", "/dev/null", "true"]
            guard let probe = try? ChildProcess(command, in: "/", output: "/dev/null", errors: "/dev/null") else {
                return false
            }
            return probe.waitForEnd() == 0
        }()

        /// The words before a command that write its calls to a file.
        static func listing(into file: String) -> [String] {
            ["strace", "-f", "-qq", "-y", "-s", "16", "-o", file, "-e", "trace=" + mutating.joined(separator: ",")]
        }

        /// The words before a command that inject something at a call.
        ///
        /// Without the faster `--seccomp-bpf`: together with it, strace 6.1 injects no signals.
        static func injecting(_ injection: Injection, at point: CallPoint) -> [String] {
            let what =
                switch injection {
                case .kill: "signal=SIGKILL:when=\(point.number)"
                case .fail(let code): "error=\(name(code)):when=\(point.number)"
                case .failFromNowOn(let code): "error=\(name(code)):when=\(point.number)+"
                }
            return [
                "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(point.call)", "-e",
                "inject=\(point.call):\(what)",
            ]
        }

        static func name(_ code: Int32) -> String {
            switch code {
            case ENOSPC: "ENOSPC"
            case EIO: "EIO"
            case EROFS: "EROFS"
            case EACCES: "EACCES"
            default: preconditionFailure("no name for error \(code)")
            }
        }
    }

    /// One system call of a program that makes the same calls at every start.
    struct CallPoint: Hashable, Sendable, CustomStringConvertible {
        var call: String
        /// The number of the call among those of this name on its thread, from 1, as `strace` counts.
        var number: Int
        /// The arguments, for messages.
        var arguments: String

        var description: String { "\(call) \(number) (\(arguments))" }

        /// The calls of a listing that concern files under a folder. Of calls that open files, only those that may
        /// create one.
        static func all(in listing: String, under folder: String) -> [CallPoint] {
            let mutating = Set(Strace.mutating)
            var counts: [Substring: Int] = [:]
            var points: [CallPoint] = []
            for line in listing.split(separator: "\n") {
                // 1234 pwrite64(4</home/hearth.sqlite-wal>, "\0\0"..., 24, 32) = 24
                guard let paren = line.firstIndex(of: "("), let space = line[..<paren].lastIndex(of: " ") else {
                    continue
                }
                let call = line[line.index(after: space)..<paren]
                guard mutating.contains(String(call)) else { continue }
                // Counted for each thread and call.
                counts[line[..<paren], default: 0] += 1
                let number = counts[line[..<paren]]!
                let arguments = line[line.index(after: paren)...]
                guard arguments.contains(folder) else { continue }
                if call.hasPrefix("open"), !arguments.contains("O_CREAT") { continue }
                let told = arguments.split(separator: folder, omittingEmptySubsequences: false).joined()
                points.append(CallPoint(call: String(call), number: number, arguments: String(told.prefix(120))))
            }
            return points
        }
    }
#endif
