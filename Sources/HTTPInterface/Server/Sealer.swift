import ControlInterface
import HouseholdAgent
import Libc
import SyncProtocol
import Synchronization

/// Opens encrypted transfer files with a passphrase, and encrypts signed ones.
///
/// To make a key of a passphrase takes up to 128 MiB and most of a second. So that is done on a thread of its own, beside
/// the agent, and one at a time: another one is told to try again. Nothing of it is kept, neither the passphrase nor the
/// file, and nothing is logged.
final class Sealer: Sendable {
    typealias Open = @Sendable (_ file: [UInt8], _ passphrase: [UInt8]) throws(TransferFault) -> [UInt8]

    /// The most bytes of a passphrase of a new file; commands read no longer one.
    static let passphraseLimit = 1_024

    private let opening: Open
    private let isBusy = Mutex(false)

    init(
        open: @escaping Open = { file, passphrase throws(TransferFault) in
            try SealedTransfer.open(file, passphrase: passphrase)
        }
    ) {
        opening = open
    }

    /// The signed file, or why there is none.
    func open(_ file: FileWithPassphrase) async -> WebAnswer {
        await answer { [opening] () throws(TransferFault) in
            UnsealedFile(data: Base64Bytes(bytes: try opening(file.bytes, file.passphrase)))
        }
    }

    /// The encrypted file, or why there is none.
    func seal(_ file: FileWithPassphrase) async -> WebAnswer {
        guard 1...Self.passphraseLimit ~= file.passphrase.count else {
            return WebAnswer(
                Refusal(400, "A passphrase has 1 to \(Self.passphraseLimit) bytes; nothing was encrypted."))
        }
        guard (try? TransferFormat.form(of: file.bytes)) == .signed else {
            return WebAnswer(Refusal(400, "Only a transfer file that is not encrypted can be; nothing was encrypted."))
        }
        var random = SystemRandomNumberGenerator()
        let salt = (0..<SealedTransfer.saltSize).map { _ in UInt8.random(in: 0...255, using: &random) }
        return await answer { () throws(TransferFault) in
            let bytes = try SealedTransfer.seal(file.bytes, passphrase: file.passphrase, salt: salt)
            return SealedFile(data: Base64Bytes(bytes: bytes))
        }
    }

    /// Works on a thread of its own, unless one works already.
    private func answer<Message: AgentMessage>(
        _ work: @escaping @Sendable () throws(TransferFault) -> Message
    ) async -> WebAnswer {
        let isFirst = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFirst else {
            return WebAnswer(Refusal(503, "Another passphrase is being worked on; try again in a moment."))
        }
        return await withCheckedContinuation { continuation in
            let hasBegun = OwnThread.start { [self] in
                let answer: WebAnswer
                do throws(TransferFault) {
                    answer = .json(ControlCoding.bytes(try work()))
                } catch {
                    answer = WebAnswer(AgentFailure(error.reason == .newer ? .tooOld : .failed, "\(error)"))
                }
                isBusy.withLock { $0 = false }
                continuation.resume(returning: answer)
            }
            guard !hasBegun else { return }
            isBusy.withLock { $0 = false }
            let why = "the passphrase cannot be worked on now; end other programs, and try again"
            continuation.resume(returning: WebAnswer(AgentFailure(.failed, why)))
        }
    }
}
