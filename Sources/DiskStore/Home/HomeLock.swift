import Libc
import LocalFiles
package import ProfileKeeping

/// A lock that marks a home as used by an agent, or by a command that answers itself. Two at once would write to the same
/// record.
///
/// It is a lock of the kernel (`flock` on `agent.lock`), so it ends with the process, however the process ends. It is
/// held while this value lives. The file says whose it is: `4711`, or `4711 command`.
package final class HomeLock: Sendable {
    /// The kind of program that holds a lock.
    package enum Holder: Hashable, Sendable {
        case agent
        /// A command without an agent, which is done in a moment.
        case command
    }

    private let file: Descriptor
    private let path: String

    /// How long a command may hold the lock while others wait for it.
    private static let patience = Duration.seconds(10)

    /// Takes the lock, once a command that holds it is done. Throws a sentence that names what holds it still.
    ///
    /// - Parameters:
    ///   - home: An existing folder; see ``HomeFolder/create(_:)``.
    ///   - holder: The kind of program that takes it.
    ///   - pause: The wait before the next try.
    package static func take(
        _ home: String, as holder: Holder,
        pause: () async throws -> Void = { try await Task.sleep(for: .milliseconds(20)) }
    ) async throws -> HomeLock {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try HomeLock(home: home, as: holder)
            } catch {
                guard Self.holder(of: home) == .command, .now < end else { throw error }
                try await pause()
            }
        }
    }

    /// Takes the lock. Throws a sentence that names what holds it.
    ///
    /// - Parameters:
    ///   - home: An existing folder; see ``HomeFolder/create(_:)``.
    ///   - holder: The kind of program that takes it.
    package init(home: String, as holder: Holder = .agent) throws(StorageFault) {
        let path = home + "/agent.lock"
        let file = try StorageFault.explaining("open", path) { () throws(FileFault) in
            try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        }
        // Whoever only asks, as `holder(of:)` does, has the lock for a moment.
        _ = file.lockShortly()
        do throws(FileFault) {
            try file.lockNow()
        } catch {
            guard error.code == EWOULDBLOCK else { throw StorageFault(error, "lock", path) }
            let who = Self.holder(file) == .agent ? "another agent" : "a command of hearth"
            throw StorageFault(
                .other,
                "\(who) (\(Self.owner(file))) uses this home (\(home)); stop it, or choose another with --home")
        }
        let text = Array((holder == .agent ? "\(getpid())\n" : "\(getpid()) command\n").utf8)
        _ = ftruncate(file.number, 0)
        _ = pwrite(file.number, text, text.count, 0)
        self.file = file
        self.path = path
    }

    /// Whether the file that was locked is still the one at its path. Where it is not, the home was deleted or put in
    /// another place, and another agent can begin there. A disk that does not answer for a moment shows neither.
    package var isInPlace: Bool {
        var (locked, present) = (stat(), stat())
        guard fstat(file.number, &locked) == 0 else { return true }
        guard stat(path, &present) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return locked.st_dev == present.st_dev && locked.st_ino == present.st_ino
    }

    // Closing alone would not do: a program that this process starts has its open files until it runs.
    deinit { file.unlock() }

    /// The kind of program that uses a home now; `nil` where none does.
    package static func holder(of home: String) -> Holder? {
        guard let file = try? Descriptor(home + "/agent.lock", O_RDONLY | O_NOFOLLOW) else { return nil }
        do throws(FileFault) {
            try file.lockNow()
            return nil
        } catch {
            return error.code == EWOULDBLOCK ? holder(file) : nil
        }
    }

    /// The process that uses a home, or was the last one to: `pid 4711`.
    package static func owner(of home: String) -> String {
        guard let file = try? Descriptor(home + "/agent.lock", O_RDONLY | O_NOFOLLOW) else { return "pid unknown" }
        return owner(file)
    }

    /// The kind of program that holds the lock of a file or, where nobody does, was the last to hold it.
    private static func holder(_ file: borrowing Descriptor) -> Holder {
        let text = String(decoding: (try? file.readStart(32)) ?? [], as: UTF8.self)
        return text.hasSuffix(" command\n") ? .command : .agent
    }

    private static func owner(_ file: borrowing Descriptor) -> String {
        let start = (try? file.readStart(24)) ?? []
        let text = String(decoding: start.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)
        return text.isEmpty ? "pid unknown" : "pid \(text)"
    }
}
