import MergeCore

/// The status of a profile's file.
package enum FileStatus: Hashable, Sendable {
    /// The file agrees with the record, or is about to.
    case good
    /// Nothing is at the path.
    case missing
    /// The file is of an earlier version than the rules. What is played is taken up, and nothing is written. The text
    /// says what to do.
    case behind(String)
    /// The file cannot be used as it is. The text says what is wrong, where, and what to do. With it the invalid file
    /// that is replaced after a while; `nil` where nothing is to be done about it by itself.
    case bad(String, InvalidFile? = nil)
    /// The file is no save, and a copy of it is in quarantine. The last good state replaces it as soon as the file may
    /// be written. The bytes are its content: a file with other content must not be overwritten.
    case quarantined([UInt8])

    /// The text of ``bad(_:_:)``, for messages and the log; `nil` in every other case.
    package var complaint: String? {
        guard case .bad(let why, _) = self else { return nil }
        return why
    }
}

/// An invalid file: one at a save's path that is no save, such as an empty file or half a file.
package struct InvalidFile: Hashable, Sendable {
    /// A fingerprint of its content.
    var print: [UInt8]
    /// The date of its last change on disk.
    var modified: WallTime
    /// The time when it was first seen with this content.
    var since: MonotonicTime
}

extension KeptProfile {
    /// The invalid file at the path, while nothing was done about it.
    var invalidFile: InvalidFile? {
        guard case .bad(_, let file) = status else { return nil }
        return file
    }

    /// The content at the path that is kept in quarantine and may be overwritten; `nil` for none.
    var quarantined: [UInt8]? {
        guard case .quarantined(let bytes) = status else { return nil }
        return bytes
    }
}
