import Crypto

/// The device's long-lived P-256 key and its self-signed certificate.
///
/// The key is the device's identity. The certificate is made in memory at each start; its names and dates are never
/// checked.
package struct DeviceCredentials: Sendable {
    /// The public key as DER SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7), 91 bytes.
    package let publicKey: [UInt8]
    /// The self-signed certificate in DER.
    let certificate: [UInt8]
    private let privateKey: P256.Signing.PrivateKey

    /// The private key as PKCS #8 DER, for TLS.
    var privateKeyDER: [UInt8] { Array(privateKey.derRepresentation) }

    /// Reads the key from `device.key` in `folder`; makes one there at the first start.
    ///
    /// The file is PEM with mode 0600, and is durable before it is used. A file that gives rights to group or others is
    /// refused, because another person may know its key.
    ///
    /// - Throws: ``CredentialsError`` with a sentence that says what to do.
    package static func loadOrCreate(in folder: String) throws(CredentialsError) -> DeviceCredentials {
        let file = KeyFile(folder: folder)
        // A new key is read back from the file, because the file decides: where two first starts run at once, only one
        // key wins. The other start tries again, at most three times.
        for _ in 0..<3 {
            if let text = try file.load() { return try DeviceCredentials(parse(text, at: file.path)) }
            try file.create(P256.Signing.PrivateKey().pemRepresentation + "\n")
        }
        throw CredentialsError(
            code: .cannotCreate,
            message: "No private key can be made at \(file.path) because other starts do the same: start again."
        )
    }

    init(_ key: P256.Signing.PrivateKey) throws(CredentialsError) {
        privateKey = key
        publicKey = Array(key.publicKey.derRepresentation)
        certificate = try SelfSignedCertificate.make(for: key)
    }

    private static func parse(_ text: String, at path: String) throws(CredentialsError) -> P256.Signing.PrivateKey {
        do {
            return try P256.Signing.PrivateKey(pemRepresentation: text)
        } catch {
            throw CredentialsError(
                code: .notAKey,
                message: "The file \(path) holds no P-256 private key in PEM: put your own copy of it back, or move it "
                    + "away to start with a new key and pair this device again."
            )
        }
    }

    /// Signs `message`: ECDSA on P-256 with SHA-256, as the 64 bytes r and s.
    package func signature(for message: [UInt8]) -> [UInt8] {
        do {
            return Array(try privateKey.signature(for: message).rawRepresentation)
        } catch {
            preconditionFailure("signing with a valid P-256 key failed: \(error)")
        }
    }

    /// Whether `signature` over `message` was made with the private key of `key`, a DER SubjectPublicKeyInfo.
    ///
    /// Takes P-256 and Ed25519 keys, the two kinds that TLS admits here. False for anything malformed.
    package static func isValid(signature: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        switch KeyKind(subjectPublicKeyInfo: key) {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(derRepresentation: key),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        case .ed25519:
            let raw = key.suffix(KeyKind.ed25519RawBytes)
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw) else { return false }
            return key.isValidSignature(signature, for: message)
        case nil:
            return false
        }
    }
}
