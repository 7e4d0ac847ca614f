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
    /// Every counter that was spent apart below zero, in order of their paths. One that a single replica took below
    /// zero is a debt that its game allows. O(places).
    public var shortfalls: [Shortfall] {
        var result: [Shortfall] = []
        for (path, kind) in places where kind.base == .counter && rules.rule(for: path).kind == kind {
            guard let total = counterTotal(path, kind), total.isNegative else { continue }
            let spent = liveParts(path, kind).compactMap { part -> Shortfall.Spending? in
                guard case .tally(_, let spent) = part.atom.content, !spent.isZero else { return nil }
                return Shortfall.Spending(replica: ReplicaID(bytes: part.sub) ?? part.atom.dot.replica, amount: spent)
            }
            if Set(spent.map(\.replica)).count > 1 { result.append(Shortfall(path: path, amount: total, spent: spent)) }
        }
        return result.sorted { $0.path < $1.path }
    }
}
