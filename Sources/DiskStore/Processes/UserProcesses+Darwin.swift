#if canImport(Darwin)
    import Darwin
    package import MergeCore
    package import ProfileKeeping
    import Synchronization

    // Written for macOS from its headers, and not run there yet. The command line of other processes is not read there,
    // so a process of an interpreter has no program.
    extension UserProcesses {
        /// The time on the monotonic clock at which a process was started. The system has recorded the date of that
        /// moment. The distance between the wall clock and the monotonic one may have changed since; this process uses
        /// the largest one that it has seen. So a process never seems younger than it is, even if the clock was set
        /// back since.
        package static func start(noted date: WallTime) -> MonotonicTime {
            let now = Moment.now
            let ahead = now.wall.milliseconds - now.monotonic.milliseconds
            let most = mostAhead.withLock { most in
                most = max(most, ahead)
                return most
            }
            return min(MonotonicTime(milliseconds: date.milliseconds - most), now.monotonic)
        }

        private static let mostAhead = Mutex(Int64.min)

        package static func oldest(of programs: Set<Program>) -> [Program: SeenProcess] {
            guard !programs.isEmpty else { return [:] }
            var result: [Program: SeenProcess] = [:]
            for id in ids() {
                guard let found = seen(id), let program = found.program, programs.contains(program) else { continue }
                if found.start < result[program]?.start ?? .max { result[program] = found }
            }
            return result
        }

        package static func writers(in folders: Set<String>) -> [WrittenFile] {
            let spelled = byRealPath(folders)
            let own = path(getpid())
            for id in ids() where id != getpid() {
                let names = written(by: id, in: spelled)
                guard !names.isEmpty, let process = seen(id), path(id) != own else { continue }
                return names.map { WrittenFile(folder: $0.folder, name: $0.name, process: process) }
            }
            return []
        }

        private static func written(by id: Int32, in folders: [String: [String]]) -> [(folder: String, name: String)] {
            let size = proc_pidinfo(id, PROC_PIDLISTFDS, 0, nil, 0)
            guard size > 0 else { return [] }
            var files = [proc_fdinfo](repeating: proc_fdinfo(), count: Int(size) / MemoryLayout<proc_fdinfo>.stride)
            let room = Int32(files.count * MemoryLayout<proc_fdinfo>.stride)
            let filled = proc_pidinfo(id, PROC_PIDLISTFDS, 0, &files, room)
            guard filled > 0 else { return [] }
            var found: [(folder: String, name: String)] = []
            for file in files.prefix(Int(filled) / MemoryLayout<proc_fdinfo>.stride)
            where file.proc_fdtype == UInt32(PROX_FDTYPE_VNODE) {
                var information = vnode_fdinfowithpath()
                let size = Int32(MemoryLayout<vnode_fdinfowithpath>.size)
                guard proc_pidfdinfo(id, file.proc_fd, PROC_PIDFDVNODEPATHINFO, &information, size) == size,
                    information.pfi.fi_openflags & UInt32(FWRITE) != 0
                else { continue }
                let target = withUnsafePointer(to: &information.pvip.vip_path) {
                    $0.withMemoryRebound(to: CChar.self, capacity: Int(MAXPATHLEN)) { String(cString: $0) }
                }
                let (folder, name) = ProfilePlace.split(target)
                for spelling in folders[folder] ?? [] { found.append((spelling, name)) }
            }
            return found
        }

        /// The processes of this user, the newest ones mostly first.
        private static func ids() -> [Int32] {
            let room = proc_listpids(UInt32(PROC_UID_ONLY), getuid(), nil, 0)
            guard room > 0 else { return [] }
            var ids = [pid_t](repeating: 0, count: Int(room) / MemoryLayout<pid_t>.size + 64)
            let size = Int32(ids.count * MemoryLayout<pid_t>.size)
            let filled = proc_listpids(UInt32(PROC_UID_ONLY), getuid(), &ids, size)
            guard filled > 0 else { return [] }
            return ids.prefix(Int(filled) / MemoryLayout<pid_t>.size).filter { $0 > 0 }.sorted(by: >)
        }

        package static func seen(_ id: Int32) -> SeenProcess? {
            var information = proc_bsdinfo()
            let size = Int32(MemoryLayout<proc_bsdinfo>.size)
            guard proc_pidinfo(id, PROC_PIDTBSDINFO, 0, &information, size) == size, let path = path(id) else {
                return nil
            }
            let date = Int64(information.pbi_start_tvsec) * 1_000 + Int64(information.pbi_start_tvusec) / 1_000
            let start = start(noted: WallTime(milliseconds: date))
            return SeenProcess(id: id, start: start, program: Program(executable: path))
        }

        private static func path(_ id: Int32) -> String? {
            var path = [CChar](repeating: 0, count: 4_096)
            guard proc_pidpath(id, &path, UInt32(path.count)) > 0 else { return nil }
            return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
#endif
