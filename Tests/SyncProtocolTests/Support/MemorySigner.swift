import Crypto
import SyncProtocol

/// A device that signs with a P-256 key held in memory.
struct MemorySigner: DeviceSigner {
    private let key: P256.Signing.PrivateKey
    let publicKey: [UInt8]

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = Array(key.publicKey.derRepresentation)
    }

    /// The key follows from `seed`: whoever knows the seed has the key.
    init(seed: UInt64) {
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

    func signature(for message: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: message).rawRepresentation)
        } catch {
            preconditionFailure("signing with a valid P-256 key failed: \(error)")
        }
    }
}
