import MergeCore

@testable import SyncProtocol

/// What must hold of a file from a stranger: it is refused in a sentence, or what it holds can be joined, stored and shown.
enum TransferOracle {
    private static let signer = OracleSigner(3)

    /// - Parameter bytes: The first byte: 0, a whole file follows; 1, the content of a signed one; else the frames in a
    ///   sound content.
    /// - Returns: One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let mode = bytes.first else { return nil }
        let rest = Array(bytes.dropFirst())
        switch mode {
        case 0:
            openWithoutWork(rest)
            return fault(file: rest)
        case 1: return fault(signed: rest)
        default:
            let content = TransferContent(
                household: HouseholdID(high: 1, low: 1), deviceName: "peer", time: 0, roster: [],
                document: Array("{}".utf8), frames: rest)
            return fault(signed: content.bytes)
        }
    }

    private static func fault(signed content: [UInt8]) -> String? {
        (try? TransferFile.bytes(content, by: signer)).flatMap { fault(file: $0) }
    }

    private static func fault(file: [UInt8]) -> String? {
        do throws(TransferFault) {
            let transfer = try TransferFile.read(file)
            guard transfer.delta.atoms.allSatisfy({ transfer.delta.to.covers($0.atom.dot) }) else {
                return "an atom lies beyond its delta"
            }
            guard ProfileState().refusal(of: transfer.delta.atoms) == nil else { return nil }
            _ = transfer.adoptedID
            _ = try? transfer.document { _ in true }
            return StateOracle.fault(transfer.state)
        } catch {
            return error.description.isEmpty || error.description.contains("\n") ? "not one sentence: \(error)" : nil
        }
    }

    /// The header of an encrypted file, unless its passphrase would cost half a second for each input.
    private static func openWithoutWork(_ file: [UInt8]) {
        guard file.count > 14, ScryptCost(logN: file[12], r: file[13], p: file[14]) == nil else { return }
        _ = try? SealedTransfer.open(file, passphrase: [1])
    }
}
