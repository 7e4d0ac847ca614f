import Libc

/// A lock of the kernel on an open file or folder (`flock`). It ends when the descriptor is closed, however the process
/// ends.
///
/// Games built with the library and the agent lock the folder of a save while they replace the save, so that they do it
/// one at a time. On a file system without locks every writer may go on. Then the file at the path has to be checked
/// before and after.
extension Descriptor {
    /// Waits for the lock.
    package func lock() { while flock(number, LOCK_EX) != 0, errno == EINTR {} }

    /// Takes the lock, or throws at once: EWOULDBLOCK if another process holds it.
    package func lockNow() throws(FileFault) {
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw FileFault(.lock, code: errno) }
    }

    /// Tries to take the lock for a tenth of a second, for a caller that must not wait for a game that hangs. Returns
    /// false if the lock is still held then.
    package func lockShortly() -> Bool {
        for _ in 0..<50 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
            usleep(2_000)
        }
        return false
    }

    package func unlock() { flock(number, LOCK_UN) }
}
