/// Why the control interface cannot be served.
package struct ControlServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The path is too long for a socket, or not absolute.
        case unusablePath
        /// Other users can reach the socket's folder, or it cannot be made.
        case unsafeFolder
        /// Another agent answers on the socket, or is starting there.
        case alreadyRunning
        /// The socket cannot be made.
        case socket
    }

    package let reason: Reason
    /// One sentence: what is wrong, where, and what to do.
    package let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    package var description: String { message }
}
