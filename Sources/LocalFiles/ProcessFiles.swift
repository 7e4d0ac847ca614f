#if os(Linux)
    import Libc

    /// Reads the files below `/proc` in which Linux describes processes, see proc(5). A process that has ended has none,
    /// and some of those of other users cannot be read; both look as if they were empty.
    package enum ProcessFiles {
        /// The ids of all processes, mostly the newest ones first.
        package static func ids() -> [Int32] {
            guard let folder = opendir("/proc") else { return [] }
            defer { closedir(folder) }
            var ids: [Int32] = []
            while let entry = readdir(folder) {
                // Only names that begin with a digit: most entries there are processes.
                guard entry.pointee.d_name.0 >= 0x30, entry.pointee.d_name.0 <= 0x39 else { continue }
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                if let id = Int32(name) { ids.append(id) }
            }
            return ids.sorted(by: >)
        }

        /// A file of a process, such as `status`; its first bytes where it has more than the limit.
        package static func read(_ name: String, of id: Int32, limit: Int = 4_096) -> [UInt8] {
            guard let file = try? Descriptor("/proc/\(id)/\(name)", O_RDONLY) else { return [] }
            var bytes: [UInt8] = []
            while bytes.count < limit {
                let size = min(limit - bytes.count, 16_384)
                guard let part = try? file.readStart(size, from: bytes.count) else { break }
                bytes += part
                if part.count < size { break }
            }
            return bytes
        }

        /// The fields of `stat` from the third one on: the state, then the parent. So the field that the manual calls
        /// the 22nd is at 19 here.
        package static func stat(of id: Int32) -> [ArraySlice<UInt8>] {
            let fields = read("stat", of: id)
            // The second field is the name in parentheses, and may hold anything, so the last parenthesis counts.
            guard let end = fields.lastIndex(of: UInt8(ascii: ")")) else { return [] }
            return fields[(end + 1)...].split(separator: UInt8(ascii: " "))
        }

        /// Where a link below `/proc` leads.
        package static func target(of path: String) -> String? {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
                let count = readlink(path, buffer.baseAddress!, buffer.count)
                guard count > 0 else { return nil }
                return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
    }
#endif
