/// The error of one system call on a file: which call failed, and with which code (`errno`).
///
/// It has no sentence. Whoever made the call knows what it was for, and makes one for the person whose file it is.
package struct FileFault: Error, Hashable, Sendable {
    /// What the call was to do.
    package enum Call: Sendable {
        case open, status, read, write, setMode, setAttribute, sync, close, lock, link, rename
        /// The same for the folder around a file whose name is to be durable.
        case openFolder, syncFolder
    }

    package var call: Call
    package var code: Int32

    package init(_ call: Call, code: Int32) {
        self.call = call
        self.code = code
    }
}
