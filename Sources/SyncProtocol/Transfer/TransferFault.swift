/// The reason why a transfer file cannot be written or read, in one sentence.
package struct TransferFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The bytes are no transfer file, or not of the kind that was asked for. Also: there is nothing to export.
        case foreign
        /// The file is not as it was written.
        case damaged
        /// A newer version of Hearth wrote it.
        case newer
        /// The file is encrypted, or the passphrase is wrong.
        case locked
        /// The file holds more than is allowed, or the work with its passphrase needs more memory than there is.
        case tooLarge
    }

    package let reason: Reason
    package let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    static func damaged(_ what: String) -> TransferFault {
        TransferFault(
            .damaged,
            "the transfer file is damaged (\(what)); export the save again, or take another copy of the file"
        )
    }

    static func newer(_ what: String) -> TransferFault {
        TransferFault(
            .newer,
            "the transfer file was written by a newer version of Hearth (\(what)); update Hearth on this device"
        )
    }
}
