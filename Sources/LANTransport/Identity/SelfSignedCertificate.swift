import Crypto
import NIOSSL
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The self-signed certificates that TLS needs around the keys: makes this device's, and checks a peer's.
enum SelfSignedCertificate {
    /// Makes a certificate that reveals nothing about the device or its owner, and is valid whatever date a clock
    /// shows.
    static func make(for key: P256.Signing.PrivateKey) throws(CredentialsError) -> [UInt8] {
        do {
            let name = try DistinguishedName { CommonName("hearth") }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(bytes: [1]),
                publicKey: .init(key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: 0),
                // 9999-12-31 23:59:59, which stands for "no end" (RFC 5280, section 4.1.2.5).
                notValidAfter: Date(timeIntervalSince1970: 253_402_300_799),
                issuer: name,
                subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: .init(),
                issuerPrivateKey: .init(key)
            )
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        } catch {
            throw CredentialsError(
                code: .notAKey,
                message: "No certificate can be made for the device's key (\(error)): "
                    + "move device.key away to start with a new key and pair this device again."
            )
        }
    }

    /// The result of checking a peer's certificates.
    enum Verdict {
        /// The peer showed one self-signed certificate with this key (DER SubjectPublicKeyInfo). A completed handshake
        /// proves that the peer has the private key.
        case accepted(key: [UInt8])
        /// The certificates are refused; the text says why.
        case refused(String)
    }

    /// Checks the certificates that a peer showed. Whether the peer may connect is the agent's decision, by the key.
    static func examine(_ chain: [NIOSSLCertificate], maximumBytes: Int) -> Verdict {
        guard chain.count == 1, let leaf = chain.first else {
            return .refused("it showed \(chain.count) certificates in place of one")
        }
        guard let der = try? leaf.toDERBytes(), der.count <= maximumBytes else {
            return .refused("its certificate is too large")
        }
        guard let key = try? leaf.extractPublicKey().toSPKIBytes(), KeyKind(subjectPublicKeyInfo: key) != nil else {
            return .refused("its key is neither P-256 nor Ed25519")
        }
        guard let certificate = try? Certificate(derEncoded: der) else {
            return .refused("its certificate is malformed")
        }
        guard certificate.issuer == certificate.subject,
            certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        else { return .refused("its certificate is not self-signed") }
        return .accepted(key: key)
    }
}
