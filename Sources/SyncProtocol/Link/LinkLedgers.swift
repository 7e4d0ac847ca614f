import MergeCore

/// The ledgers of a link, by profile.
///
/// A link may stand for ten thousand profiles of which few change. So the ledger of a profile is made when it is asked
/// for first: until then it follows from what this device covered at the start, and from the ranges in which the peer
/// covers the same.
struct LinkLedgers {
    private var kept: [ProfileID: ProfileLedger] = [:]
    /// What this device covered when it began to tell the peer so by ranges; nothing where it sent a list.
    var start = CoveredProfiles()
    /// The ranges in which both cover the same, but for profiles whose ledger is kept.
    private(set) var alike: Set<ProfileRange> = []

    subscript(profile: ProfileID) -> ProfileLedger? {
        get { kept[profile] ?? implied(profile) }
        _modify {
            if kept[profile] == nil { kept[profile] = implied(profile) }
            yield &kept[profile]
        }
    }

    subscript(profile: ProfileID, default fresh: @autoclosure () -> ProfileLedger) -> ProfileLedger {
        get { self[profile] ?? fresh() }
        _modify {
            if kept[profile] == nil { kept[profile] = implied(profile) ?? fresh() }
            yield &kept[profile]!
        }
    }

    /// How many are kept.
    var count: Int { kept.count }

    /// The profiles whose ledger is kept, in ascending order.
    var profiles: [ProfileID] { kept.keys.sorted() }

    func isKept(_ profile: ProfileID) -> Bool { kept[profile] != nil }

    /// Notes that both sides cover the same of all profiles of a range. The caller sees to the ledgers that are kept.
    mutating func areAlike(_ range: ProfileRange) { alike.insert(range) }

    /// Whether both sides are known to cover the same of a profile because nothing was said of it on its own.
    func isAlike(_ profile: ProfileID) -> Bool {
        kept[profile] == nil && start[profile] != nil && isInAlikeRange(profile)
    }

    private func isInAlikeRange(_ profile: ProfileID) -> Bool {
        ProfileRange.all(of: profile).contains { alike.contains($0) }
    }

    private func implied(_ profile: ProfileID) -> ProfileLedger? {
        guard let vector = start[profile] else { return nil }
        var ledger = ProfileLedger()
        (ledger.ours, ledger.announced) = (vector, vector)
        guard isInAlikeRange(profile) else { return ledger }
        (ledger.confirmed, ledger.believed, ledger.isListed) = (vector, vector, true)
        return ledger
    }
}
