package import Crypto

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

/// A P-256 key held in memory.
package struct MemorySigner: DeviceSigner {
    private let key: P256.Signing.PrivateKey
    package let publicKey: [UInt8]

    package init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = Array(key.publicKey.derRepresentation)
    }

    /// A key that follows from `seed`, for tests and simulations only: whoever knows the seed has the key.
    package init(seed: UInt64) {
        var round: UInt64 = 0
        while true {
            // A hash is no valid scalar about once in 2^32 times.
            let text = Array("hearth test key \(seed) \(round)".utf8)
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: SHA256.hash(data: text)) {
                self.init(key)
                return
            }
            round += 1
        }
    }

    package func signature(for message: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: message).rawRepresentation)
        } catch {
            preconditionFailure("signing with a valid P-256 key failed: \(error)")
        }
    }
}
