/// Whether other processes opened a file to read it.
package enum FileOpens: Hashable, Sendable {
    /// Nobody watched, or not all the time.
    case unknown
    /// Nobody opened it.
    case none
    /// Somebody did: a game, or an indexer, a backup tool, an editor.
    case seen

    /// Of two spans of time, both.
    package func and(_ other: FileOpens) -> FileOpens {
        switch (self, other) {
        case (.seen, _), (_, .seen): .seen
        case (.unknown, _), (_, .unknown): .unknown
        case (.none, .none): .none
        }
    }
}

/// Sees which files other processes open for reading.
///
/// What a game cannot have read it does not count from; so whoever conforms must never answer `.none` where a process
/// may have read the file: with lost events, or a folder that was not watched from the moment of the last question on,
/// the answer is `.unknown`. Opens by this process are no opens, and a file that is opened to be written alone is not
/// read.
package protocol OpenWatch: Sendable {
    /// Watches exactly these paths from now on.
    func watch(_ paths: Set<String>)

    /// Whether the file at a path was opened since this was asked last. Everything that happened before the call
    /// counts, also a moment before it.
    func opens(of path: String) -> FileOpens
}

/// Where nobody watches.
package struct NoOpenWatch: OpenWatch {
    package init() {}
    package func watch(_ paths: Set<String>) {}
    package func opens(of path: String) -> FileOpens { .unknown }
}
