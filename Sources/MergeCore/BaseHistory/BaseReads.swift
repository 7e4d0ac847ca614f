/// The snapshots that a game may have read, by what was seen of who opened the file.
///
/// A snapshot that no other process has opened was read by none: its content can only have come from elsewhere, in a
/// copy of another device's file. So it is ruled out, with two exceptions:
///
/// - Two places or more speak for it, and hardly any for another snapshot. Then the save is such a copy, whatever was
///   seen, or its game came by the same things by itself. The snapshot counts, and the choice is called a guess.
/// - A purse (a counter, when it is the only place that votes) speaks clearly for that snapshot, and the program that
///   writes the file is not known. Then nobody can tell, and the player is asked.
///
/// A snapshot that was opened may have been read, by its game or by something else.
struct BaseReads {
    /// The snapshots that are left.
    enum Left: Equatable {
        /// Nothing that was seen rules any of them out.
        case all
        /// These alone.
        case some([Int])
        /// A purse alone speaks for a snapshot that nobody has opened, as clearly as it must in order to decide for an
        /// older snapshot.
        case purse(newer: Int, older: Int)
    }

    /// Snapshots that nobody has opened. Of snapshots of equal content each must have stood unopened.
    private let unread: Set<Int>
    /// Snapshots that somebody has opened, or one of equal content.
    private let opened: Set<Int>
    private let isWriterKnown: Bool
    /// Whether an open is likely to be the game's.
    let opensTell: Bool

    /// - Parameter groups: Snapshots of equal content together, each group ascending; it goes by its newest.
    init(_ groups: [[Int]], _ sightings: BaseChoice.Sightings) {
        var (unread, opened): (Set<Int>, Set<Int>) = ([], [])
        for group in groups {
            let newest = group[group.count - 1]
            // A game has its own save in memory without opening the file.
            if group.allSatisfy({ $0 > 0 && sightings.unread.contains($0) }) { unread.insert(newest) }
            if group.contains(where: { $0 > 0 && sightings.openedAfterSwap.contains($0) }) { opened.insert(newest) }
        }
        (self.unread, self.opened) = (unread, opened)
        isWriterKnown = sightings.isWriterKnown
        opensTell = sightings.opensTell
    }

    /// Whether what was seen speaks against a process that started late enough to have read `snapshots`: nobody has
    /// opened any of these, and another possible snapshot is not known to be unread.
    func speak(against snapshots: [Int], of possible: [Int]) -> Bool {
        snapshots.allSatisfy(unread.contains) && possible.contains { !unread.contains($0) }
    }

    func wasOpened(_ snapshot: Int) -> Bool { opened.contains(snapshot) }

    func isUnread(_ snapshot: Int) -> Bool { unread.contains(snapshot) }

    /// The newest of the snapshots that was opened.
    func lastOpened(of snapshots: [Int]) -> Int? { snapshots.last(where: wasOpened) }

    /// The snapshots that are left of those that the game may have read.
    func left(of possible: [Int], _ diffs: [DocumentDiff]) -> Left {
        let read = possible.filter { !unread.contains($0) }
        guard !read.isEmpty, read.count < possible.count else { return .all }
        let votes = BaseVotes(possible.map { diffs[$0] })
        func most(_ isUnread: Bool) -> Int {
            possible.indices.filter { unread.contains(possible[$0]) == isUnread }.map(votes.count(of:)).max() ?? 0
        }
        let (of, against) = (most(true), most(false))
        if of >= 2 * BaseVotes.equal, of > 4 * against { return .all }
        if !isWriterKnown, let winner = votes.winners.last, unread.contains(possible[winner]),
            let rival = votes.farRivalOfPurse(winner, among: possible.indices.filter { !unread.contains(possible[$0]) })
        {
            return .purse(newer: possible[max(winner, rival)], older: possible[min(winner, rival)])
        }
        return .some(read)
    }
}
