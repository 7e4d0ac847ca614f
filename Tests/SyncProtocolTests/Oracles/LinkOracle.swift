import MergeCore

@testable import SyncProtocol

/// What must hold of a link, whatever a member sends: every delta that it hands on lies within its own bounds, and what
/// the checks of a join let in can be joined, stored and shown.
enum LinkOracle {
    /// - Parameter bytes: The messages that come after the peer's Hello (``OracleMessages``).
    /// - Returns: One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        var link = PeerLink(localName: "fuzzed", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        var hello = WireHello()
        hello.version = ProtocolVersion.sync
        _ = link.received(WireFrame.bytes(.hello(hello)), now: 0)
        _ = link.keepCopies(true)
        _ = link.wantAcks(of: [DeviceID(high: 2, low: 2)])
        _ = link.askForCopy(of: profile, copy, from: 0)
        var states: [ProfileID: ProfileState] = [:]
        for message in OracleMessages.cut(bytes[...]) {
            askAgain(&link)
            for action in link.received(FrameEncoder.frame(message), now: 1) {
                if case .copyPart = action { _ = link.askForCopy(of: profile, copy, from: 0) }
                guard case .delta(let delta) = action else { continue }
                if let fault = fault(delta, &states) { return fault }
                let vector = states[delta.profile]?.vector ?? VersionVector()
                _ = link.acknowledge(delta.profile, vector: vector)
            }
        }
        return nil
    }

    private static let profile = ProfileID(high: 1, low: 1)
    private static let copy = CopyFacts(day: 20_261_129, size: 70_000, checksum: Array(repeating: 1, count: 32))

    /// Asks again what was answered, so that parts of forms and digests are not unasked.
    private static func askAgain(_ link: inout PeerLink) {
        if !link.isAskingForForm { _ = link.askForForm(of: profile, from: 0, size: nil) }
        guard !link.isAskingForDigests else { return }
        let end = VersionVector.Entry(sequence: 1, history: 1)
        guard let span = WriteSpan(ReplicaID(high: 1, low: 1), after: 0, upTo: end) else { return }
        _ = link.askForDigests(DigestQuestion(profile: profile, spans: [span]))
    }

    private static func fault(_ delta: IncomingDelta, _ states: inout [ProfileID: ProfileState]) -> String? {
        guard delta.atoms.allSatisfy({ delta.to.covers($0.atom.dot) }) else { return "an atom lies beyond its delta" }
        guard delta.cut.allSatisfy({ delta.to.sequence(of: $0) > 0 }) else { return "a cut names what is not sent" }
        var state = states[delta.profile] ?? ProfileState()
        guard state.vector.covers(delta.from), state.refusal(of: delta.atoms) == nil else { return nil }
        state.join(delta.atoms, vector: delta.to)
        states[delta.profile] = state
        return StateOracle.fault(state)
    }
}
