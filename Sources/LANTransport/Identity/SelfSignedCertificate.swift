import Crypto
import NIOSSL
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The certificate TLS needs around a key: how ours is made, and what is asked of a peer's.
enum SelfSignedCertificate {
    /// A certificate that says nothing about the device or its owner and is valid at any date a clock can show.
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

    /// What a look at the certificates a peer showed leads to.
    enum Verdict {
        /// One self-signed certificate; once the handshake is through, TLS has proved this key (DER
        /// SubjectPublicKeyInfo).
        case accepted(key: [UInt8])
        /// Not such a certificate; the text says why.
        case refused(String)
    }

    /// Looks at the certificates a peer showed. Who may connect is not decided here but by the agent, from the key.
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
