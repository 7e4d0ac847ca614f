import MergeCore
import SyncProtocol

/// Dialling the devices of the household: when, and what comes of it.
extension HouseholdAgent {
    /// Whether there is anybody to dial. An address that the player named waits until this device is paired.
    private var dials: Bool { port != nil && household.roster.members.count > 1 }

    /// The time of the next dial.
    var dialDeadline: MonotonicTime? { dials ? plan.deadline(connected: links.connectedKeys) : nil }

    mutating func dialDue(now: Moment) {
        guard dials else { return }
        for address in plan.due(now: now.monotonic, connected: links.connectedKeys) {
            act(.transport(.dial(plan.dial(address, .sync, now: now.monotonic), address, .sync)))
        }
    }

    mutating func remember(_ address: PeerAddress, of device: DeviceID, now: MonotonicTime) {
        guard household.connected(device, at: address) else { return }
        plan.want(address, .remembered, now: now)
    }

    mutating func endDial(_ id: ConnectionID, now: Moment) {
        var generator = random
        plan.ended(id, now: now.monotonic) { Duration.random(below: $0, using: &generator) }
        random = generator
    }

    /// Plans to dial a device that was just connected at its known addresses, whichever side dialled before.
    mutating func lost(_ live: LiveLink, now: Moment) {
        lastSeen.ended(live.peerKey.id)
        var generator = random
        plan.lost(
            live.peerKey.bytes, at: household.addresses[live.peerKey.id], opened: live.opened, now: now.monotonic
        ) {
            Duration.random(below: $0, using: &generator)
        }
        random = generator
    }
}

extension Duration {
    /// A duration in whole milliseconds from zero up to this limit, without the limit itself.
    fileprivate static func random(below limit: Duration, using generator: inout some RandomNumberGenerator) -> Duration
    {
        .milliseconds(Int64.random(in: 0..<limit.wholeMilliseconds, using: &generator))
    }
}
