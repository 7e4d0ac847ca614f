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
        // So that parts of copies and forms, and words, are not all unasked.
        _ = link.keepCopies(true)
        var states: [ProfileID: ProfileState] = [:]
        for message in OracleMessages.cut(bytes[...]) {
            for action in link.received(FrameEncoder.frame(message), now: 1) {
                guard case .delta(let delta) = action else { continue }
                if let fault = fault(delta, &states) { return fault }
                let vector = states[delta.profile]?.vector ?? VersionVector()
                _ = link.acknowledge(delta.profile, vector: vector)
            }
        }
        return nil
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
