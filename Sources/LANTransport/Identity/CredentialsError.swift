/// The error that the device's key cannot be used: one sentence for the user, and a code for the program.
package struct CredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable {
        private enum Kind: Hashable { case openToOthers, unreadable, notAKey, cannotCreate }
        private let kind: Kind

        /// Group or others have rights on the private key file.
        package static let openToOthers = Self(kind: .openToOthers)
        /// The key file exists and cannot be read.
        package static let unreadable = Self(kind: .unreadable)
        /// The key file holds no P-256 private key.
        package static let notAKey = Self(kind: .notAKey)
        /// No key file can be made in the folder.
        package static let cannotCreate = Self(kind: .cannotCreate)
    }

    package let code: Code
    /// One sentence: what, where, what to do.
    package let message: String

    package var description: String { message }
}
