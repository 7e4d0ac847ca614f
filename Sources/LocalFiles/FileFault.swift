/// The error of one system call on a file: which call failed, and with which code (`errno`).
///
/// It has no message for the user; the caller adds one, because it knows what the call was for.
package struct FileFault: Error, Hashable, Sendable {
    /// The call that failed.
    package enum Call: Sendable {
        case open, status, read, write, setMode, setAttribute, sync, close, lock, link, rename
        /// Opening or syncing the folder around a file whose name is to be durable.
        case openFolder, syncFolder
    }

    package var call: Call
    package var code: Int32

    package init(_ call: Call, code: Int32) {
        self.call = call
        self.code = code
    }
}
