import ControlInterface
import HouseholdAgent
import Libc
import SyncProtocol
import Synchronization

/// Opens encrypted transfer files with a passphrase.
///
/// A passphrase takes up to 128 MiB and most of a second to try. So that is done on a thread of its own, beside the agent,
/// and one at a time: another one is told to try again. Nothing of it is kept: neither the passphrase nor the file, and
/// nothing is logged.
final class Unsealer: Sendable {
    typealias Open = @Sendable (_ file: [UInt8], _ passphrase: [UInt8]) throws(TransferFault) -> [UInt8]

    private let open: Open
    private let isBusy = Mutex(false)

    init(
        open: @escaping Open = { file, passphrase throws(TransferFault) in
            try SealedTransfer.open(file, passphrase: passphrase)
        }
    ) {
        self.open = open
    }

    /// The signed file, or why there is none.
    func answer(to file: SealedFile) async -> WebAnswer {
        let isFirst = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFirst else {
            return WebAnswer(Refusal(503, "Another passphrase is being tried; try again in a moment."))
        }
        return await withCheckedContinuation { continuation in
            let hasBegun = OwnThread.start { [self] in
                let answer = opened(file)
                isBusy.withLock { $0 = false }
                continuation.resume(returning: answer)
            }
            guard !hasBegun else { return }
            isBusy.withLock { $0 = false }
            let failure = AgentFailure(.failed, "the passphrase cannot be tried now; end other programs, and try again")
            continuation.resume(returning: WebAnswer(failure))
        }
    }

    private func opened(_ file: SealedFile) -> WebAnswer {
        do throws(TransferFault) {
            let bytes = try open(file.bytes, file.passphrase)
            return .json(ControlCoding.bytes(UnsealedFile(data: Base64Bytes(bytes: bytes))))
        } catch {
            return WebAnswer(AgentFailure(error.reason == .newer ? .tooOld : .failed, "\(error)"))
        }
    }
}
