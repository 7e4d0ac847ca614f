/// Why the control interface cannot be served.
package struct ControlServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The socket's path is longer than the system takes, or not absolute.
        case unusablePath
        /// Others could get at the socket's folder, or it cannot be made.
        case unsafeFolder
        /// Another agent answers on the socket, or is just starting there.
        case alreadyRunning
        /// The socket cannot be made.
        case socket
    }

    package let reason: Reason
    /// One sentence: what, where, what to do.
    package let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    package var description: String { message }
}
