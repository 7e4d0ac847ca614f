import MergeCore

/// The whole states that writers were asked for because something here differs from what they say.
struct HearsayRepairs {
    /// A whole state that was asked for over a link.
    struct Repair {
        let profile: ProfileID
        let device: DeviceID
        /// The runs of writes that differ.
        let spans: [WriteSpan]
        fileprivate let since: MonotonicTime
        fileprivate var isLate = false
    }

    private var open: [ConnectionID: [ProfileID: Repair]] = [:]

    /// The time at which the next one is late.
    var deadline: MonotonicTime? {
        open.values.flatMap(\.values).filter { !$0.isLate }.map { $0.since + HearsayChecks.answerTime }.min()
    }

    mutating func begin(
        _ profile: ProfileID, _ spans: [WriteSpan], of device: DeviceID, on id: ConnectionID, now: MonotonicTime
    ) {
        open[id, default: [:]][profile] = Repair(profile: profile, device: device, spans: spans, since: now)
    }

    /// Whether the whole state of a profile was asked for and is not late.
    func isAwaited(_ profile: ProfileID, on id: ConnectionID) -> Bool { open[id]?[profile]?.isLate == false }

    /// The whole state of a profile has come, or will not come. Returns what it was asked for; `nil` for nothing.
    mutating func take(_ profile: ProfileID, on id: ConnectionID) -> Repair? { open[id]?.removeValue(forKey: profile) }

    /// The whole states that have not come in time, each told once. They are waited for no more, and taken all the same
    /// if they come.
    mutating func noteLate(now: MonotonicTime) -> [(id: ConnectionID, repair: Repair)] {
        var late: [(id: ConnectionID, repair: Repair)] = []
        for (id, repairs) in open.sorted(by: { $0.key < $1.key }) {
            for (profile, repair) in repairs.sorted(by: { $0.key < $1.key })
            where !repair.isLate && repair.since + HearsayChecks.answerTime <= now {
                open[id]?[profile]?.isLate = true
                late.append((id, repair))
            }
        }
        return late
    }

    mutating func closed(_ id: ConnectionID) { open[id] = nil }
}
