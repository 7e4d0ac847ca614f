import HouseholdAgent
import MergeCore

/// Multicast DNS of a simulated household: what each device sees announced. An announcement may be lost, and one that is
/// not renewed is seen for a while after its device is gone.
package struct SimulatedDiscovery {
    /// The time for which an announcement is seen without being renewed, and the time after which it is renewed.
    package static let lifetime = Duration.seconds(120)
    package static let renewal = Duration.seconds(50)

    /// How many of a hundred announcements do not arrive.
    package var lost = 0
    private var random: SimulatedRandom
    /// What each device sees, by the name of the instance, and until when.
    private var seen: [Int: [String: (announcement: ServiceAnnouncement, end: MonotonicTime)]] = [:]

    package init(seed: UInt64, lost: Int = 0) {
        random = SimulatedRandom(seed: seed ^ 0xD15C)
        self.lost = lost
    }

    /// The instances that a device sees, sorted.
    package func instances(seenBy device: Int) -> [String] { (seen[device] ?? [:]).keys.sorted() }

    mutating func isLost() -> Bool { random.below(100) < lost }

    /// How many milliseconds an announcement travels. It has random numbers of its own, so that the packets of a household
    /// travel as long as without it.
    mutating func transit() -> Int64 { Int64(1 + random.below(5)) }

    /// Notes that an announcement came to a device. Returns whether it says something new.
    mutating func came(_ announcement: ServiceAnnouncement, to device: Int, now: MonotonicTime) -> Bool {
        let former = seen[device]?[announcement.instance]?.announcement
        seen[device, default: [:]][announcement.instance] = (announcement, now + Self.lifetime)
        return former?.txt != announcement.txt || former?.port != announcement.port
    }

    /// Forgets an announcement whose time is over. Returns whether the device saw it until now.
    mutating func ended(_ instance: String, for device: Int, now: MonotonicTime) -> Bool {
        guard let end = seen[device]?[instance]?.end, end <= now else { return false }
        return forget(instance, for: device)
    }

    /// Forgets an announcement that was taken back. Returns whether the device saw it until now.
    mutating func forget(_ instance: String, for device: Int) -> Bool {
        seen[device]?.removeValue(forKey: instance) != nil
    }

    /// A device that starts has seen nothing yet.
    mutating func forgetAll(for device: Int) { seen[device] = nil }
}
