#if os(Linux)
    import Glibc
    import LocalFiles
    package import MergeCore
    package import ProfileKeeping

    // `comm` is cut at 15 bytes, so names come from the executable's link and the command line.
    extension UserProcesses {
        /// Whether this user runs the process.
        package static func isOurs(_ id: Int32) -> Bool {
            let lines = ProcessFiles.read("status", of: id).split(separator: UInt8(ascii: "\n"))
            guard let line = lines.first(where: { $0.starts(with: "Uid:\t".utf8) }) else { return false }
            let fields = line.dropFirst(5).split(separator: UInt8(ascii: "\t"))
            return fields.first.flatMap { UInt32(String(decoding: $0, as: UTF8.self)) } == getuid()
        }

        /// The path of a process's executable; of this process if no id is given.
        package static func executable(_ id: Int32?) -> String? {
            guard let path = ProcessFiles.target(of: "/proc/\(id.map(String.init) ?? "self")/exe") else { return nil }
            // The kernel adds this suffix where an update has replaced the file of a running program.
            let gone = " (deleted)"
            return path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path
        }

        /// The first words of a process's command line.
        package static func words(_ id: Int32, limit: Int) -> [String] {
            ProcessFiles.read("cmdline", of: id).split(separator: 0, maxSplits: limit, omittingEmptySubsequences: false)
                .prefix(limit).map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
        }

        /// The start of a process; the same at every call. `nil` where the process has ended.
        package static func start(_ id: Int32) -> MonotonicTime? {
            // The 22nd field: ticks of the very clock that gives ``MonotonicTime/now``.
            let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
            guard perSecond > 0, let ticks = number(22, of: id) else { return nil }
            let (sinceBoot, overflow) = ticks.multipliedReportingOverflow(by: 1_000)
            guard !overflow else { return nil }
            return min(MonotonicTime(milliseconds: sinceBoot / perSecond), .now)
        }

        private static func parent(_ id: Int32) -> Int32? { number(4, of: id).flatMap { Int32(exactly: $0) } }

        /// A field of `stat`, counted from 1 as in the manual; only from the third one on.
        private static func number(_ field: Int, of id: Int32) -> Int64? {
            let fields = ProcessFiles.stat(of: id)
            return fields.count > field - 3 ? Int64(String(decoding: fields[field - 3], as: UTF8.self)) : nil
        }

        /// A process with its start and program; `nil` where it has ended.
        package static func seen(_ id: Int32) -> SeenProcess? {
            guard let start = start(id), let path = executable(id) else { return nil }
            let program = program(
                executable: path, words: words(id, limit: wordLimit), folder: ProcessFiles.target(of: "/proc/\(id)/cwd")
            )
            return SeenProcess(id: id, start: start, program: program)
        }

        /// The oldest process of each program that runs. One system call for each process of the machine.
        package static func oldest(of programs: Set<Program>) -> [Program: SeenProcess] {
            guard !programs.isEmpty else { return [:] }
            let executables = Set(programs.map(\.executable))
            var result: [Program: SeenProcess] = [:]
            for id in ProcessFiles.ids() {
                guard let path = executable(id), executables.contains(path), isOurs(id), let found = seen(id),
                    let program = found.program, programs.contains(program)
                else { continue }
                if found.start < result[program]?.start ?? .max { result[program] = found }
            }
            return result
        }

        /// The files in some folders that a process of this user has open for writing. Only those of the first process
        /// that has any; the newest processes are asked first. Hearth's own processes are left out.
        ///
        /// Costs for each process of this user: reading one folder, and two system calls for each file that it has open
        /// for writing; for other processes one system call. Measured: 4 ms for 100 processes with 640 open files,
        /// optimized.
        package static func writers(in folders: Set<String>) -> [WrittenFile] {
            let spelled = byRealPath(folders)
            let own = (id: getpid(), executable: executable(nil), user: geteuid())
            for id in ProcessFiles.ids() where id != own.id {
                var status = stat()
                guard stat("/proc/\(id)", &status) == 0, status.st_uid == own.user else { continue }
                var (writer, names) = (id, written(by: id, in: spelled))
                guard !names.isEmpty else { continue }
                // A child inherits the open files of its parent, so it may show as their holder as well.
                while let parent = parent(writer), parent != own.id {
                    let others = written(by: parent, in: spelled)
                    guard !others.isEmpty else { break }
                    (writer, names) = (parent, others)
                }
                guard let process = seen(writer), executable(writer) != own.executable else { continue }
                return names.map { WrittenFile(folder: $0.folder, name: $0.name, process: process) }
            }
            return []
        }

        private static func written(by id: Int32, in folders: [String: [String]]) -> [(folder: String, name: String)] {
            let place = "/proc/\(id)/fd"
            guard let stream = opendir(place) else { return [] }
            defer { closedir(stream) }
            var found: [(folder: String, name: String)] = []
            while let entry = readdir(stream) {
                let number = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                var status = stat()
                // The mode of the link itself tells what the file was opened for.
                guard number != ".", number != "..",
                    fstatat(dirfd(stream), number, &status, AT_SYMLINK_NOFOLLOW) == 0,
                    status.st_mode & S_IWUSR != 0, let target = ProcessFiles.target(of: "\(place)/\(number)"),
                    target.hasPrefix("/")
                else { continue }
                let (folder, name) = ProfilePlace.split(target)
                for spelling in folders[folder] ?? [] { found.append((spelling, name)) }
            }
            return found
        }
    }
#endif
