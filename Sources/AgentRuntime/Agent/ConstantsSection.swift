#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Libc

    /// The constants of the program (its section `.rodata`), where the linker has put them among what can be written.
    ///
    /// Swift's compiler marks constants that contain addresses as writable, and one such is enough: the linker then puts
    /// all constants, those of every C library too, into the part of the program that is for variables. Nothing writes
    /// there, so here they become what they are.
    enum ConstantsSection {
        /// Where they are in memory, in whole pages, once nobody can write to them any more; `nil` where the linker has
        /// put them elsewhere, or where somebody has written to them.
        static let readOnly: Range<UInt>? = {
            guard let section = find(in: "/proc/self/exe") else { return nil }
            let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let start = (UnusedPages.programBase + section.lowerBound + page - 1) / page * page
            let end = (UnusedPages.programBase + section.upperBound) / page * page
            guard start < end, let pointer = UnsafeMutableRawPointer(bitPattern: start),
                mprotect(pointer, Int(end - start), PROT_READ) == 0
            else { return nil }
            if isUntouched(start..<end) { return start..<end }
            mprotect(pointer, Int(end - start), PROT_READ | PROT_WRITE)
            return nil
        }()

        /// The addresses of the section, from where the program is loaded on; `nil` where it cannot be written to anyway.
        static func find(in path: String) -> Range<UInt>? {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            // An ELF file says at its start where its sections are listed, and in which of them their names are.
            guard let header = read(file, at: 0, 64), header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else {
                return nil
            }
            let (table, size) = (number(header, 40, 8), number(header, 58, 2))
            let (count, names) = (number(header, 60, 2), number(header, 62, 2))
            guard size == 64, names < count, let sections = read(file, at: table, count * size) else { return nil }
            func field(_ section: UInt, _ offset: UInt, _ bytes: UInt = 8) -> UInt {
                number(sections, section * size + offset, bytes)
            }
            let (namesStart, namesSize) = (field(names, 24), field(names, 32))
            guard namesSize < 1 << 20, let text = read(file, at: namesStart, namesSize) else { return nil }
            for section in 0..<count {
                let name = Int(field(section, 0, 4))
                guard name < text.count, text[name...].starts(with: ".rodata\0".utf8) else { continue }
                // SHF_WRITE
                guard field(section, 8) & 1 != 0 else { return nil }
                let (address, length) = (field(section, 16), field(section, 32))
                return address < 1 << 40 && length < 1 << 40 ? address..<address + length : nil
            }
            return nil
        }

        private static func read(_ file: Int32, at place: UInt, _ count: UInt) -> [UInt8]? {
            guard place < 1 << 40, count < 1 << 30 else { return nil }
            var bytes = [UInt8](repeating: 0, count: Int(count))
            return pread(file, &bytes, bytes.count, off_t(place)) == bytes.count ? bytes : nil
        }

        private static func number(_ bytes: [UInt8], _ place: UInt, _ count: UInt) -> UInt {
            (0..<Int(count)).reduce(0) { $0 | UInt(bytes[Int(place) + $1]) << UInt(8 * $1) }
        }

        /// Whether all that is in memory there is as it is in the file. The kernel lists the range as one mapping, because
        /// its rights differ from those of its neighbours.
        private static func isUntouched(_ range: Range<UInt>) -> Bool {
            let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            var text: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Libc.read(file, &part, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                text += part.prefix(count)
            }
            let head = "\(String(range.lowerBound, radix: 16))-\(String(range.upperBound, radix: 16)) r--p"
            let lines = text.split(separator: UInt8(ascii: "\n"))
            guard let first = lines.firstIndex(where: { $0.starts(with: head.utf8) }),
                let anonymous = lines[first...].first(where: { $0.starts(with: "Anonymous:".utf8) })
            else { return false }
            return anonymous.filter { (0x30...0x39).contains($0) } == [0x30]
        }
    }
#endif
