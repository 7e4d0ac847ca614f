#if os(Linux)
    import Glibc

    /// One event in the kernel's form: a fixed head, then the name padded with zeros.
    struct InotifyEvent {
        var watch: Int32
        var mask: UInt32
        /// The number that connects the two events of one rename; 0 for every other event.
        var cookie: UInt32
        /// Empty where the event is about the folder itself.
        var name: String

        private static let head = 16

        /// The events in the bytes of one read.
        static func all(in buffer: UnsafeRawBufferPointer) -> [InotifyEvent] {
            var events: [InotifyEvent] = []
            var start = 0
            while start + head <= buffer.count {
                let length = Int(buffer.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                guard length <= buffer.count - start - head else { break }
                let name = buffer[(start + head)..<(start + head + length)].prefix { $0 != 0 }
                events.append(
                    InotifyEvent(
                        watch: buffer.loadUnaligned(fromByteOffset: start, as: Int32.self),
                        mask: buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                        cookie: buffer.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self),
                        name: String(decoding: name, as: UTF8.self)))
                start += head + length
            }
            return events
        }

        /// The cookies of Hearth's own swaps: events of files that it moved away from a name to which it moved another file.
        /// The file that came has an event of its own, so the one that went need not be reported.
        static func swappedAway(in events: [InotifyEvent]) -> Set<UInt32> {
            let (from, to) = (UInt32(IN_MOVED_FROM), UInt32(IN_MOVED_TO))
            let own = Set(events.filter { $0.mask & to != 0 && $0.name.hasPrefix(".hearth-") }.map(\.cookie))
            let swapped = events.filter { gone in
                gone.mask & from != 0 && own.contains(gone.cookie)
                    && events.contains { $0.mask & to != 0 && $0.watch == gone.watch && $0.name == gone.name }
            }
            return Set(swapped.map(\.cookie))
        }
    }
#endif
