import ControlInterface
import HouseholdAgent
import LosslessJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A transfer file with the passphrase that a person typed for it, as the page sends them.
struct FileWithPassphrase: Sendable {
    let bytes: [UInt8]
    let passphrase: [UInt8]

    /// Reads the body of a request.
    ///
    /// - Throws: ``Refusal`` for anything but an object with the file in base64 and the passphrase. What was typed is not
    ///   in its sentence.
    init(_ body: [UInt8]) throws(Refusal) {
        let limits = JSONLimits(bytes: ControlCoding.requestLimit)
        guard let document = try? JSONDocument(parsing: body, limits: limits),
            case .object(let members) = document.value(document.root), members.count == 2,
            case .string(let file)? = members.first(where: { $0.key == "data" })?.value,
            case .string(let typed)? = members.first(where: { $0.key == "passphrase" })?.value,
            let data = Data(base64Encoded: Data(file.bytes))
        else {
            throw Refusal(
                400,
                "A file is sent with its passphrase, as {\"data\": \"…\", \"passphrase\": \"…\"}, data in base64.")
        }
        (bytes, passphrase) = (Array(data), typed.bytes)
    }

    /// The shape of the body.
    static let schema = Schema.object([
        Schema.Property(name: "data", schema: .text, isRequired: true),
        Schema.Property(name: "passphrase", schema: .text, isRequired: true),
    ])
}

/// The encrypted transfer file that was made of a signed one.
struct SealedFile: AgentMessage, Hashable {
    static let event = "sealed"

    var data: Base64Bytes
}

/// The signed transfer file that was in an encrypted one. Its content is not checked yet: `importTransfer` does that.
struct UnsealedFile: AgentMessage, Hashable {
    static let event = "unsealed"

    var data: Base64Bytes
}
