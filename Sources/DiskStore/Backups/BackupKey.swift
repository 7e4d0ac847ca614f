import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reason why a text is not valid as recovery words, in one sentence.
package struct RecoveryWordsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// The key that backups are encrypted with: 128 random bits.
///
/// People write it down as nine words of five letters: eight proquints (D. Wilkerson, "A Proposal for Proquints",
/// arXiv:0901.4016) for the key, and one checksum word, so that a word that was misread or is in the wrong place is
/// noticed.
package struct BackupKey: Hashable, Sendable {
    let bytes: [UInt8]

    /// Makes a new random key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    init(bytes: [UInt8]) {
        precondition(bytes.count == 16, "a backup key has 16 bytes")
        self.bytes = bytes
    }

    /// The key's id, which identifies the key without revealing it: the first 8 bytes of SHA-256 over "hearth backup
    /// key id" and the key.
    var id: [UInt8] { Array(SHA256.hash(data: Array("hearth backup key id".utf8) + bytes).prefix(8)) }

    /// The key of one file: 32 bytes by HKDF-SHA256 (RFC 5869) from this key and the file's salt; info: "hearth backup
    /// 2".
    func fileKey(salt: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes), salt: salt, info: Array("hearth backup 2".utf8),
            outputByteCount: 32)
    }

    // MARK: Words

    /// The recovery words, with spaces between them.
    package var words: String { (pairs + [check]).map(Proquint.word).joined(separator: " ") }

    /// Reads recovery words: nine, in any case, with spaces or hyphens between them.
    package init(words text: String) throws(RecoveryWordsError) {
        let words = text.prefix(1_000).lowercased().split { $0.isWhitespace || $0 == "-" }
        guard words.count == 9 else {
            throw RecoveryWordsError(
                description: "there are \(words.count) words where nine belong; type all of them, in their order")
        }
        var pairs: [UInt16] = []
        for (index, word) in words.enumerated() {
            guard let pair = Proquint.number(word) else {
                throw RecoveryWordsError(
                    description: "word \(index + 1), \"\(word.prefix(20))\", is no recovery word; look at it again")
            }
            pairs.append(pair)
        }
        self.init(bytes: pairs.dropLast().flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        guard check == pairs[8] else {
            throw RecoveryWordsError(
                description: "the words do not belong together; look for one misread or out of its place")
        }
    }

    private var pairs: [UInt16] {
        stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }

    private var check: UInt16 {
        let hash = Array(SHA256.hash(data: Array("hearth backup key words".utf8) + bytes))
        return UInt16(hash[0]) << 8 | UInt16(hash[1])
    }
}

/// Sixteen bits as a word of five letters that can be spoken.
enum Proquint {
    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    static func word(_ number: UInt16) -> String {
        func consonant(_ shift: UInt16) -> Character { consonants[Int(number >> shift & 0xF)] }
        func vowel(_ shift: UInt16) -> Character { vowels[Int(number >> shift & 0x3)] }
        return String([consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)])
    }

    static func number(_ word: some StringProtocol) -> UInt16? {
        guard word.count == 5 else { return nil }
        var number: UInt16 = 0
        for (index, letter) in word.enumerated() {
            guard let digit = (index % 2 == 0 ? consonants : vowels).firstIndex(of: letter) else { return nil }
            number = number << (index % 2 == 0 ? 4 : 2) | UInt16(digit)
        }
        return number
    }
}
