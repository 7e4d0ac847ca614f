#if canImport(Darwin)
    import Darwin
    import DiskStore
    import MergeCore

    // Written for macOS, and not run there yet. Command lines of other processes are not read.
    extension SystemProcesses {
        static func processes() -> [Found] {
            let room = proc_listallpids(nil, 0)
            guard room > 0 else { return [] }
            var ids = [pid_t](repeating: 0, count: Int(room) + 64)
            let count = proc_listallpids(&ids, Int32(ids.count * MemoryLayout<pid_t>.size))
            guard count > 0 else { return [] }
            let user = getuid()
            return ids.prefix(Int(count)).compactMap { id in
                var information = proc_bsdinfo()
                let size = Int32(MemoryLayout<proc_bsdinfo>.size)
                guard id != getpid(), proc_pidinfo(id, PROC_PIDTBSDINFO, 0, &information, size) == size,
                    information.pbi_uid == user
                else { return nil }
                var path = [CChar](repeating: 0, count: 4_096)
                guard proc_pidpath(id, &path, UInt32(path.count)) > 0 else { return nil }
                let word = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                let date = Int64(information.pbi_start_tvsec) * 1_000 + Int64(information.pbi_start_tvusec) / 1_000
                let start = UserProcesses.start(noted: WallTime(milliseconds: date))
                return Found(names: UserProcesses.names(executable: word, words: [])) { start }
            }
        }
    }
#endif
