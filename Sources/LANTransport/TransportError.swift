/// Why the transport cannot listen: one sentence for a person, and a code for the program.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        private enum Kind: Hashable { case portInUse, notPermitted, addressUnavailable, badAddress, shutDown, other }
        private let kind: Kind

        /// Another program listens on the port.
        package static let portInUse = Self(kind: .portInUse)
        /// This user is not allowed to listen on the port.
        package static let notPermitted = Self(kind: .notPermitted)
        /// No interface of this device has the address.
        package static let addressUnavailable = Self(kind: .addressUnavailable)
        /// The host is no numeric address.
        package static let badAddress = Self(kind: .badAddress)
        /// The transport is already shut down.
        package static let shutDown = Self(kind: .shutDown)
        /// Anything else; the message has the system's words.
        package static let other = Self(kind: .other)
    }

    package let code: Code
    /// One sentence: what is wrong, where, and what to do.
    package let message: String

    package var description: String { message }
}
