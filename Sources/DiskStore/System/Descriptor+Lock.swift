import Libc

/// A lock on a folder (`flock`): games built with the library, and the agent, replace a save in it one at a time.
///
/// On a file system without locks every writer may go on. Then the file at the path has to be checked before and after.
extension Descriptor {
    /// Waits for the lock. Closing the descriptor releases it.
    func lock() { while flock(number, LOCK_EX) != 0, errno == EINTR {} }

    /// Tries to take the lock for a tenth of a second, for a caller that must not wait for a game that hangs. Returns
    /// false where the lock is still held then.
    func lockShortly() -> Bool {
        for _ in 0..<50 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
            usleep(2_000)
        }
        return false
    }

    func unlock() { flock(number, LOCK_UN) }
}
