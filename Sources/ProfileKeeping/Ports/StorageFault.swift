/// Why a file or the record cannot be read or written: one sentence that says what, where and what to do.
package struct StorageFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// A folder, FIFO, socket or device stands at the path.
        case notAFile
        /// Permission denied.
        case denied
        /// Over the limit.
        case tooLarge
        /// The disk is full or the quota is used up.
        case noSpace
        /// A hard-linked or bind-mounted target: replacing it would part it from its other names.
        case shared
        /// The path no longer is what it was (a rename that must not replace met a file).
        case changed
        /// The record failed: nothing of the transaction is stored.
        case record
        /// A newer version of Hearth wrote it; nothing was touched.
        case tooNew
        /// A backup that does not hold any more what was written into it.
        case damaged
        /// An encrypted backup whose key is not here.
        case locked
        case other
    }

    package var reason: Reason
    package var message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    package var description: String { message }
}
