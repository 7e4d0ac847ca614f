import MergeCore
import SyncProtocol
import Testing

/// Bytes that break the protocol, and a part of the sentence that says so.
struct HostileCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sentence: String
    let bytes: @Sendable () -> [UInt8]

    init(_ name: String, _ sentence: String, _ bytes: @escaping @Sendable () -> [UInt8]) {
        testDescription = name
        self.sentence = sentence
        self.bytes = bytes
    }

    /// How a link ended on such bytes.
    struct Outcome {
        let blame: LinkClosure.Blame
        let reason: String
        /// The deltas that it handed on.
        let deltas: [IncomingDelta]
        let isClosed: Bool
        /// Its actions on what came after its end: a sound delta, a change and a goodbye. A closed link has none.
        let actionsAfterwards: [LinkAction]
    }

    /// Gives the bytes to an open link.
    ///
    /// - Throws: Where the link stays open.
    func outcome() throws -> Outcome {
        var link = Forge.openLink()
        let actions = link.received(bytes(), now: 1)
        let closure = try #require(actions.closure)
        let isClosed = link.isClosed
        var after = link.received(Forge.delta(), now: 2)
        after += link.changed(profile, vector: VersionVector())
        after += link.goodbye("again")
        return Outcome(
            blame: closure.blame, reason: closure.reason, deltas: actions.deltas, isClosed: isClosed,
            actionsAfterwards: after)
    }
}
