public import LosslessJSON

/// A counter that was spent apart below zero: each device had enough, together they had not. Files show zero until it
/// is earned back.
public struct Shortfall: Hashable, Sendable {
    /// Where.
    public let path: DocumentPath
    /// What it stands at, below zero.
    public let amount: ExactDecimal
    /// What each replica spent, positive, by replica.
    public let spent: [Spending]

    /// What one replica spent.
    public struct Spending: Hashable, Sendable {
        /// Who.
        public let replica: ReplicaID
        /// How much, positive.
        public let amount: ExactDecimal
    }
}

extension ProfileState {
    /// Every counter that was spent apart below zero, in order of their paths. Where a game itself wrote a number below
    /// zero, that is a debt which it allows. O(places).
    public var shortfalls: [Shortfall] {
        var result: [Shortfall] = []
        for (path, kind) in places where kind.base == .counter && rules.rule(for: path).kind == kind {
            guard !isRemoved(path, kind), let total = counterTotal(path, kind), isOverspent(path, kind, total) else {
                continue
            }
            let spent = liveParts(path, kind).compactMap { part -> Shortfall.Spending? in
                guard case .tally(_, let spent) = part.atom.content, !spent.isZero else { return nil }
                return Shortfall.Spending(replica: ReplicaID(bytes: part.sub) ?? part.atom.dot.replica, amount: spent)
            }
            result.append(Shortfall(path: path, amount: total, spent: spent))
        }
        return result.sorted { $0.path < $1.path }
    }
}
