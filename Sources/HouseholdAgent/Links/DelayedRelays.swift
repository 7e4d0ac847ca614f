import MergeCore
import SyncProtocol

/// Writes that came over a link and are not sent on at once to the devices that their sender tells itself.
///
/// In a household in which everybody is linked with everybody, each device would send each edit to all others, which have
/// it by then: with n devices an edit would travel n² times. So a device that has taken up an edit says so to the others,
/// and sends the edit on only to those that have not said so a moment later.
struct DelayedRelays {
    /// How long a device has to get the writes from their sender.
    static let patience = Duration.seconds(1)

    private struct Writes {
        /// The profile's vector here right after these writes were joined. As long as the profile still has it, nothing
        /// else is new.
        var vector: VersionVector
        var sender: DeviceID
        var until: MonotonicTime
    }

    private var waiting: [ProfileID: Writes] = [:]

    var deadline: MonotonicTime? { waiting.values.map(\.until).min() }

    /// Notes that writes of a profile came. Where earlier ones wait still, all of them wait until the time of those.
    mutating func came(_ profile: ProfileID, _ vector: VersionVector, from sender: DeviceID, now: MonotonicTime) {
        let until = waiting[profile]?.until ?? now + Self.patience
        waiting[profile] = Writes(vector: vector, sender: sender, until: until)
    }

    /// The device that sent what a profile now has more than before; `nil` where something else is new as well.
    func sender(of profile: ProfileID, covering vector: VersionVector) -> DeviceID? {
        waiting[profile].flatMap { $0.vector == vector ? $0.sender : nil }
    }

    /// Takes out the profiles whose time has come, and those whose sender is no longer linked.
    mutating func takeDue(_ isLinked: (DeviceID) -> Bool, now: MonotonicTime) -> [ProfileID] {
        let due = waiting.filter { $0.value.until <= now || !isLinked($0.value.sender) }.keys.sorted()
        for profile in due { waiting[profile] = nil }
        return due
    }
}
