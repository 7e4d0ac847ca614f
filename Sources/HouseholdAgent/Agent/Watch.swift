import ProfileKeeping

/// What the agent waits for with one profile's file.
struct Watch {
    /// Milliseconds between two looks at every file, in case events were lost.
    static let rescanInterval: Int64 = 30_000
    /// Milliseconds after which a file that is gone is written again. Games that delete before they write need less.
    static let absenceGrace: Int64 = 10_000
    /// Milliseconds before a failed write is tried again.
    static let retryInterval: Int64 = 5_000

    var settling = FileSettling()
    /// Whether the folder's watch has told of what is to be looked at. What was found otherwise was written where
    /// nobody sees who opens files: on another machine that shares the folder, or while the watch was blind.
    var isHeard = false
    /// When the file was first found missing.
    var missingSince: Int64?
    /// When to try a projection again that failed.
    var retryAt: Int64?

    var deadline: Int64? {
        // What failed is tried again at its own time, however long the file has been missing.
        [settling.deadline, retryAt ?? missingSince.map { $0 + Self.absenceGrace }].compactMap { $0 }.min()
    }
}
