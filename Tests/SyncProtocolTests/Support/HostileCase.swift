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

    /// The link ends with the sentence, hands nothing on, and stays closed.
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        var link = Forge.openLink()
        let actions = link.received(bytes(), now: 1)
        let closure = try #require(actions.closure, sourceLocation: sourceLocation)
        #expect(closure.blame == .peer, sourceLocation: sourceLocation)
        #expect(closure.reason.contains(sentence), "\(closure.reason)", sourceLocation: sourceLocation)
        #expect(actions.deltas.isEmpty, sourceLocation: sourceLocation)
        let isClosed = link.isClosed
        #expect(isClosed, sourceLocation: sourceLocation)
        // And stays closed, whatever comes.
        #expect(link.received(Forge.delta(), now: 2).isEmpty, sourceLocation: sourceLocation)
        #expect(link.changed(profile, vector: VersionVector()).isEmpty, sourceLocation: sourceLocation)
        #expect(link.goodbye("again").isEmpty, sourceLocation: sourceLocation)
    }
}
