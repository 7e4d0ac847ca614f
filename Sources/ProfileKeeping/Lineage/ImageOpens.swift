/// A record of which images that Hearth put into a file were opened by other processes while they were in the file, as
/// far as this process has seen. It is not stored: after a restart nothing is known of earlier images.
struct ImageOpens: Hashable, Sendable {
    /// Milliseconds for which an image must be in the file before it counts for ``tell``.
    static let standing: Int64 = 5_000
    /// The number of such images from which on ``tell`` can be true.
    static let enough = 3

    /// The opens of each later projection, in the order of `Lineage.placed`.
    private(set) var images: [FileOpens] = []
    /// The number of images that were in the file long enough and were watched (`stood`), and of those that were
    /// opened.
    private var stood = 0
    private var opened = 0

    init(count: Int = 0) { images = Array(repeating: .unknown, count: count) }

    /// Whether opens tell something: at least half of the images of this file were not opened. Then a process that
    /// opens one is likely to be its game, and no indexer.
    var tell: Bool { stood >= Self.enough && opened * 2 <= stood }

    /// Adds an image that was put into the file. Its opens are unknown until a call of ``noteSwap(_:)``.
    mutating func place() { images.append(.unknown) }

    mutating func dropFirst() { images.removeFirst() }

    /// Counts the newest image, which was in the file for `time` milliseconds. Called before another image replaces it
    /// or when the game has saved.
    mutating func leave(after time: Int64) {
        guard let last = images.last, last != .unknown, time >= Self.standing else { return }
        stood += 1
        if last == .seen { opened += 1 }
    }

    /// Forgets the earlier images after the game has saved, since they are no candidates any more.
    mutating func clear(keepingLast: Bool = false) { images = keepingLast ? Array(images.suffix(1)) : [] }

    /// Notes the opens since the last call, while the newest image was in the file.
    mutating func note(_ opens: FileOpens) {
        guard let last = images.last else { return }
        images[images.count - 1] = last.and(opens)
    }

    /// Notes the opens since the last call, in a time in which the newest image replaced the one before it.
    mutating func noteSwap(_ opens: FileOpens) {
        guard !images.isEmpty else { return }
        if images.count > 1 { images[images.count - 2] = images[images.count - 2].and(opens) }
        images[images.count - 1] = opens
    }
}
