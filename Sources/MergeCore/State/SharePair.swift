import LosslessJSON

/// The amounts of one profile at one counter.
struct CounterShare {
    var start: ExactDecimal
    /// Earned less spent since the start; `nil` if no replica earned or spent.
    var played: ExactDecimal?
    /// Earned since the start.
    var earned: ExactDecimal
    /// Whether a change of rules corrected the start, see ``ProfileState/isCorrectedByRules(_:_:)``.
    var isCorrected = false
    /// Whether a change of rules may have corrected it, see ``ProfileState/isCorrected(_:_:)``.
    var isRaised = false
    /// How far a corrected start is below zero. That much is taken off the amounts here, and ``start`` is 0.
    var below = ExactDecimal.zero

    /// What a corrected start below zero takes off is taken off what was played.
    var withoutBelow: Self {
        guard isRaised, start.isNegative else { return self }
        var share = self
        share.start = .zero
        share.below = start.magnitude
        share.played = played.flatMap { try? $0.subtracting(share.below) }
        share.earned = max(.zero, (try? earned.subtracting(share.below)) ?? earned)
        return share
    }
}

/// The amounts of two profiles at one counter, where the larger start may be a copy of the other profile.
struct SharePair {
    let path: DocumentPath
    let here, there: CounterShare

    init(_ path: DocumentPath, _ here: CounterShare, _ there: CounterShare) {
        self.path = path
        // Of two profiles whose rules corrected nothing, each start counts as it is.
        let isCorrected = here.isCorrected || there.isCorrected
        self.here = isCorrected ? here.withoutBelow : here
        self.there = isCorrected ? there.withoutBelow : there
    }

    /// Whether the other profile would be the copy.
    var isOtherCopy: Bool { there.start > here.start }

    var originStart: ExactDecimal { origin.start }

    var isCorrected: Bool { here.isCorrected || there.isCorrected }

    /// The start of the profile that both become: the larger one, less what corrected starts below zero take off; `nil` if a
    /// counter cannot hold it.
    var joinedStart: ExactDecimal? {
        try? max(here.start, there.start).subtracting(here.below).subtracting(there.below)
    }

    private var copy: CounterShare { isOtherCopy ? there : here }
    private var origin: CounterShare { isOtherCopy ? here : there }

    /// Whether the larger start was played on, and is a copy all the same: what the other profile earned explains all that it
    /// has more, or misses an eighth of it at most, since who adds a copy may have played it before. Where that explains
    /// less, what both earned counts, so that nothing that was played is lost.
    var isPlayedCopy: Bool {
        guard copy.played != nil, origin.earned > .zero, let more, more > .zero else { return false }
        guard origin.earned < more else { return true }
        var missing = try? more.subtracting(origin.earned)
        for _ in 0..<3 { missing = missing.flatMap { try? $0.adding($0) } }
        return missing.map { $0 <= more } ?? false
    }

    /// The part of the other profile's earnings that the copy's start contains, negated; `nil` if there is no copy.
    var countedTwice: ExactDecimal? {
        // A copy that was not played on may be of any time: then the sum comes to the larger total and no further.
        let contained = copy.played == nil ? origin.played : isPlayedCopy ? origin.earned : nil
        guard let contained, contained > .zero, !origin.start.isNegative, let more, more > .zero else { return nil }
        return try? ExactDecimal.zero.subtracting(min(more, contained))
    }

    private var more: ExactDecimal? { try? copy.start.subtracting(origin.start) }
}
