#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Who may replace a save in a folder: games built on the library and the agent, one at a time (flock on the folder).
///
/// Where a file system knows no locks everybody may; then what stands at the path has to be looked at before and after.
extension Descriptor {
    /// Waits for the lock, which is let go of when the descriptor is closed.
    func lock() { while flock(number, LOCK_EX) != 0, errno == EINTR {} }

    /// The same for whoever must not wait for a game that hangs: false where it is not free within a tenth of a second.
    func lockShortly() -> Bool {
        for _ in 0..<50 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
            usleep(2_000)
        }
        return false
    }

    func unlock() { flock(number, LOCK_UN) }
}
