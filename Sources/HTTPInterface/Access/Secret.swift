/// A text that only those know who were given it, made of random bits.
struct Secret: Hashable, Sendable {
    let text: String

    /// Makes a secret of 256 bits, written as hexadecimal digits.
    init(_ random: inout some RandomNumberGenerator) {
        text = (0..<4).map { _ in
            let part = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - part.count) + part
        }.joined()
    }

    /// Whether a client has shown the secret. The time that this takes does not depend on where the texts differ.
    func matches(_ shown: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(shown.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
