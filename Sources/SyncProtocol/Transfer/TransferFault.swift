/// Why a transfer file cannot be written or taken: one sentence.
package struct TransferFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// It does not begin as a transfer file.
        case foreign
        /// It is not what was written.
        case damaged
        /// A newer version of Hearth wrote it.
        case newer
        /// It is encrypted, or the passphrase is not the right one.
        case locked
        /// It holds more than is taken.
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
