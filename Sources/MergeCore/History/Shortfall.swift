public import LosslessJSON

/// A counter that concurrent spending took below zero: each device had enough, but together they spent too much. Files
/// show zero until the missing amount is earned.
public struct Shortfall: Hashable, Sendable {
    /// The counter's place.
    public let path: DocumentPath
    /// The counter's amount, below zero.
    public let amount: ExactDecimal
    /// What each replica spent, as a positive amount; one entry for each replica that spent.
    public let spent: [Spending]

    /// What one replica spent.
    public struct Spending: Hashable, Sendable {
        /// The replica that spent.
        public let replica: ReplicaID
        /// The amount, positive.
        public let amount: ExactDecimal
    }
}

extension ProfileState {
    /// Every counter that concurrent spending took below zero, in order of their paths. If a game itself wrote a number
    /// below zero, that is a debt that the game allows, and no shortfall. O(places).
    public var shortfalls: [Shortfall] {
        var result: [Shortfall] = []
        for (path, kind) in places where kind.base == .counter && rules.rule(for: path).kind == kind {
            guard !isRemoved(path, kind), let total = counterTotal(path, kind), isOverspent(path, kind, total) else {
                continue
            }
            result.append(Shortfall(path: path, amount: total, spent: spendings(path, kind)))
        }
        return result.sorted { $0.path < $1.path }
    }
}
