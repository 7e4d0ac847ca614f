import LosslessJSON
import MergeCore
import Testing

@testable import SyncProtocol

/// Signed transfer files.
@Suite struct TransferFileTests {
    @Test func whatIsExportedIsRead() throws {
        let sample = try TransferSample()
        let transfer = try TransferFile.read(try sample.file())
        #expect(transfer.signer == sample.a.signer.key)
        #expect(transfer.deviceName == "laptop" && transfer.household == TransferSample.household)
        #expect(transfer.time == TransferSample.time && transfer.document == TransferSample.document)
        #expect(transfer.roster == sample.roster.statements)
        #expect(transfer.delta.profile == profile && transfer.delta.from.entries.isEmpty)
        #expect(transfer.delta.to == sample.state.vector)
        #expect(Set(transfer.delta.origins.map(\.replica)) == [sample.a.replica, sample.b.replica])
        #expect(transfer.state.sortedAtoms == sample.state.sortedAtoms)
    }

    /// Many frames, values of several frames, and a document of megabytes.
    @Test func aLargeProfileIsReadAsWell() throws {
        let sample = try TransferSample()
        let node = Node("c", 3)
        let text = "{" + (0..<20_000).map { "\"k\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
        node.write(profile, from: nil, to: text)
        node.put(
            profile,
            [
                (
                    AtomKey(DocumentPath(encoded: Array("/long".utf8)), .latest),
                    .register(
                        .live(1),
                        .string(JSONString(String(repeating: "ab\u{1F3AE}", count: 150_000)))
                    )
                )
            ]
        )
        let state = node.states[profile]!
        let document = [UInt8](repeating: UInt8(ascii: " "), count: 20 << 20) + Array(text.utf8)
        let file = try TransferFile.bytes(
            profile, state, document: document, roster: sample.roster, time: 0, by: node.signer, proof: node.proof)
        #expect(file.count < 2 << 20)
        let transfer = try TransferFile.read(file)
        #expect(transfer.state.sortedAtoms == state.sortedAtoms)
        #expect(transfer.document == document)
        #expect(transfer.delta.to == state.vector)
    }

    @Test func aProfileOfWhichNothingIsKnownCannotBeExported() throws {
        let sample = try TransferSample()
        #expect(throws: TransferFault.self) {
            try TransferFile.bytes(
                profile, ProfileState(), document: [], roster: sample.roster, time: 0, by: sample.a.signer
            ) { _, _ in nil }
        }
    }

    @Test func theIdOfAnAdoptedProfileFollowsFromTheProfileAlone() throws {
        let sample = try TransferSample()
        let transfer = try TransferFile.read(try sample.file())
        let other = try TransferFile.bytes(
            profile, sample.b.states[profile]!, document: [],
            roster: Roster(
                me: sample.b.signer.key, name: "deck", household: HouseholdID(high: 1, low: 1)), time: 5,
            by: sample.b.signer, proof: sample.proof)
        #expect(try TransferFile.read(other).adoptedID == transfer.adoptedID)
        #expect(transfer.adoptedID != profile)
        // Never to be changed: it is how a file that is taken up twice is one profile.
        #expect("\(transfer.adoptedID)" == "6a4ec5f8-752c-41f3-8aef-80557c3c360b")
    }

    /// What is counted here already does not come again as part of a start.
    @Test func aDocumentCanBeHadWithoutWhatSomeReplicasCounted() throws {
        let rules = try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter))])
        let (a, b) = (Node("a", 1), Node("b", 2))
        var state = ProfileState()
        func play(_ node: Node, _ old: Int, _ new: Int) throws {
            let base = try JSONDocument(parsing: Array(#"{"coins":\#(old)}"#.utf8))
            let save = try JSONDocument(parsing: Array(#"{"coins":\#(new)}"#.utf8))
            let context = WriteContext(replica: node.replica, now: 1, fileTime: 1, base: state.vector)
            _ = state.write(DocumentDiff(from: base, to: save, rules: rules).writes, context)
        }
        let context = WriteContext(replica: a.replica, now: 0, fileTime: 0, base: VersionVector())
        _ = state.changeRules(to: rules, document: nil, context)
        _ = state.adopt(try JSONDocument(parsing: Array(#"{"coins":300}"#.utf8)), context)
        try play(a, 300, 500)
        try play(b, 500, 480)
        let file = try TransferFile.bytes(
            profile,
            state,
            document: [],
            roster: Roster(me: a.signer.key, name: "a", household: TransferSample.household),
            time: 0, by: a.signer
        ) { a.proof($0, $1) ?? b.proof($0, $1) }
        let transfer = try TransferFile.read(file)
        func coins(without known: Set<ReplicaID>) throws -> String {
            String(decoding: try transfer.document { known.contains($0) }!.bytes, as: UTF8.self)
        }
        #expect(try coins(without: []) == #"{"coins":480}"#)
        #expect(try coins(without: [a.replica]) == #"{"coins":280}"#)
        #expect(try coins(without: [b.replica]) == #"{"coins":500}"#)
        #expect(try coins(without: [a.replica, b.replica]) == #"{"coins":300}"#)
    }
}
