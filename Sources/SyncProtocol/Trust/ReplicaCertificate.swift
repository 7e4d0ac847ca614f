package import MergeCore

/// A device's signed statement that it writes under a replica id. It is made once, when the replica is minted, and sent
/// along with the replica's first dots. Dots of a replica without a certificate are refused.
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

    /// Whether the signature was made with the device's key. Whether the device is a member is not checked here.
    package var isValid: Bool { device.isValid(signature: signature, for: Self.text(replica)) }

    private static func text(_ replica: ReplicaID) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth replica certificate 1")
        text.add(replica.bytes)
        return text.bytes
    }
}
