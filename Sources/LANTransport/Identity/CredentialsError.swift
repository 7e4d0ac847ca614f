/// Why the device's key cannot be used: one sentence for a person, and a code for the program.
package struct CredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        private enum Kind: Hashable { case openToOthers, unreadable, notAKey, cannotCreate }
        private let kind: Kind

        /// The private key file gives rights to group or others.
        package static let openToOthers = Self(kind: .openToOthers)
        /// The key file exists but cannot be read.
        package static let unreadable = Self(kind: .unreadable)
        /// The key file holds no P-256 private key.
        package static let notAKey = Self(kind: .notAKey)
        /// No key file can be created in the folder.
        package static let cannotCreate = Self(kind: .cannotCreate)
    }

    package let code: Code
    /// One sentence: what is wrong, where, and what to do.
    package let message: String

    package var description: String { message }
}
