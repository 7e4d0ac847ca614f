/// The two kinds of device keys, recognised from DER SubjectPublicKeyInfo.
///
/// For both kinds DER allows only one encoding of the bytes before the key itself (RFC 5480, RFC 8410). So comparing
/// this prefix is a complete parse.
enum KeyKind {
    case p256
    case ed25519

    static let ed25519RawBytes = 32
    private static let p256RawBytes = 65
    /// SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING (…) }. The next byte must be 4, for an
    /// uncompressed point.
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
        0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    /// SEQUENCE { SEQUENCE { id-Ed25519 }, BIT STRING (…) }
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    init?(subjectPublicKeyInfo key: [UInt8]) {
        if key.count == Self.p256Prefix.count + Self.p256RawBytes, key.starts(with: Self.p256Prefix),
            key[Self.p256Prefix.count] == 4
        {
            self = .p256
        } else if key.count == Self.ed25519Prefix.count + Self.ed25519RawBytes, key.starts(with: Self.ed25519Prefix) {
            self = .ed25519
        } else {
            return nil
        }
    }
}
