package import ProfileKeeping

/// The system's way to see who opens files.
package enum SystemOpens {
    /// macOS tells of opens to nobody but its own security extensions, so nothing is known there.
    package static func watch() -> any OpenWatch {
        #if os(Linux)
            FanotifyOpens()
        #else
            NoOpenWatch()
        #endif
    }
}
