/// Signs with the device's private key, wherever the key is stored.
package protocol DeviceSigner: Sendable {
    /// DER SubjectPublicKeyInfo.
    var publicKey: [UInt8] { get }

    /// 64 bytes; for P-256, r and s over SHA-256 of `message`.
    func signature(for message: [UInt8]) -> [UInt8]
}

extension DeviceSigner {
    /// This device's key.
    package var key: DeviceKey {
        guard let key = DeviceKey(publicKey) else { preconditionFailure("a device's own key is P-256 or Ed25519") }
        return key
    }
}
