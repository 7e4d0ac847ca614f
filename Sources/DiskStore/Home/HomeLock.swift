import Libc
import LocalFiles
package import ProfileKeeping

/// A lock that marks a home as used by an agent. Two agents at once would write to the same record.
///
/// It is a lock of the kernel (`flock` on `agent.lock`), so it ends with the process, however the process ends. It is
/// held while this value lives.
package final class HomeLock: Sendable {
    private let file: Descriptor

    /// Takes the lock. Throws a sentence that names the process which holds it.
    ///
    /// - Parameter home: An existing folder; see ``HomeFolder/create(_:)``.
    package init(home: String) throws(StorageFault) {
        let path = home + "/agent.lock"
        let file = try StorageFault.explaining("open", path) { () throws(FileFault) in
            try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        }
        // Whoever only asks, as `isHeld` does, or answers a command without an agent, has the lock for a moment.
        _ = file.lockShortly()
        do throws(FileFault) {
            try file.lockNow()
        } catch {
            guard error.code == EWOULDBLOCK else { throw StorageFault(error, "lock", path) }
            throw StorageFault(
                .other,
                "another agent (\(Self.owner(file))) uses this home (\(home)); stop it, or choose another with --home")
        }
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(file.number, 0)
        _ = pwrite(file.number, text, text.count, 0)
        self.file = file
    }

    // Closing alone would not do: a program that this process starts has its open files until it runs.
    deinit { file.unlock() }

    /// Whether a process uses a home now.
    package static func isHeld(_ home: String) -> Bool {
        guard let file = try? Descriptor(home + "/agent.lock", O_RDONLY | O_NOFOLLOW) else { return false }
        do throws(FileFault) {
            try file.lockNow()
            return false
        } catch {
            return error.code == EWOULDBLOCK
        }
    }

    /// The process that uses a home, or was the last one to: `pid 4711`.
    package static func owner(of home: String) -> String {
        guard let file = try? Descriptor(home + "/agent.lock", O_RDONLY | O_NOFOLLOW) else { return "pid unknown" }
        return owner(file)
    }

    private static func owner(_ file: borrowing Descriptor) -> String {
        let start = (try? file.readStart(24)) ?? []
        let text = String(decoding: start.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)
        return text.isEmpty ? "pid unknown" : "pid \(text)"
    }
}
