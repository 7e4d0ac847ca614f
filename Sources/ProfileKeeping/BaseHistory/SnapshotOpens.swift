/// Whether other processes opened the snapshots that Hearth put into a file, while each of them was in the file, as far
/// as this process has seen. Not stored: after a restart nothing is known of earlier snapshots.
struct SnapshotOpens: Hashable, Sendable {
    /// The time for which a snapshot must be in the file before it counts for ``tell``.
    static let minimumTime = Duration.seconds(5)
    /// The number of such snapshots from which on ``tell`` can be true.
    static let enough = 3

    /// The opens of each later projection, in the order of `BaseHistory.placed`.
    private(set) var snapshots: [FileOpens] = []
    /// Whether a repeated write of the newest snapshot was already handled.
    private(set) var isRepeatNoted = false
    /// The number of snapshots that were in the file long enough and were watched, and the number of those that were opened
    /// by something else than the game, as far as is known.
    private var watched = 0
    private var opened = 0

    init(count: Int = 0) { snapshots = Array(repeating: .unknown, count: count) }

    /// Whether an open is evidence: at least half of the snapshots of this file were not opened, or the save after that shows
    /// that its game had read them. Then a process that opens a snapshot is likely to be the game of the file, and not an
    /// indexer.
    var tell: Bool { watched >= Self.enough && opened * 2 <= watched }

    /// Adds a snapshot that was put into the file. Its opens are unknown until a call of ``noteSwap(_:)``.
    mutating func place() {
        snapshots.append(.unknown)
        isRepeatNoted = false
    }

    /// Whether no program has opened the newest snapshot, and none was seen to write it again.
    var isNewestUnread: Bool { snapshots.last == FileOpens.none && !isRepeatNoted }

    mutating func noteRepeat() { isRepeatNoted = true }

    mutating func dropFirst() { snapshots.removeFirst() }

    /// Counts the newest snapshot, which was in the file for `time`. Called before another snapshot replaces it or when the
    /// game has saved.
    ///
    /// - Parameter isRead: Whether the save shows that its game had read the snapshot.
    mutating func leave(after time: Duration, isRead: Bool) {
        guard let last = snapshots.last, last != .unknown, time >= Self.minimumTime else { return }
        watched += 1
        if last == .seen, !isRead { opened += 1 }
    }

    /// Forgets the earlier snapshots after the game has saved: they are not candidates any more.
    mutating func clear(keepingLast: Bool = false) {
        snapshots = keepingLast ? Array(snapshots.suffix(1)) : []
        if !keepingLast { isRepeatNoted = false }
    }

    /// Notes the opens since the last call, while the newest snapshot was in the file.
    mutating func note(_ opens: FileOpens) {
        guard let last = snapshots.last else { return }
        snapshots[snapshots.count - 1] = last.and(opens.byAnybody)
    }

    /// Notes the opens since the last call, in a time in which the newest snapshot replaced the one before it.
    mutating func noteSwap(_ opens: FileOpens) {
        guard !snapshots.isEmpty else { return }
        let opens = opens.byAnybody
        if snapshots.count > 1 { snapshots[snapshots.count - 2] = snapshots[snapshots.count - 2].and(opens) }
        snapshots[snapshots.count - 1] = opens
    }
}
