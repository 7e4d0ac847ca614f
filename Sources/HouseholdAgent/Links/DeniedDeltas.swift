import MergeCore
import SyncProtocol

/// The requests of a device that denies what it was sent a moment ago, and asks for it again. A large save takes long to
/// send, and a device that asks without an end would leave no time for the others: each save is sent again once a second at
/// most, as the last request says.
struct DeniedDeltas {
    /// The time from one answer to the next.
    static let pause = Duration.seconds(1)

    private struct Key: Hashable {
        let id: ConnectionID
        let profile: ProfileID
    }

    /// What was sent in the last second, and how far it went.
    private var sent: [Key: (time: MonotonicTime, upTo: VersionVector)] = [:]
    private var waiting: [Key: DeltaRequest] = [:]
    private var nextPurge = MonotonicTime.min

    /// The time at which the first one is answered; `nil` where none waits. O(waiting).
    var deadline: MonotonicTime? { waiting.keys.map(due).min() }

    private func due(_ key: Key) -> MonotonicTime { sent[key].map { $0.time + Self.pause } ?? .min }

    /// Whether a request waits, in place of an earlier one for the same save.
    mutating func waits(_ request: DeltaRequest, on id: ConnectionID, now: MonotonicTime) -> Bool {
        let key = Key(id: id, profile: request.profile)
        guard let last = sent[key], now < last.time + Self.pause, !request.beyond.covers(last.upTo) else {
            return false
        }
        waiting[key] = request
        return true
    }

    /// Notes what a device was sent of a save. O(1), but once a second O(sent in the last one).
    mutating func sent(_ profile: ProfileID, upTo vector: VersionVector, on id: ConnectionID, now: MonotonicTime) {
        if now >= nextPurge {
            sent = sent.filter { now < $0.value.time + Self.pause || waiting[$0.key] != nil }
            nextPurge = now + Self.pause
        }
        sent[Key(id: id, profile: profile)] = (now, vector)
    }

    /// The requests that are to be answered now.
    mutating func take(now: MonotonicTime) -> [(id: ConnectionID, request: DeltaRequest)] {
        if waiting.isEmpty { return [] }
        let ready = waiting.filter { due($0.key) <= now }
        for key in ready.keys { waiting[key] = nil }
        return ready.map { ($0.key.id, $0.value) }.sorted { ($0.0, $0.1.profile) < ($1.0, $1.1.profile) }
    }

    /// A link is gone, and nothing is sent over it any more.
    mutating func closed(_ id: ConnectionID) {
        sent = sent.filter { $0.key.id != id }
        waiting = waiting.filter { $0.key.id != id }
    }
}
