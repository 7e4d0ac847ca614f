#if os(Linux) && (arch(x86_64) || arch(arm64))
    import CLinux
    import Libc

    /// Lets go of the pages of the program and its libraries that are in this process's memory, and of memory that was
    /// freed.
    ///
    /// A start touches most of what an agent ever runs, and much that it runs once. What is used again is found in the
    /// system's cache of the file, page by page, at the moment when it is used. Only parts of the files are let go that
    /// nobody can write to (code and constants), so nothing of this process is in them.
    package enum UnusedPages {
        package static func letGo() {
            guard let symbol = dlsym(nil, "dl_iterate_phdr") else { return }
            let iterate = unsafeBitCast(symbol, to: Iterate.self)
            // Under the lock of the loader, so no library is closed meanwhile.
            _ = iterate(visit, nil)
            if let constants = ConstantsSection.readOnly { letGo(constants) }
            malloc_trim(0)
        }

        /// The address at which the program itself is loaded.
        static var programBase: UInt {
            guard let symbol = dlsym(nil, "dl_iterate_phdr") else { return 0 }
            var base: UInt = 0
            // The first object is the program, and one is enough.
            let first: Visit = { object, _, base in
                base?.storeBytes(of: object?.load(as: UInt.self) ?? 0, as: UInt.self)
                return 1
            }
            _ = unsafeBitCast(symbol, to: Iterate.self)(first, &base)
            return base
        }

        private static let visit: Visit = { object, _, _ in
            guard let object else { return 0 }
            for part in parts(of: object) { letGo(part) }
            return 0
        }

        private typealias Visit =
            @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
        /// dl_iterate_phdr(3), which the headers declare only with _GNU_SOURCE.
        private typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32

        /// The addresses of the parts of a loaded object that are mapped from its file and cannot be written to.
        ///
        /// - Parameter object: A `struct dl_phdr_info`: the address at which it is loaded, its name, its program headers
        ///   and their number. A header is an `Elf64_Phdr`.
        private static func parts(of object: UnsafeRawPointer) -> [Range<UInt>] {
            let base = object.load(as: UInt.self)
            guard let headers = object.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else { return [] }
            return (0..<Int(object.load(fromByteOffset: 24, as: UInt16.self))).compactMap { index in
                let header = headers + 56 * index
                let (kind, flags) = (header.load(as: UInt32.self), header.load(fromByteOffset: 4, as: UInt32.self))
                guard kind == 1, flags & 2 == 0 else { return nil }  // PT_LOAD without PF_W
                let start = base &+ header.load(fromByteOffset: 16, as: UInt.self)
                return start..<start + header.load(fromByteOffset: 40, as: UInt.self)
            }
        }

        private static func letGo(_ part: Range<UInt>) {
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let start = part.lowerBound / page * page
            guard let pointer = UnsafeMutableRawPointer(bitPattern: start) else { return }
            // The kernel refuses this for a part that is mapped from no file, such as the vDSO.
            _ = madvise(pointer, Int(part.upperBound - start), MADV_DONTNEED)
        }
    }
#endif
