import Libc
import LocalFiles

/// Ends this process when its standard input ends. A parent that holds the other end of the pipe thereby takes its
/// agent with it, however the parent ends: the system closes the pipe.
enum InputWatch {
    /// How many seconds a clean stop may take.
    private static let patience: UInt32 = 6

    /// Starts a thread that blocks in `read`. At the end of the input it sends SIGTERM to this process, and kills it if
    /// it has not stopped in time.
    static func stopWhenInputEnds() {
        OwnThread.start { wait() }
    }

    private static func wait() {
        var byte: UInt8 = 0
        while true {
            let count = systemRead(STDIN_FILENO, &byte, 1)
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        kill(getpid(), SIGTERM)
        sleep(patience)
        _exit(ExitCodes.failed)
    }
}
