import Libc
import LocalFiles

/// The folder of the control socket: private to its owner, and locked while a socket is made or removed in it.
///
/// The folder keeps other users out, because the socket's own mode does not: older BSDs ignore it, and the socket
/// exists for a moment before its mode can be set. The lock makes it safe to remove a socket on which no agent answers,
/// because an agent that makes a socket holds the lock until it listens.
final class SocketFolder: Sendable {
    private let path: SocketPath
    private let folder: Descriptor

    /// Makes the folder where it is missing, and removes the rights of group and others.
    init(of path: SocketPath) throws(ControlServerError) {
        self.path = path
        try Self.make(path.folder)
        try Self.checkOwner(path.folder)
        do throws(FileFault) {
            folder = try Descriptor(path.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw Self.fault(.unsafeFolder, "The folder \(path.folder) cannot be opened", error.code)
        }
        try Self.makePrivate(path.folder, folder)
    }

    /// Keeps other agents from making a socket here, until ``unlock()``.
    func lock() throws(ControlServerError) {
        guard (try? folder.lockNow()) != nil else {
            throw ControlServerError(
                .alreadyRunning,
                "Another agent is just starting in \(path.folder); try again in a moment."
            )
        }
    }

    func unlock() { folder.unlock() }

    /// Removes a socket on which no agent answers. Call it only with the lock held.
    func removeStaleSocket() throws(ControlServerError) {
        guard let facts = FileFacts(path.text) else { return }
        guard facts.kind == .socket else {
            throw ControlServerError(
                .socket,
                "\(path.text) is no socket, so the agent leaves it alone; move it away or choose another home."
            )
        }
        switch path.listener() {
        case .none:
            guard unlink(path.text) == 0 || errno == ENOENT else {
                throw Self.fault(.socket, "The stale control socket \(path.text) cannot be removed")
            }
        case .present:
            throw ControlServerError(
                .alreadyRunning,
                "An agent is running already and answers on \(path.text); stop it first."
            )
        case .unknown(let code):
            throw Self.fault(.socket, "Whether an agent answers on \(path.text) cannot be told", code)
        }
    }

    /// Makes a folder and its parents, all private. The recursion is short, because the path's length is limited.
    private static func make(_ folder: String) throws(ControlServerError) {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let parent = SocketPath(text: folder).folder
        guard errno == ENOENT, parent != folder else {
            throw fault(.unsafeFolder, "The folder \(folder) cannot be made")
        }
        try make(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw fault(.unsafeFolder, "The folder \(folder) cannot be made")
        }
    }

    private static func checkOwner(_ folder: String) throws(ControlServerError) {
        func refusal(_ sentence: String) -> ControlServerError { ControlServerError(.unsafeFolder, sentence) }
        guard let facts = FileFacts(folder) else { throw refusal("The folder \(folder) is out of reach.") }
        switch facts.kind {
        case .folder: break
        case .link: throw refusal("\(folder) is a symbolic link; the control socket needs a folder that is none.")
        case .socket, .other: throw refusal("\(folder) is no folder; move it away or choose another home.")
        }
        guard facts.owner == UInt(geteuid()) else {
            throw refusal(
                "The folder \(folder) of the control socket belongs to user "
                    + "\(facts.owner.map(String.init) ?? "unknown"), not to this one (\(geteuid())); remove it or "
                    + "choose another home."
            )
        }
        if facts.mode & 0o077 == 0 { return }
        // Removing everybody's rights to a shared folder (/tmp, or /run for root) would break other programs.
        guard facts.mode & 0o1000 == 0, SocketPath(text: folder).folder != "/" else {
            throw refusal("The folder \(folder) is shared by all users; the control socket needs one of its own.")
        }
    }

    /// Only the owner can change a mode, so this also holds the open folder against an exchange since the last check.
    private static func makePrivate(_ folder: String, _ opened: borrowing Descriptor) throws(ControlServerError) {
        guard (try? opened.setMode(0o700)) != nil, let facts = FileFacts(folder), facts.kind == .folder,
            facts.mode & 0o077 == 0
        else {
            throw ControlServerError(
                .unsafeFolder,
                "Other users can reach the folder \(folder) of the control socket, and that cannot be changed; "
                    + "choose a home on another file system."
            )
        }
    }

    private static func fault(
        _ reason: ControlServerError.Reason,
        _ what: String,
        _ code: Int32 = errno
    ) -> ControlServerError {
        ControlServerError(reason, "\(what): \(String(cString: strerror(code))).")
    }
}
