package import MergeCore

/// What the record says of a quiet profile: its file, which held this snapshot, showed the state of this vector. So after a
/// start, a file with the very bytes of that snapshot need not be parsed and compared with the state.
///
/// It holds as long as nothing is stored that a projection depends on: every commit of atoms, snapshots, an intent, a
/// replica or notices deletes it in the same transaction. With it, a start goes on as if there had been none.
struct ShownMark: Hashable, Sendable {
    static let notes = NoteSpace("shown")
    /// Another number for each change of what a projection shows of one and the same state, or of which choices are open in
    /// it. 2: a choice is open only where the rules in force ask.
    private static let revision: UInt64 = 2

    private let snapshot: UInt64
    private let vector: UInt64
    private let openChoices: UInt64

    /// - Parameter snapshot: `nil` where the profile has no file here.
    init(_ snapshot: SnapshotOutline?, _ vector: VersionVector, openChoices: Int) {
        self.snapshot = snapshot.map { Self.hash(of: $0) } ?? 0
        self.vector = Self.hash(of: vector)
        self.openChoices = UInt64(openChoices)
    }

    /// Reads a note; `nil` where another Hearth wrote it.
    init?(_ note: [UInt8]) {
        guard note.count == 32 else { return nil }
        let numbers = stride(from: 0, to: 32, by: 8).map { note[$0..<$0 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        guard numbers[0] == Self.revision else { return nil }
        (snapshot, vector, openChoices) = (numbers[1], numbers[2], numbers[3])
    }

    var note: [UInt8] {
        [Self.revision, snapshot, vector, openChoices].flatMap(Self.bytes)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    /// Whether the mark is about this snapshot and this vector.
    func isOf(_ snapshot: SnapshotOutline, _ vector: VersionVector) -> Bool {
        self.snapshot == Self.hash(of: snapshot) && self.vector == Self.hash(of: vector)
    }

    /// The number of open choices in the state of a vector; `nil` where the mark is about another one.
    func openChoices(at vector: VersionVector) -> Int? {
        self.vector == Self.hash(of: vector) ? Int(exactly: openChoices) : nil
    }

    private static func hash(of snapshot: SnapshotOutline) -> UInt64 {
        var hash = FNV1a(snapshot.fingerprint)
        hash.add(bytes(of: UInt64(bitPattern: snapshot.number)))
        return hash.value
    }

    private static func hash(of vector: VersionVector) -> UInt64 {
        var hash = FNV1a()
        for replica in vector.sortedReplicas {
            hash.add(replica.bytes)
            let entry = vector.entries[replica] ?? VersionVector.Entry(sequence: 0, history: 0)
            for number in [entry.sequence, entry.history] {
                hash.add(bytes(of: number))
            }
        }
        return hash.value
    }
}

extension KeptProfile {
    /// Whether the record says that the newest snapshot shows the state.
    var showsStateByRecord: Bool {
        guard file.lag == .unknown, let shown, let newest = SnapshotOutline(baseHistory) else { return false }
        return shown.isOf(newest, vector)
    }

    /// The record does not say any more what the file shows.
    mutating func endShown(in notes: inout NoteChange) {
        guard shown != nil else { return }
        shown = nil
        notes.delete(ShownMark.notes.key(id))
    }

    /// The mark of a profile all of which is in the record, and whose file, if it has one, shows its state; `nil` for any
    /// other.
    fileprivate var presentMark: ShownMark? {
        guard file.unwrittenEnd == nil, file.intent == nil, !isHeld, vector == storedVector,
            let choices = keptState.outline?.openChoices
        else { return nil }
        guard file.path != nil else { return ShownMark(nil, vector, openChoices: choices) }
        guard file.lag == .none, file.status == .good, file.versionStatus == .current, !waitsForOthers,
            rulesHeld == nil, let newest = keptHistory.newest ?? nil
        else { return nil }
        return ShownMark(newest, vector, openChoices: choices)
    }
}

extension RecordChange {
    /// Whether nothing is stored of the profile on which a projection depends.
    ///
    /// - Parameter former: The profile before the change.
    func keepsShown(of former: KeptProfile?) -> Bool {
        guard let change = profiles.first, change.atoms.isEmpty, change.removed.isEmpty, change.baseHistory.isEmpty,
            change.baseHistoryFrom == nil, change.replica == former?.replica, change.file == former?.file.path,
            change.vector == former?.vector
        else { return false }
        if case .keep = change.intent { return true }
        return false
    }
}

extension ProfileEngine {
    /// Notes in the record which quiet profiles have a file that shows their state. All notes are one transaction.
    package mutating func noteShown(_ ids: some Sequence<ProfileID>) throws(StorageFault) {
        var notes = NoteChange()
        var marks: [ProfileID: ShownMark] = [:]
        for id in ids where isQuiet(id) {
            guard let profile = profiles[id], profile.shown == nil, let mark = profile.presentMark else { continue }
            marks[id] = mark
            notes.set(ShownMark.notes.key(id), mark.note)
        }
        guard !notes.isEmpty else { return }
        try store.commit(RecordChange(notes: notes))
        for (id, mark) in marks { profiles.updateSilently(id) { $0.shown = mark } }
    }
}
