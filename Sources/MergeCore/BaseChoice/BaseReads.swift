/// The snapshots that a game may have read, judged by which snapshots other processes opened.
///
/// If no other process has opened a snapshot, none has read it. So the snapshot is ruled out. What the save holds does not
/// change that where it is known that a program wrote that runs since before the snapshot: its game came by the same
/// things by itself. (Or it fetched the save of another machine by itself, as a game with a cloud of its own does: so where
/// the save is like the snapshot, the choice is a guess.) Where that is not known, a tool may have copied the file from elsewhere (`cp`, a memory stick,
/// an archive): such a tool writes what it never read here. So there are two exceptions:
///
/// - Two places or more speak for the snapshot, and hardly any for another one. Then the save is such a copy, or its game
///   got the same values by itself. The snapshot counts, and the choice is a guess.
/// - A purse (a counter, when it is the only place that votes) speaks clearly for that snapshot, and the program that
///   writes the file is not known. Then the player is asked.
///
/// A snapshot that was opened may have been read, by its game or by another program.
struct BaseReads {
    /// The snapshots that are left.
    enum Left: Equatable {
        /// The opens rule none of them out.
        case all
        /// Only these are left.
        case some([Int])
        /// A purse alone speaks for a snapshot that no process has opened, clearly enough to decide for an older
        /// snapshot.
        case purse(newer: Int, older: Int)
    }

    /// Snapshots that no process has opened. Of snapshots of equal content, none must have been opened.
    private let unread: Set<Int>
    /// Snapshots that a process has opened, or one of equal content.
    private let opened: Set<Int>
    /// The part of ``unread`` that was put into the file after the writing program had started: it cannot have read
    /// these.
    private let impossible: Set<Int>
    private let isWriterKnown: Bool
    /// Whether an open is likely to be the game's.
    let opensTell: Bool

    /// - Parameter groups: Snapshots of equal content together, each group ascending. The newest of a group stands for
    ///   it.
    init(_ groups: [[Int]], _ sightings: BaseChoice.Sightings) {
        var (unread, opened, impossible): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
        let since = sightings.runningSince ?? .max
        for group in groups {
            let newest = group[group.count - 1]
            // A game has its own save in memory without opening the file.
            if group.allSatisfy({ $0 > 0 && sightings.unread.contains($0) }) { unread.insert(newest) }
            if unread.contains(newest), group.allSatisfy({ $0 > since }) { impossible.insert(newest) }
            if group.contains(where: { $0 > 0 && sightings.openedAfterSwap.contains($0) }) { opened.insert(newest) }
        }
        (self.unread, self.opened, self.impossible) = (unread, opened, impossible)
        isWriterKnown = sightings.isWriterKnown
        opensTell = sightings.opensTell
    }

    /// Whether the opens contradict a process that started late enough to have read `snapshots`: no process has opened
    /// any of these, and another possible snapshot is not known to be unread.
    func speak(against snapshots: [Int], of possible: [Int]) -> Bool {
        snapshots.allSatisfy(unread.contains) && possible.contains { !unread.contains($0) }
    }

    /// The snapshots without those that the program that wrote cannot have had. Never empty: the first one remains.
    func withoutImpossible(_ snapshots: [Int]) -> [Int] { snapshots.filter { !impossible.contains($0) } }

    /// Whether what the save holds speaks for a snapshot that the program that wrote cannot have had.
    func contentIsOfImpossible(_ snapshots: [Int], _ diffs: [DocumentDiff]) -> Bool {
        let those = snapshots.indices.filter { impossible.contains(snapshots[$0]) }
        return !those.isEmpty && Self.speak(BaseVotes(snapshots.map { diffs[$0] }), forAnyOf: those)
    }

    /// Whether two places or more speak for one of some snapshots, and hardly any for another one.
    private static func speak(_ votes: BaseVotes, forAnyOf some: [Int]) -> Bool {
        let of = some.map { votes[$0].count }.max() ?? 0
        let against = votes.indices.filter { !some.contains($0) }.map { votes[$0].count }.max() ?? 0
        return of >= 2 * BaseVotes.equal && of > 4 * against
    }

    func wasOpened(_ snapshot: Int) -> Bool { opened.contains(snapshot) }

    func isUnread(_ snapshot: Int) -> Bool { unread.contains(snapshot) }

    /// The newest of the snapshots that a process has opened.
    func lastOpened(of snapshots: [Int]) -> Int? { snapshots.last(where: wasOpened) }

    /// Those of the possible snapshots that are left.
    func left(of possible: [Int], _ diffs: [DocumentDiff]) -> Left {
        let read = possible.filter { !unread.contains($0) }
        guard !read.isEmpty, read.count < possible.count else { return .all }
        let votes = BaseVotes(possible.map { diffs[$0] })
        if Self.speak(votes, forAnyOf: possible.indices.filter { unread.contains(possible[$0]) }) { return .all }
        if !isWriterKnown, let winner = votes.winners.last, unread.contains(possible[winner]),
            let rival = votes.farRivalOfPurse(winner, among: possible.indices.filter { !unread.contains(possible[$0]) })
        {
            return .purse(newer: possible[max(winner, rival)], older: possible[min(winner, rival)])
        }
        return .some(read)
    }
}
