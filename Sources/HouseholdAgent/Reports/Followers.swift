import MergeCore
import ProfileKeeping

/// The clients that are told of every change (``FollowRequest``). Nothing is compared while there are none.
struct Followers {
    /// The shortest time between two reports: a household in which much happens costs no more than one in which little
    /// does.
    static let pause = Duration.milliseconds(50)

    private var calls: [Call<FollowRequest>] = []
    /// Those of `calls` that were told nothing yet.
    private var fresh: Set<RequestID> = []
    private var last: FollowReport?
    private var vectors: [ProfileID: VersionVector] = [:]
    private var nextLook = MonotonicTime.min
    /// Whether something may have changed since the last look.
    private var isPending = false

    mutating func add(_ call: Call<FollowRequest>) {
        calls.append(call)
        fresh.insert(call.id)
        nextLook = .min
    }

    /// Removes a client that is gone.
    mutating func end(_ id: RequestID) {
        calls.removeAll { $0.id == id }
        fresh.remove(id)
        if calls.isEmpty { self = Followers() }
    }

    /// The time of the look that waits for the pause; `nil` where none waits.
    var deadline: MonotonicTime? { isPending ? nextLook : nil }

    /// Whether to look now, after an event that may have changed something.
    mutating func isDue(now: MonotonicTime) -> Bool {
        isPending = !calls.isEmpty
        return isPending && now >= nextLook
    }

    /// Takes a look at how everything is, and returns who has to be told what.
    ///
    /// - Parameter current: The vector of each profile.
    mutating func look(
        _ status: StatusReport, _ current: [ProfileID: VersionVector], now: MonotonicTime
    ) -> [(Call<FollowRequest>, FollowReport)] {
        let moved = current.keys.filter { vectors[$0] != current[$0] }.sorted().map(\.description)
        let hasChanged = last?.status != status || !moved.isEmpty
        let report = FollowReport(status: status, moved: moved)
        let complete = FollowReport(status: status, moved: current.keys.sorted().map(\.description))
        let told = calls.compactMap { call -> (Call<FollowRequest>, FollowReport)? in
            if fresh.contains(call.id) { return (call, complete) }
            return hasChanged ? (call, report) : nil
        }
        (last, vectors, fresh) = (report, current, [])
        // A look costs as much as there are saves.
        (nextLook, isPending) = (now + max(Self.pause, .microseconds(100) * current.count), false)
        return told
    }
}

extension HouseholdAgent {
    /// Tells the clients that follow how everything is, where that has changed.
    mutating func tickFollowers(now: Moment) {
        guard followers.isDue(now: now.monotonic) else { return }
        let status = statusReport(now: now)
        let held = engine.profiles
        var vectors: [ProfileID: VersionVector] = [:]
        for id in engine.ids where held.isOffered(id) { vectors[id] = held[id]?.vector }
        for (call, report) in followers.look(status, vectors, now: now.monotonic) { tell(call) { _ in report } }
    }
}
