import MergeCore

/// The status of a profile's file.
package enum FileStatus: Hashable, Sendable {
    /// The file agrees with the record, or soon will.
    case good
    /// Nothing is at the path.
    case missing
    /// The file is of this earlier version than the rules (`nil` if it states none). Saves of the game are read, and
    /// Hearth writes nothing.
    case behind(String?)
    /// The file cannot be used as it is. The text says what is wrong, where, and what to do.
    case bad(String)
    /// The file is no save, and a copy of it is in quarantine. The last good state replaces it as soon as the file may
    /// be written. A file with other content is not overwritten.
    case quarantined

    /// The text of ``bad(_:)``, for messages; `nil` in every other case. It may quote the file, so it is in no log.
    package var complaint: String? {
        guard case .bad(let why) = self else { return nil }
        return why
    }
}

/// An invalid file: one at a save's path that is no save, such as an empty file, half a file, or a whole one that is not
/// JSON.
package struct InvalidFile: Hashable, Sendable {
    /// A fingerprint of its content.
    var print: [UInt8]
    /// The date of its last change on disk.
    var modified: WallTime
    /// The time when it was first seen with this content.
    var since: MonotonicTime
    /// Whether it looks like a write that did not finish (`JSONSyntaxError.isUnfinished`). A whole file in a format that
    /// Hearth does not read may be one that its game reads, so it is replaced only when the player asks for it.
    var isUnfinished: Bool
}
