import Crypto
import SyncProtocol

/// A signer with an Ed25519 key that is derived from a seed. Its signatures are deterministic (RFC 8032), so a
/// simulated household sends the same bytes for the same seed. On Apple's systems that is not so: CryptoKit puts chance
/// into every signature. The digest of a run leaves out the bytes that are sent.
package struct SeededSigner: DeviceSigner {
    private let key: Curve25519.Signing.PrivateKey
    package let publicKey: [UInt8]

    package init(seed: UInt64) {
        let material = SHA256.hash(data: Array("hearth simulated device \(seed)".utf8))
        do {
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: material)
        } catch {
            preconditionFailure("any 32 bytes are an Ed25519 key: \(error)")
        }
        // DER SubjectPublicKeyInfo of Ed25519 (RFC 8410): a fixed prefix, then the key.
        let head: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        publicKey = head + Array(key.publicKey.rawRepresentation)
    }

    package func signature(for message: [UInt8]) -> [UInt8] {
        do {
            return Array(try key.signature(for: message))
        } catch {
            preconditionFailure("signing with a valid Ed25519 key failed: \(error)")
        }
    }
}
