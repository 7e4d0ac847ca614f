import Libc
package import ProfileKeeping

/// A lock that marks a home as used by an agent. Two agents at once would write to the same record.
///
/// It is a lock of the kernel (`flock` on `agent.lock`), so it ends with the process, however the process ends. It is
/// held while this value lives.
package final class HomeLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock. Throws a sentence that names the process which holds it.
    ///
    /// - Parameter home: An existing folder; see ``HomeFolder/create(_:)``.
    package init(home: String) throws(StorageFault) {
        let path = home + "/agent.lock"
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw StorageFault(code: errno, "open", path) }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let owner = Self.owner(number)
            close(number)
            guard code == EWOULDBLOCK else { throw StorageFault(code: code, "lock", path) }
            throw StorageFault(
                .other, "another agent (\(owner)) uses this home (\(home)); stop it, or choose another with --home")
        }
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(number, 0)
        _ = pwrite(number, text, text.count, 0)
        descriptor = number
    }

    deinit { close(descriptor) }

    private static func owner(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 24)
        let count = pread(number, &buffer, buffer.count, 0)
        let text = String(decoding: buffer.prefix(max(0, count)).prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)
        return text.isEmpty ? "pid unknown" : "pid \(text)"
    }
}
