import MergeCore
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation
@testable import SyncProtocol

/// How many replicas find room in a profile.
@Suite struct ReplicaRoomTests {
    private let profile = ProfileID(random: 1, 2)
    private let device = SeededSigner(seed: 1).key

    private func empty() throws -> ReplicaRoom { ReplicaRoom(profile, VersionVector(), try ReplicaOrigins([:])) }

    private func joined(_ device: DeviceKey, _ number: Int) throws -> ReplicaOrigin {
        try #require(ReplicaOrigin(device: device, profile: ProfileID(random: 3, UInt64(number)), slot: 0))
    }

    /// How many of the replicas find room.
    private func takes(_ origins: [ReplicaOrigin], _ room: inout ReplicaRoom) -> Int {
        origins.reduce(0) { count, origin in count + (room.takes(origin) ? 1 : 0) }
    }

    @Test func aDeviceHasAllItsSlotsAndSomeReplicasOfJoinedProfiles() throws {
        var room = try empty()
        #expect(takes(ReplicaOrigin.all(of: device, in: profile), &room) == Limits.slots)
        let many = try (0..<100).map { try joined(device, $0) }
        #expect(takes(many, &room) == Limits.joinedReplicas)
        #expect(takes([try joined(SeededSigner(seed: 2).key, 100)], &room) == 1)
    }

    /// What is in the profile already counts, however it came in.
    @Test func whatIsThereCounts() throws {
        let there = try (0..<Limits.joinedReplicas).map { try joined(device, $0) }
        var origins = try ReplicaOrigins([:])
        var vector = VersionVector()
        for origin in there {
            origins.add(origin)
            vector.advance(origin.replica, to: .init(sequence: 1, history: 1))
        }
        var room = ReplicaRoom(profile, vector, origins)
        #expect(takes([try joined(device, 100)], &room) == 0)
        #expect(takes(ReplicaOrigin.all(of: device, in: profile), &room) == Limits.slots)
    }

    /// Devices without number fill half of it. Then every other device has room still, and the whole never has more than
    /// a link takes.
    @Test func devicesWithoutNumberLeaveRoomForOthers() throws {
        var room = try empty()
        var taken = 0
        for seed in 100..<200 as Range<UInt64> {
            let key = SeededSigner(seed: seed).key
            taken += takes(ReplicaOrigin.all(of: key, in: profile), &room)
            taken += takes(try (0..<Limits.joinedReplicas).map { try joined(key, $0) }, &room)
        }
        #expect(taken >= Limits.vectorEntries / 2 && taken < Limits.vectorEntries / 2 + 2 * 100)
        #expect(takes(ReplicaOrigin.all(of: device, in: profile), &room) == ReplicaRoom.reserved)
        for seed in 1_000..<3_000 as Range<UInt64> {
            taken += takes(ReplicaOrigin.all(of: SeededSigner(seed: seed).key, in: profile), &room)
        }
        #expect(taken + ReplicaRoom.reserved == Limits.vectorEntries)
    }
}
