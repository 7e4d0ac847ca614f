import Crypto
package import MergeCore

/// The origin of a replica: the device that writes as the replica, the profile in which it began, and a small number.
///
/// The replica's id is a hash of these three. So every device can check an origin without a signature, no device can
/// make an origin for the id of another device's replica, and a device has at most ``Limits/slots`` replicas in a
/// profile. If a player joined a profile into another one, its replicas come along: their origin names the former
/// profile.
package struct ReplicaOrigin: Hashable, Sendable {
    package let device: DeviceKey
    package let profile: ProfileID
    package let slot: UInt8
    /// The id that follows from the other three.
    package let replica: ReplicaID

    /// - Returns: `nil` if the number is beyond the replicas that a device may have in a profile.
    package init?(device: DeviceKey, profile: ProfileID, slot: some BinaryInteger) {
        guard let number = UInt8(exactly: slot), number < Limits.slots else { return nil }
        (self.device, self.profile, self.slot) = (device, profile, number)
        var text = CanonicalBytes(label: "hearth replica 1")
        text.add(device.bytes)
        text.add(profile.bytes)
        text.add(UInt64(number))
        guard let id = ReplicaID(bytes: Array(SHA256.hash(data: text.bytes)).prefix(16)) else {
            preconditionFailure("16 bytes are an id")
        }
        replica = id
    }

    /// Every replica that a device can begin in a profile, in the order of the slots.
    package static func all(of device: DeviceKey, in profile: ProfileID) -> [ReplicaOrigin] {
        (0..<Limits.slots).compactMap { ReplicaOrigin(device: device, profile: profile, slot: $0) }
    }
}
