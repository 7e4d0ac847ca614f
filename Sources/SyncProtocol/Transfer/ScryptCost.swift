import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cost of trying one passphrase: the parameters of scrypt (RFC 7914).
package struct ScryptCost: Hashable, Sendable {
    /// The binary logarithm of N. Scrypt takes N · r · 128 bytes of memory.
    package let logN: UInt8
    package let r: UInt8
    package let p: UInt8

    /// `nil` for a cost above what a file may demand of its reader (128 MiB, and four times the work that this memory
    /// needs), and for parameters that scrypt does not allow: N has to be smaller than 2^(16 r).
    package init?(logN: UInt8, r: UInt8, p: UInt8) {
        guard 10...17 ~= logN, 1...8 ~= r, 1...4 ~= p, Int(logN) < 16 * Int(r) else { return nil }
        (self.logN, self.r, self.p) = (logN, r, p)
    }

    private init(_ logN: UInt8, _ r: UInt8, _ p: UInt8) { (self.logN, self.r, self.p) = (logN, r, p) }

    /// 128 MiB, well under a second.
    package static let standard = ScryptCost(17, 8, 1)

    /// Derives the key of 32 bytes from a passphrase.
    ///
    /// - Throws: ``TransferFault`` where the memory is not available.
    func key(_ passphrase: [UInt8], salt: [UInt8]) throws(TransferFault) -> SymmetricKey {
        do {
            return try KDF.Scrypt.deriveKey(
                from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << Int(logN), blockSize: Int(r),
                parallelism: Int(p))
        } catch {
            throw TransferFault(
                .tooLarge,
                "the passphrase cannot be worked on, which takes 128 MiB; end other programs"
            )
        }
    }
}
