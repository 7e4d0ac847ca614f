package import ProfileKeeping

/// Chooses the system's way to see which files other processes open.
package enum SystemOpens {
    /// macOS reports opens to its own security extensions only, so there every open is unknown.
    package static func watch() -> any OpenWatch {
        #if os(Linux)
            FanotifyOpens()
        #else
            NoOpenWatch()
        #endif
    }
}
