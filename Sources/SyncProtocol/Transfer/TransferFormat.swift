/// The header with which both forms of a transfer file begin. Numbers are little-endian.
///
/// | at | bytes | what |
/// |---|---|---|
/// | 0 | 8 | magic: 89 "HTF" 0D 0A 1A 0A, so that a transfer as text is noticed |
/// | 8 | 2 | version of the format: 1 |
/// | 10 | 2 | form: 0 signed (``TransferFile``), 1 sealed (``SealedTransfer``) |
///
/// Every later version begins with the same ten bytes.
package enum TransferFormat {
    package enum Form: UInt16, Hashable, Sendable {
        case signed = 0
        case sealed = 1
    }

    static let version: UInt16 = 1
    static let magic: [UInt8] = [0x89] + Array("HTF".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]
    static let startSize = 12

    /// Bytes of a signed file.
    package static let signedLimit = 64 << 20
    /// Bytes of a file of either form.
    package static let fileLimit = signedLimit + SealedTransfer.overhead
    /// Bytes of the uncompressed content of a signed file: a document and the largest delta.
    static let contentLimit = 130 << 20

    /// Whether bytes begin like a transfer file of any version.
    package static func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: magic) }

    /// The form of a file, by its first bytes.
    package static func form(of bytes: [UInt8]) throws(TransferFault) -> Form {
        guard begins(bytes) else {
            throw TransferFault(.foreign, "the file does not begin as a transfer file of Hearth")
        }
        guard bytes.count >= startSize else { throw .damaged("it ends within its header") }
        let version: UInt16 = number(bytes, at: 8)
        guard version > 0 else { throw .damaged("it has no version") }
        guard version == Self.version else { throw .newer("format \(version)") }
        guard let form = Form(rawValue: number(bytes, at: 10)) else {
            throw .newer("an unknown form of format \(version)")
        }
        return form
    }

    static func start(_ form: Form) -> [UInt8] { magic + little(version) + little(form.rawValue) }

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// The number at an offset that lies within the bytes.
    static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}
