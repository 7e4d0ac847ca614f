import LosslessJSON
import MergeCore
import Testing

/// One machine: the file a game writes, the snapshot of it that was last taken in, and what is known of the profile.
struct Device {
    private(set) var file: [UInt8]
    private(set) var state = ProfileState()
    private var snapshot: JSONDocument
    private var snapshotVector: VersionVector
    private let replica: ReplicaID
    private var now: WallTime

    init(_ number: UInt64, _ file: [UInt8], _ rules: RuleSet) throws {
        self.file = file
        replica = ReplicaID(high: 0, low: number)
        now = WallTime(milliseconds: 1_700_000_000_000 + Int64(number))
        snapshot = try JSONDocument(parsing: file)
        snapshotVector = state.vector
        _ = state.changeRules(to: rules, document: nil, context)
        let result = state.adopt(snapshot, context)
        #expect(result.unreadable.isEmpty, "the rules cannot read \(result.unreadable)")
        snapshotVector = state.vector
    }

    private var context: WriteContext {
        WriteContext(replica: replica, now: now, fileTime: now, base: snapshotVector)
    }

    /// The game saves: each text, which stands in the file once, becomes another.
    mutating func save(_ edits: [(from: String, to: String)], at seconds: Int64) throws {
        file = try edited(file, edits)
        now = max(now, 1_700_000_000_000) + .seconds(seconds)
        let document = try JSONDocument(parsing: file)
        let diff = DocumentDiff(from: snapshot, to: document, rules: state.rules)
        #expect(diff.unreadable.isEmpty && !diff.changes.isEmpty)
        let result = state.write(diff.writes, context)
        #expect(result.unreadable.isEmpty, "the rules cannot read \(result.unreadable)")
        (snapshot, snapshotVector) = (document, state.vector)
    }

    /// Takes what the other device has and this one has not, and writes the file anew.
    mutating func receive(from other: Device) throws {
        let keys = state.join(other.state.delta(beyond: state.vector), vector: other.state.vector).changed
        let edits = Projection(of: state, onto: snapshot, touching: keys).edits
        file = try snapshot.patched(edits)
        snapshot = try JSONDocument(parsing: file)
        snapshotVector = state.vector
        #expect(Projection(of: state, onto: snapshot).edits.isEmpty, "a second projection changes nothing")
    }
}

/// `file` with each text, which stands in it once, replaced.
func edited(_ file: [UInt8], _ edits: [(from: String, to: String)]) throws -> [UInt8] {
    var text = String(decoding: file, as: UTF8.self)
    for edit in edits {
        let ranges = text.ranges(of: edit.from)
        try #require(ranges.count == 1, "\(edit.from) stands \(ranges.count) times")
        text.replaceSubrange(ranges[0], with: edit.to)
    }
    return Array(text.utf8)
}

/// Names the first difference: a failed comparison of 300 KB says nothing.
func expectSame(_ file: [UInt8], _ expected: [UInt8], _ who: Comment, sourceLocation: SourceLocation = #_sourceLocation)
{
    guard file != expected else { return }
    let index =
        zip(file, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        ?? min(file.count, expected.count)
    func around(_ bytes: [UInt8]) -> String {
        String(decoding: bytes[max(0, index - 60)..<min(bytes.count, index + 60)], as: UTF8.self)
    }
    Issue.record(
        "\(who) at byte \(index): …\(around(file))… instead of …\(around(expected))…",
        sourceLocation: sourceLocation)
}
