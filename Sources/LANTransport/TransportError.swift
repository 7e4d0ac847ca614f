/// The error that the transport could not begin to listen: one sentence for the user, and a code for the program.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable {
        private enum Kind: Hashable { case portInUse, notPermitted, addressUnavailable, badAddress, shutDown, other }
        private let kind: Kind

        /// Another program listens on the port.
        package static let portInUse = Self(kind: .portInUse)
        /// The system does not let this user listen on the port.
        package static let notPermitted = Self(kind: .notPermitted)
        /// This device has no interface with the address.
        package static let addressUnavailable = Self(kind: .addressUnavailable)
        /// The host is not a numeric address.
        package static let badAddress = Self(kind: .badAddress)
        /// The transport is already shut down.
        package static let shutDown = Self(kind: .shutDown)
        /// Anything else; the message holds the system's words.
        package static let other = Self(kind: .other)
    }

    package let code: Code
    /// One sentence: what, where, what to do.
    package let message: String

    package var description: String { message }
}
