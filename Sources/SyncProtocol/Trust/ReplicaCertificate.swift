package import MergeCore

/// A device's word that it writes under a replica id. Made once, when the replica is minted, and passed on with its
/// first dots; dots of a replica without one are refused.
package struct ReplicaCertificate: Hashable, Sendable {
    package let replica: ReplicaID
    package let device: DeviceKey
    /// 64 bytes.
    package let signature: [UInt8]

    package init(replica: ReplicaID, device: DeviceKey, signature: [UInt8]) {
        self.replica = replica
        self.device = device
        self.signature = signature
    }

    /// Certifies a replica of this device.
    package init(replica: ReplicaID, by signer: some DeviceSigner) {
        self.init(replica: replica, device: signer.key, signature: signer.signature(for: Self.text(replica)))
    }

    /// Whether the device's key made the signature. Whether that device is a member is another question.
    package var isValid: Bool { device.isValid(signature: signature, for: Self.text(replica)) }

    private static func text(_ replica: ReplicaID) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth replica certificate 1")
        text.add(replica.bytes)
        return text.bytes
    }
}
