#if os(Linux)
    import CAvahiCore
    import Glibc

    /// Memory for Avahi's client libraries that holds zeros at first.
    ///
    /// Avahi 0.8 sets one callback of a new DNS-SD handle, the one that was asked for, and leaves the others as `malloc`
    /// gave them. When its daemon ends it calls the first that is not null, so whatever stood there before: the agent died
    /// of a segmentation fault. Its libraries take their memory from functions that can be replaced
    /// (avahi-common/malloc.h).
    enum ZeroedMemory {
        /// Not copied by Avahi, so it lives as long as the process. Nobody changes it once it is made.
        private nonisolated(unsafe) static let allocator: UnsafePointer<AvahiAllocator> = {
            let memory = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
            memory.initialize(
                to: AvahiAllocator(
                    malloc: { calloc(1, $0) }, free: { free($0) }, realloc: { realloc($0, $1) },
                    calloc: { calloc($0, $1) }))
            return UnsafePointer(memory)
        }()

        /// Has a library of Avahi, and all that it is linked to, take its memory from here. What it took before stays
        /// valid, because all of it is the C library's.
        static func serve(_ library: SharedLibrary) throws(BackendError) {
            let setAllocator: avahi_set_allocator_function = try library.function("avahi_set_allocator")
            setAllocator(allocator)
        }
    }
#endif
