import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A transfer file that is encrypted with a passphrase. It holds a whole signed file. Numbers are little-endian.
///
/// | at | bytes | what |
/// |---|---|---|
/// | 0 | 12 | see ``TransferFormat``; form 1 |
/// | 12 | 1 | scrypt: binary logarithm of N, 10 to 17 |
/// | 13 | 1 | scrypt: r, 1 to 8 |
/// | 14 | 1 | scrypt: p, 1 to 4 |
/// | 15 | 1 | 0 |
/// | 16 | 16 | salt, random for every file |
/// | 32 | 8 | bytes of the signed file |
/// | 40 | | the signed file, ChaCha20-Poly1305 (RFC 8439) |
/// | | 16 | its tag |
///
/// The key is the 32 bytes that scrypt gives; it is used once, so the nonce is 12 zero bytes. The 40 bytes of the
/// header are the additional authenticated data. They are checked against their bounds before any work is done or
/// memory is taken for them.
package enum SealedTransfer {
    private static let headerSize = 40
    private static let tagSize = 16
    /// Bytes by which a sealed file is larger than the signed file in it.
    package static let overhead = headerSize + tagSize
    /// Bytes of a salt.
    package static let saltSize = 16

    /// - Parameters:
    ///   - passphrase: The bytes of the passphrase as they were typed; not empty.
    ///   - salt: ``saltSize`` random bytes, never used before.
    package static func seal(
        _ file: [UInt8], passphrase: [UInt8], salt: [UInt8], cost: ScryptCost = .standard
    ) throws(TransferFault) -> [UInt8] {
        precondition(!passphrase.isEmpty && salt.count == saltSize, "a passphrase and a salt are needed")
        let key = try cost.key(passphrase, salt: salt)
        var header = TransferFormat.start(.sealed) + [cost.logN, cost.r, cost.p, 0] + salt
        header += TransferFormat.little(UInt64(file.count))
        do {
            let box = try ChaChaPoly.seal(
                file, using: key, nonce: nonce(), authenticating: header)
            return header + box.ciphertext + box.tag
        } catch {
            preconditionFailure("a file of \(file.count) bytes could not be encrypted: \(error)")
        }
    }

    /// Decrypts the signed file. Its content is not checked here.
    package static func open(_ bytes: [UInt8], passphrase: [UInt8]) throws(TransferFault) -> [UInt8] {
        guard try TransferFormat.form(of: bytes) == .sealed else {
            throw TransferFault(.foreign, "the transfer file is not encrypted")
        }
        guard bytes.count >= overhead else { throw .damaged("it ends within its header") }
        guard bytes[15] == 0 else { throw .newer("an encrypted file with features unknown here") }
        guard let cost = ScryptCost(logN: bytes[12], r: bytes[13], p: bytes[14]) else {
            throw .damaged("it asks for more work than any passphrase is worth")
        }
        guard bytes.count <= TransferFormat.fileLimit,
            TransferFormat.number(bytes, at: 32) == UInt64(bytes.count - overhead)
        else { throw .damaged("it has another length than was written") }
        guard !passphrase.isEmpty else { throw wrong }
        let (header, end) = (Array(bytes[..<headerSize]), bytes.count - tagSize)
        let key = try cost.key(passphrase, salt: Array(bytes[16..<headerSize - 8]))
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: nonce(), ciphertext: bytes[headerSize..<end], tag: bytes[end...])
            return Array(try ChaChaPoly.open(box, using: key, authenticating: header))
        } catch {
            throw wrong
        }
    }

    private static var wrong: TransferFault {
        TransferFault(
            .locked,
            "the passphrase is wrong, or the transfer file is damaged; try again, or take another copy"
        )
    }

    private static func nonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }
}
