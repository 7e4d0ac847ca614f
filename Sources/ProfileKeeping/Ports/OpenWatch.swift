/// Whether other processes opened a file to read it.
package enum FileOpens: Hashable, Sendable {
    /// The file was not watched, or not for the whole time.
    case unknown
    /// No other process opened the file.
    case none
    /// A process opened the file, and then put another one in its place; no other one opened it. A game, mostly.
    case byWriter
    /// A process opened the file: a game, or an indexer, a backup tool, an editor.
    case seen

    /// The answer for two spans of time together.
    package func and(_ other: FileOpens) -> FileOpens {
        switch (self, other) {
        case (.seen, _), (_, .seen), (.byWriter, .unknown), (.unknown, .byWriter): .seen
        case (.unknown, _), (_, .unknown): .unknown
        case (.byWriter, _), (_, .byWriter): .byWriter
        case (.none, .none): .none
        }
    }

    /// The answer for whoever asks which process may have read the file, whatever it wrote.
    var byAnybody: FileOpens { self == .byWriter ? .seen : self }

    /// The answer for whoever asks what processes did that did not write the file.
    var byOthers: FileOpens { self == .byWriter ? .none : self }
}

/// A watch that sees which files other processes open for reading.
///
/// A save cannot be based on a snapshot that its game cannot have read. So a watch must never answer `.none` if a
/// process may have read the file. After lost events, or if a folder was not watched since the last call, the answer is
/// `.unknown`. Opens by this process do not count, and neither do opens for writing only.
package protocol OpenWatch: Sendable {
    /// Watches more paths, and others no more. Costs as much as those do, however many are watched already.
    func watch(_ paths: Set<String>, without gone: Set<String>)

    /// Watches nothing any more.
    func watchNothing()

    /// Whether the file at a path was opened since the last call for it. Everything that happened before this call
    /// counts, even a moment before.
    func opens(of path: String) -> FileOpens
}

/// A watch that watches nothing.
package struct NoOpenWatch: OpenWatch {
    package init() {}
    package func watch(_ paths: Set<String>, without gone: Set<String>) {}
    package func watchNothing() {}
    package func opens(of path: String) -> FileOpens { .unknown }
}
