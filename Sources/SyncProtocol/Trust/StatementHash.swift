import Crypto

/// Which statement it is, to the byte: SHA-256 over what its signature covers and over the signature.
///
/// Two statements with the same hash are the same one, for nobody can make a second one to it. So a statement that was
/// verified once need not be verified again where it comes once more.
package struct StatementHash: Hashable, Comparable, Sendable {
    /// The bytes of a fingerprint.
    static let fingerprintSize = 8

    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(signed: [UInt8], signature: [UInt8]) {
        var text = CanonicalBytes()
        text.add(signed)
        text.add(signature)
        let hash = Array(SHA256.hash(data: text.bytes))
        func word(_ index: Int) -> UInt64 { hash[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(0), word(1), word(2), word(3))
    }

    var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// The hash in short, as it is listed on a link. Nobody knows the salt before that link, so nobody can make up a
    /// statement that another one is taken for.
    func fingerprint(salt: [UInt8]) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth statement 1")
        text.add(salt)
        text.add(bytes)
        return Array(SHA256.hash(data: text.bytes).prefix(Self.fingerprintSize))
    }

    package static func == (a: StatementHash, b: StatementHash) -> Bool { a.words == b.words }

    package static func < (a: StatementHash, b: StatementHash) -> Bool { a.words < b.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
