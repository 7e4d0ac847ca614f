import Libc
import LocalFiles

/// Ends this process when its standard input does, so that an agent that another process started never outlives it,
/// however that one ended: the system closes the pipe.
enum InputWatch {
    /// Seconds a clean stop may take.
    private static let patience: UInt32 = 6

    /// Starts a thread that sleeps in `read`. At the end of input it sends SIGTERM to this process, and ends it for
    /// good where it did not stop in time.
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
