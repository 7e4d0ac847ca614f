import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// A home on the disk with an engine over it, driven by hand.
struct Desk {
    let home: String
    let record: SQLiteRecord
    var engine: ProfileEngine<DiskFiles, SQLiteRecord>
    private(set) var now = Moment(monotonic: 0, wall: 1_700_000_000_000)
    private var tag: UInt64 = 0

    init(_ home: String) throws {
        self.home = home
        try HomeFolder.create(home)
        record = try SQLiteRecord(home: home)
        engine = try ProfileEngine(files: DiskFiles(home: home), store: record)
    }

    mutating func add(_ path: String, number: UInt64) throws -> ProfileID {
        try engine.add(
            file: path, name: "save \(number)", rules: .empty,
            ids: FreshIDs(profile: ProfileID(random: number, 1), replica: ReplicaID(high: number, low: 1)), now: now)
    }

    /// Lets time pass.
    mutating func wait(_ duration: Duration) {
        now = Moment(monotonic: now.monotonic + duration, wall: now.wall + duration)
    }

    mutating func project(_ id: ProfileID) throws {
        tag += 1
        guard engine.project(id, tag: tag, now: now) == .written else {
            throw Trouble("nothing was projected: \(engine.profiles[id]?.trouble ?? "nothing to do")")
        }
    }
}

/// Another device of the household, in memory, that edits the same profile.
struct Friend {
    private var state: ProfileState
    private let replica: ReplicaID
    private var document: JSONDocument

    init(of desk: Desk, _ id: ProfileID, _ bytes: [UInt8]) throws {
        state = desk.engine.profiles[id]!.state
        replica = ReplicaID(high: 7, low: 7)
        document = try JSONDocument(parsing: bytes)
    }

    /// Writes a save, and hands it to the desk as a delta.
    mutating func save(_ bytes: [UInt8], _ id: ProfileID, to desk: inout Desk) throws {
        let mine = desk.engine.profiles[id]!.state
        state.join(mine.delta(beyond: state.vector), vector: mine.vector)
        let next = try JSONDocument(parsing: bytes)
        let diff = DocumentDiff(from: document, to: next, rules: .empty)
        let date = desk.now.wall
        let context = WriteContext(replica: replica, now: date, fileTime: date, base: state.vector)
        _ = state.write(diff.writes, context)
        document = next
        let outcome = try desk.engine.join(
            id, atoms: state.delta(beyond: mine.vector), from: mine.vector, to: state.vector,
            freshReplica: ReplicaID(high: 9, low: 9), now: desk.now)
        guard outcome == .joined else { throw Trouble("the delta was not joined: \(outcome)") }
    }
}
