import Crypto
package import MergeCore

/// A device's public key, which is the device's identity: DER SubjectPublicKeyInfo of P-256 (RFC 5480) or Ed25519 (RFC
/// 8410).
///
/// For both kinds DER allows only one way to write the bytes before the key itself. So parsing is a comparison with
/// that prefix, and one key cannot be written in two accepted ways.
package struct DeviceKey: Hashable, Comparable, Sendable {
    /// DER SubjectPublicKeyInfo, 91 or 44 bytes.
    package let bytes: [UInt8]
    /// The first 16 bytes of SHA-256 over the key.
    package let id: DeviceID

    /// `nil` for anything but a well-formed key of the two kinds.
    package init?(_ subjectPublicKeyInfo: some Collection<UInt8>) {
        guard subjectPublicKeyInfo.count <= Limits.key else { return nil }
        let bytes = Array(subjectPublicKeyInfo)
        guard Self.kind(of: bytes) != nil, let id = DeviceID(bytes: Array(SHA256.hash(data: bytes).prefix(16))) else {
            return nil
        }
        (self.bytes, self.id) = (bytes, id)
    }

    /// Whether `signature` over `message` was made with this key: 64 bytes, for P-256 r and s over SHA-256.
    package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        guard let verified = VerifiedSignatures.current else { return verify(signature, message) }
        return verified.isValid(signature, of: message, by: bytes) { verify(signature, message) }
    }

    private func verify(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        switch Self.kind(of: bytes) {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(derRepresentation: bytes),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        case .ed25519:
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes.suffix(32)) else { return false }
            return key.isValidSignature(signature, for: message)
        case nil: return false
        }
    }

    // The id follows from the bytes.
    package static func == (a: DeviceKey, b: DeviceKey) -> Bool { a.bytes == b.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    package static func < (a: DeviceKey, b: DeviceKey) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    private enum Kind { case p256, ed25519 }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.count == 91, bytes.starts(with: p256Prefix) { return .p256 }
        if bytes.count == 44, bytes.starts(with: ed25519Prefix) { return .ed25519 }
        return nil
    }

    /// SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING (…) }, and 4 for an uncompressed point.
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
        0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    /// SEQUENCE { SEQUENCE { id-Ed25519 }, BIT STRING (…) }
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}
