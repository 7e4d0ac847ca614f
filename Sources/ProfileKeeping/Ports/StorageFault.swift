/// The reason why a file or the record cannot be read or written: one sentence that says what, where and what to do.
package struct StorageFault: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// There is a folder, FIFO, socket or device at the path.
        case notAFile
        /// Permission denied.
        case denied
        /// Over the limit.
        case tooLarge
        /// The disk is full or the quota is used up.
        case noSpace
        /// The target has a second name (a hard link or a bind mount). Replacing it would separate it from that name.
        case shared
        /// The path has changed: for example, a rename that must not replace a file found one.
        case changed
        /// The record failed: nothing of the transaction is stored.
        case record
        /// A newer version of Hearth wrote it; nothing was touched.
        case tooNew
        /// A backup does not hold any more what was written into it.
        case damaged
        /// A backup is encrypted and its key is not here.
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
