#if os(Linux)
    import Glibc

    /// The `strace` command: lists a program's system calls, ends it at one of them, or has one of them fail.
    enum Strace {
        /// Every call that can change what is on a disk. (The index of the write-ahead log is a shared mapping: what is
        /// written there is no call, and SQLite makes it anew when nobody else has it open.)
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
            /// The call does nothing and fails, this once.
            case fail(Int32)
            /// It fails, and so do all that follow of its kind.
            case failFromNowOn(Int32)
        }

        /// Whether this process may trace its children.
        static let isAllowed: Bool = {
            let command = ["strace", "-qq", "-o", "/dev/null", "true"]
            guard let probe = try? HearthProcess(command, in: "/", output: "/dev/null", errors: "/dev/null") else {
                return false
            }
            for _ in 0..<2_000 {
                if let code = probe.exitCode() { return code == 0 }
                usleep(1_000)
            }
            return false
        }()

        /// The words before a command that list its calls into a file.
        static func listing(into file: String) -> [String] {
            ["strace", "-f", "-qq", "-y", "-s", "16", "-o", file, "-e", "trace=" + mutating.joined(separator: ",")]
        }

        /// The words before a command that make something happen at a call.
        ///
        /// Without `--seccomp-bpf`, which would be faster: together with it, version 6.1 injects no signals.
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

    /// One system call of a program that makes the same ones at every start.
    struct CallPoint: Hashable, Sendable, CustomStringConvertible {
        var call: String
        /// Counts the calls of this name on the thread that makes it, from 1, which is how `strace` counts.
        var number: Int
        /// Its arguments, for people.
        var arguments: String

        var description: String { "\(call) \(number) (\(arguments))" }

        /// The calls of a listing that concern what lies under a folder; of those that open, only what may create.
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
                // Thread and call.
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
