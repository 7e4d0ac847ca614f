import Synchronization

/// Signatures that were verified before, so that many simulated devices in one process do not verify the same one again
/// and again: each takes about 0.1 ms.
///
/// An agent has none: it verifies what it gets once. The answer is the same with and without it, since it is looked up by
/// the key, the signature and the whole message; what was found invalid is verified again.
package final class VerifiedSignatures: Sendable {
    /// Those of the task that runs; `nil` in an agent.
    @TaskLocal package static var current: VerifiedSignatures?

    /// With more than so many all are forgotten, so that they take a few megabytes at most.
    private static let limit = 16_384

    private let known = Mutex<Set<[UInt8]>>([])

    package init() {}

    /// Whether a signature is valid, by `verify` where that is not known yet.
    ///
    /// - Parameters:
    ///   - key: The signer's public key in DER, of which the first bytes tell the length.
    ///   - signature: 64 bytes.
    func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8], verify: () -> Bool) -> Bool {
        let all = key + signature + message
        if known.withLock({ $0.contains(all) }) { return true }
        guard verify() else { return false }
        known.withLock { known in
            if known.count >= Self.limit { known = [] }
            known.insert(all)
        }
        return true
    }
}
