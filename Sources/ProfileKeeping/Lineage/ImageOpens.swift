/// Which of the images that Hearth has put into a file were opened by other processes while they stood there, as far as
/// this process has seen. Not stored: after a restart nothing is known of earlier images.
struct ImageOpens: Hashable, Sendable {
    /// Milliseconds an image stands at least before it says anything about whether others open this file.
    static let standing: Int64 = 5_000
    /// Images after which it is known whether opens tell anything.
    static let enough = 3

    /// By later projection, as `Lineage.placed` has them.
    private(set) var images: [FileOpens] = []
    /// Images that stood a while and were watched, and how many of those were opened.
    private var stood = 0
    private var opened = 0

    init(count: Int = 0) { images = Array(repeating: .unknown, count: count) }

    /// Whether images of this file mostly stand unopened: then who opens one is likely to be its game, and no indexer.
    var tell: Bool { stood >= Self.enough && opened * 2 <= stood }

    /// An image was put there. Nothing is known of it until ``placedUnseen(_:)``.
    mutating func place() { images.append(.unknown) }

    mutating func dropFirst() { images.removeFirst() }

    /// The newest image has stood this long, and another takes its place or the game has saved.
    mutating func leave(after time: Int64) {
        guard let last = images.last, last != .unknown, time >= Self.standing else { return }
        stood += 1
        if last == .seen { opened += 1 }
    }

    /// The game has saved: no earlier image is a candidate any more.
    mutating func clear(keepingLast: Bool = false) { images = keepingLast ? Array(images.suffix(1)) : [] }

    /// What happened since the last question, while the newest image stood there.
    mutating func note(_ opens: FileOpens) {
        guard let last = images.last else { return }
        images[images.count - 1] = last.and(opens)
    }

    /// What happened since the last question, in a time in which the newest image took the place of the one before it.
    mutating func noteSwap(_ opens: FileOpens) {
        guard !images.isEmpty else { return }
        if images.count > 1 { images[images.count - 2] = images[images.count - 2].and(opens) }
        images[images.count - 1] = opens
    }
}
