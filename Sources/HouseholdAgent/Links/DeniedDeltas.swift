import MergeCore
import SyncProtocol

/// The requests of a device that denies what it was sent a moment ago, and asks for it again. A large delta takes long to
/// make, and a device that asks without an end would leave no time for the others: it is made again once a second at most, as
/// the last request says.
struct DeniedDeltas {
    /// The time from one answer to the next.
    static let pause = Duration.seconds(1)
    /// The number of atoms from which on a delta is large.
    static let large = 1_000
    /// Most large deltas that are made in one event.
    private static let turn = 4

    private struct Key: Hashable {
        let id: ConnectionID
        let profile: ProfileID
    }

    /// The large deltas of the last second, and how far they went.
    private var sent: [Key: (time: MonotonicTime, upTo: VersionVector)] = [:]
    private var waiting: [Key: DeltaRequest] = [:]
    private var nextPurge = MonotonicTime.min

    /// The time at which the first one is answered; `nil` where none waits. O(waiting).
    var deadline: MonotonicTime? { waiting.keys.map(due).min() }

    private func due(_ key: Key) -> MonotonicTime { sent[key].map { $0.time + Self.pause } ?? .min }

    /// Whether a request waits, in place of an earlier one for the same save.
    mutating func waits(_ request: DeltaRequest, on id: ConnectionID, now: MonotonicTime) -> Bool {
        let key = Key(id: id, profile: request.profile)
        waiting[key] = nil
        guard let last = sent[key], now < last.time + Self.pause, !request.beyond.covers(last.upTo) else {
            return false
        }
        waiting[key] = request
        return true
    }

    /// Notes what a device was sent of a save. O(1), but once a second O(large deltas of the last one).
    ///
    /// - Parameter atoms: How many atoms it was sent.
    mutating func sent(
        _ profile: ProfileID, atoms: Int, upTo vector: VersionVector, on id: ConnectionID, now: MonotonicTime
    ) {
        guard atoms >= Self.large else { return }
        if now >= nextPurge {
            sent = sent.filter { now < $0.value.time + Self.pause || waiting[$0.key] != nil }
            nextPurge = now + Self.pause
        }
        sent[Key(id: id, profile: profile)] = (now, vector)
    }

    /// The requests that are to be answered now.
    mutating func take(now: MonotonicTime) -> [(id: ConnectionID, request: DeltaRequest)] {
        if waiting.isEmpty { return [] }
        let ready = waiting.filter { due($0.key) <= now }.map { (id: $0.key.id, request: $0.value) }
        let turn = ready.sorted { ($0.id, $0.request.profile) < ($1.id, $1.request.profile) }.prefix(Self.turn)
        for (id, request) in turn { waiting[Key(id: id, profile: request.profile)] = nil }
        return Array(turn)
    }

    /// A link is gone, and nothing is sent over it any more.
    mutating func closed(_ id: ConnectionID) {
        sent = sent.filter { $0.key.id != id }
        waiting = waiting.filter { $0.key.id != id }
    }
}
