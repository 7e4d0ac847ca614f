import Crypto
package import MergeCore
import ZlibStreams

/// A transfer file that is signed and not encrypted. Numbers are little-endian.
///
/// | at | bytes | what |
/// |---|---|---|
/// | 0 | 12 | see ``TransferFormat``; form 0 |
/// | 12 | 2 | bytes of the signer's key |
/// | 14 | 2 | 0 |
/// | 16 | 8 | bytes of the content |
/// | 24 | 8 | bytes of the stored content |
/// | 32 | | the signer's key, DER SubjectPublicKeyInfo |
/// | | | the content (``TransferContent``) as one zlib stream |
/// | | 64 | signature by that key over "hearth transfer 1" and SHA-256 of all bytes before it, each preceded by its
/// length as 4 bytes, most significant first |
///
/// The signature covers the stored bytes, so nothing is uncompressed or parsed before it is known to come from the
/// signer.
package enum TransferFile {
    private static let headerSize = 32
    private static let signatureSize = 64

    /// Writes a profile as a signed transfer file.
    ///
    /// - Parameters:
    ///   - roster: The roster of this device: its name, its household and the devices that it trusts.
    ///   - document: The JSON text of a new file of the profile; empty where nothing is known.
    ///   - time: The date of the export.
    ///   - proof: The proof by which a reader accepts the writes of each replica.
    package static func bytes(
        _ profile: ProfileID, _ state: ProfileState, document: [UInt8], roster: Roster, time: WallTime,
        by signer: some DeviceSigner, proof: (ReplicaID, VersionVector.Entry) -> WriteProof?
    ) throws(TransferFault) -> [UInt8] {
        let content = TransferContent(
            household: roster.household, deviceName: roster.name, time: time, roster: roster.statements,
            document: document, frames: try TransferDelta.frames(profile, state, proof: proof)
        ).bytes
        return try bytes(content, by: signer)
    }

    static func bytes(_ content: [UInt8], by signer: some DeviceSigner) throws(TransferFault) -> [UInt8] {
        let stored = ZlibStream.compressed(content, level: 6)
        let key = signer.key.bytes
        guard content.count <= TransferFormat.contentLimit,
            headerSize + key.count + stored.count + signatureSize <= TransferFormat.signedLimit
        else {
            throw TransferFault(
                .tooLarge,
                "the profile cannot be exported: the file would have more than \(TransferFormat.signedLimit) bytes"
            )
        }
        var file = TransferFormat.start(.signed)
        file += TransferFormat.little(UInt16(key.count)) + [0, 0]
        file += TransferFormat.little(UInt64(content.count)) + TransferFormat.little(UInt64(stored.count))
        file += key + stored
        return file + signer.signature(for: text(file[...]))
    }

    /// Reads a signed transfer file, and checks everything that can be checked without knowing a household.
    package static func read(_ bytes: [UInt8]) throws(TransferFault) -> Transfer {
        guard try TransferFormat.form(of: bytes) == .signed else {
            throw TransferFault(.locked, "the transfer file is encrypted; give its passphrase")
        }
        guard bytes.count <= TransferFormat.signedLimit else {
            throw TransferFault(.tooLarge, "the transfer file has more than \(TransferFormat.signedLimit) bytes")
        }
        guard bytes.count >= headerSize + signatureSize else { throw .damaged("it ends too soon") }
        let keySize = Int(TransferFormat.number(bytes, at: 12) as UInt16)
        guard bytes[14] == 0, bytes[15] == 0 else { throw .newer("a signed file with features unknown here") }
        guard let size = Int(exactly: TransferFormat.number(bytes, at: 16) as UInt64),
            let stored = Int(exactly: TransferFormat.number(bytes, at: 24) as UInt64), keySize <= Limits.key,
            size <= TransferFormat.contentLimit, stored <= bytes.count,
            bytes.count == headerSize + keySize + stored + signatureSize
        else { throw .damaged("it has another length than was written") }
        guard let signer = DeviceKey(bytes[headerSize..<headerSize + keySize]) else {
            throw .damaged("its key is none")
        }
        let end = bytes.count - signatureSize
        guard signer.isValid(signature: Array(bytes[end...]), for: text(bytes[..<end])) else {
            throw .damaged("its signature does not fit")
        }
        let content: [UInt8]
        do {
            content = try ZlibStream.inflated(Array(bytes[headerSize + keySize..<end]), limit: size)
        } catch {
            throw .damaged("it cannot be uncompressed")
        }
        guard content.count == size else { throw .damaged("it has another length than was written") }
        let fields = try TransferContent(content)
        return Transfer(
            signer: signer, deviceName: fields.deviceName, household: fields.household, time: fields.time,
            roster: fields.roster, delta: try TransferDelta.read(fields.frames), document: fields.document)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text = CanonicalBytes(label: "hearth transfer 1")
        text.add(Array(SHA256.hash(data: bytes)))
        return text.bytes
    }
}
