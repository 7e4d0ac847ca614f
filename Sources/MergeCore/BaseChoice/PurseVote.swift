import LosslessJSON

/// A counter that votes alone: how far each snapshot's number is from the save's, and whether that decides.
struct PurseVote {
    /// For each snapshot, the difference from its number to the save's.
    private let gaps: [ExactDecimal]

    /// - Parameter gaps: `nil` for a snapshot where one of the two is no number; then the purse tells nothing.
    init?(_ gaps: [ExactDecimal?]) {
        guard !gaps.contains(nil) else { return nil }
        self.gaps = gaps.compactMap(\.self)
    }

    /// The snapshot for which the purse speaks nearly as well as for the winner; `nil` if the purse is clear.
    ///
    /// The rival is the newest snapshot, unless that is far enough away: a game that had read what came in had read the
    /// last content of the file, and then the file is to show the amount that was saved. Else the rival is the nearest
    /// snapshot; of newer ones the newest, unless another is as clearly nearer as an older snapshot must be. If the
    /// winner is newer than the nearest snapshot, and both readings earned or both spent, the purse is clear as well.
    ///
    /// - Parameter outdated: Snapshots from before a reset or a restore. They have no rival and are none: play after a
    ///   reset leaves no doubt.
    func rival(_ winner: Int, outdated: Set<Int>) -> Int? {
        guard !outdated.contains(winner) else { return nil }
        let others = gaps.indices.filter { $0 != winner && gaps[$0] != gaps[winner] && !outdated.contains($0) }
        guard let newest = others.last else { return nil }
        if newest > winner, isNear(newest, to: winner, BaseVotes.doublingsForOlder) { return newest }
        guard let rival = nearest(of: others) else { return nil }
        guard rival < winner else {
            guard isNear(rival, to: winner, BaseVotes.doublingsForOlder) else { return nil }
            return others.last { isNear($0, to: rival, BaseVotes.doublingsForOlder) } ?? rival
        }
        let isClear = gaps[winner].isNegative == gaps[rival].isNegative
        return !isClear && isNear(rival, to: winner, BaseVotes.doublingsForNewer) ? rival : nil
    }

    /// The nearest of some other snapshots, if the purse prefers the winner as clearly as it must prefer an older
    /// snapshot, or the save holds exactly the winner's amount. `nil` if the purse is less clear.
    func farRival(_ winner: Int, among others: [Int]) -> Int? {
        guard let rival = nearest(of: others),
            let clear = BaseVotes.doubled(gaps[winner], BaseVotes.doublingsForOlder)
        else { return nil }
        return clear > gaps[rival].magnitude ? nil : rival
    }

    private func nearest(of snapshots: [Int]) -> Int? {
        snapshots.min { gaps[$0].magnitude < gaps[$1].magnitude }
    }

    private func isNear(_ snapshot: Int, to other: Int, _ doublings: Int) -> Bool {
        BaseVotes.isNear(gaps[snapshot], to: gaps[other], doublings)
    }
}
