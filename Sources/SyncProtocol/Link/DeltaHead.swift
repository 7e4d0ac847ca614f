import MergeCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the first frame of a delta says of the whole: the profile, how far each replica goes, whose the replicas are, and
/// the signatures for that.
struct DeltaHead {
    let profile: ProfileID
    /// The number of this device's statement that the delta answers (`ProfileVector.restated` in Sync.proto).
    let restated: UInt32
    /// The replicas that the delta advances; there is one at least.
    let entries: [VectorCoding.Read]
    let origins: [ReplicaOrigin]
    let signatures: [ReplicaID: [UInt8]]
    /// The replicas of former members whose writes end here.
    let cut: Set<ReplicaID>

    init(_ frame: WireDelta, _ names: inout IncomingNames) throws(ProtocolFault) {
        guard frame.number == 0 else { throw ProtocolFault("a delta begins with its frame \(frame.number)") }
        profile = try names.profile(frame.profile, frame.profileID)
        entries = try VectorCoding.read(frame.to, &names, isDelta: true)
        guard !entries.isEmpty else { throw ProtocolFault("a delta of profile \(profile) advances nothing") }
        restated = frame.restated
        origins = try Self.origins(frame, of: profile, entries, &names)
        guard frame.signatures.count == entries.count * Limits.signature else {
            throw ProtocolFault(
                "a delta has \(frame.signatures.count) bytes of signatures for \(entries.count) replicas")
        }
        let bytes = frame.signatures.array
        var signatures: [ReplicaID: [UInt8]] = [:]
        for (position, entry) in entries.enumerated() {
            signatures[entry.replica] = Array(bytes[position * Limits.signature..<(position + 1) * Limits.signature])
        }
        self.signatures = signatures
        cut = try Self.cut(frame, entries)
    }

    private static func cut(
        _ frame: WireDelta, _ entries: [VectorCoding.Read]
    ) throws(ProtocolFault) -> Set<ReplicaID> {
        var next: UInt32 = 0
        var cut: Set<ReplicaID> = []
        for position in frame.cut {
            guard position >= next, position < entries.count else {
                throw ProtocolFault("a delta names replicas of former members out of order, or none that it has")
            }
            next = position + 1
            cut.insert(entries[Int(position)].replica)
        }
        return cut
    }

    private static func origins(
        _ frame: WireDelta, of profile: ProfileID, _ entries: [VectorCoding.Read], _ names: inout IncomingNames
    ) throws(ProtocolFault) -> [ReplicaOrigin] {
        guard frame.origins.count <= entries.count else {
            throw ProtocolFault("a delta brings \(frame.origins.count) origins for \(entries.count) replicas")
        }
        var origins: [ReplicaOrigin] = []
        for wire in frame.origins {
            let device = try names.device(wire.device, wire.deviceKey)
            let isElsewhere = wire.profile > 0 || !wire.profileID.isEmpty
            let profile = isElsewhere ? try names.profile(wire.profile, wire.profileID) : profile
            guard wire.position < entries.count,
                let origin = ReplicaOrigin(device: device, profile: profile, slot: wire.slot),
                origin.replica == entries[Int(wire.position)].replica
            else { throw ProtocolFault("a delta says of a replica that it is another's than it is") }
            origins.append(origin)
        }
        return origins
    }
}
