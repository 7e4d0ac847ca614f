import Crypto
import SyncProtocol

/// A device of an oracle: its key follows from a number.
struct OracleSigner: DeviceSigner {
    private let key: P256.Signing.PrivateKey
    let publicKey: [UInt8]

    /// - Parameter number: 1 to 254.
    init(_ number: UInt8) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: number, count: 32)) else {
            preconditionFailure("\(number) gives no key")
        }
        self.key = key
        publicKey = Array(key.publicKey.derRepresentation)
    }

    func signature(for message: [UInt8]) -> [UInt8] {
        guard let signature = try? key.signature(for: message) else { preconditionFailure("a key does not sign") }
        return Array(signature.rawRepresentation)
    }
}

/// An input of a fuzzer as messages: 2 bytes length, then as many bytes as there are.
enum OracleMessages {
    static func cut(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var (rest, messages) = (bytes, [[UInt8]]())
        while rest.count > 2 {
            let size = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            let message = rest.dropFirst(2).prefix(size)
            rest = rest.dropFirst(2 + message.count)
            if !message.isEmpty { messages.append(Array(message)) }
        }
        return messages
    }
}
