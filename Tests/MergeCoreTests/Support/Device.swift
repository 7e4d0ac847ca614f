import LosslessJSON
import MergeCore
import Testing

/// A device of a household: a file, what Hearth knows of it, and the snapshots the file went through.
struct Device {
    /// A version of the file and what it stood for.
    struct Snapshot {
        var document: JSONDocument
        var vector: VersionVector
    }

    let replica: ReplicaID
    var state = ProfileState()
    var file: [UInt8]?
    /// The last snapshot that the game wrote, then every later projection.
    var snapshots: [Snapshot] = []
    /// The wall clock; each save takes a millisecond.
    var clock: WallTime
    /// Places where the last write came too late, or a join put progress aside.
    var overridden = Set<DocumentPath>()
    /// Places of which a change of rules did not count what this device has, since that may be counted already.
    var uncounted = Set<DocumentPath>()
    /// What the last write could not read.
    var unreadable: [UnreadableLeaf] = []
    /// Where file and state may differ since they last agreed; `nil` means anywhere.
    var touched: [AtomKey]? = []

    init(_ number: Int, clock: WallTime = 1_700_000_000_000) {
        replica = MergeCoreTests.replica(number)
        self.clock = clock
    }

    /// Devices that know the rules, and nothing else.
    static func household(_ count: Int, _ rules: RuleSet = .empty) -> [Device] {
        var first = ProfileState()
        _ = first.changeRules(
            to: rules, document: nil,
            WriteContext(replica: MergeCoreTests.replica(99), now: 1, fileTime: 1, base: .init()))
        return (1...count).map {
            var device = Device($0)
            device.state = first
            return device
        }
    }

    /// Devices that all have one save, adopted by the first.
    static func household(_ count: Int, _ rules: RuleSet = .empty, sharing save: String) -> [Device] {
        household(count, rules).sharing(save)
    }

    /// Devices that share a save, of which two wrote apart what was `base`, and the third one has its file anew. All of
    /// them, and a merge of the three texts, must show what is wanted.
    static func mergedApart(
        _ a: String, _ b: String, base: String, _ rules: RuleSet, showing wanted: JSONValue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Device] {
        #expect(json(try merge(a, b, base: base, rules: rules)) == wanted, sourceLocation: sourceLocation)
        #expect(json(try merge(b, a, base: base, rules: rules)) == wanted, sourceLocation: sourceLocation)
        var devices = household(3, rules, sharing: base)
        devices[0].save(a)
        devices[1].save(b)
        settle(&devices)
        devices[2].file = nil
        settle(&devices)
        #expect(
            devices.allSatisfy { $0.value == wanted }, "\(devices.map(\.shown))", sourceLocation: sourceLocation)
        return devices
    }

    // MARK: The game

    var value: JSONValue { json(text(file ?? Array("null".utf8))) }

    mutating func context(_ base: VersionVector) -> WriteContext {
        clock += .milliseconds(1)
        return WriteContext(replica: replica, now: clock, fileTime: clock, base: base)
    }

    mutating func adopt(_ save: String) {
        let new = document(save)
        let result = state.adopt(new, context(state.vector))
        took(new, result)
    }

    /// The game, which has read the file as it is, writes `save`.
    mutating func save(_ save: String) { self.save(document(save), on: snapshots.last) }

    /// The game, which has read an older snapshot, writes `save`.
    mutating func save(_ new: JSONDocument, on base: Snapshot?) {
        let isOnLast = base?.document.bytes == snapshots.last?.document.bytes
        let diff = DocumentDiff(from: base?.document, to: new, rules: state.rules)
        let context = context(base?.vector ?? .init())
        var result = state.write(diff.writes, context)
        result.add(state.makeWhole(diff.writes, of: new, context))
        took(new, result, base: base?.vector)
        unreadable += diff.unreadable
        // Against an older snapshot nothing says where the file differs from what it showed last.
        if !isOnLast { touched = nil }
        // Where a write was no operation, or lost against what the game had not read, file and state differ too.
        for change in diff.changes { touched? += change.rule.kind.map { [AtomKey(change.path, $0)] } ?? [] }
    }

    mutating func edit(_ change: (JSONValue) -> JSONValue) { save(document(change(value)), on: snapshots.last) }

    mutating func set(_ name: JSONString, _ new: JSONValue?) { edit { $0.setting(name, to: new) } }

    /// Which snapshot the save was made on is guessed from its content; of a save that is a question only what can lose
    /// nothing counts.
    @discardableResult
    mutating func saveGuessed(_ save: String) -> Guess {
        let new = document(save)
        let guess = guess(new)
        let newer = context(snapshots[guess.base].vector)
        var written = state.write(guess.changes, newer)
        if let older = guess.choice.purse?.older, !guess.meaning.isQuestion {
            written.add(state.write(guess.choice.choicesOfOlder, context(snapshots[older].vector)))
        }
        if !guess.meaning.isQuestion { written.add(state.makeWhole(guess.changes, of: new, newer)) }
        took(new, written)
        return guess
    }

    func guess(_ save: JSONDocument, _ sightings: BaseChoice.Sightings = .init()) -> Guess {
        var sightings = sightings
        sightings.outdated = Set(
            snapshots.indices.filter { index in
                func changes(from snapshot: JSONDocument) -> [LeafChange] {
                    DocumentDiff(from: snapshot, to: save, rules: state.rules).changes
                }
                return state.putsAside(
                    { changes(from: snapshots[index].document) }, read: snapshots[index].vector,
                    others: { changes(from: snapshots[snapshots.count - 1].document) })
            })
        let choice = BaseChoice(among: snapshots.map(\.document), for: save, rules: state.rules, sightings: sightings)
        let meaning = SaveMeaning(
            choice.diff, of: snapshots[choice.base].document, rules: state.rules, wasSpent: state.wasSpent)
        let changes = meaning.isQuestion ? state.safeGains(of: choice.diff) : choice.settledChanges
        return Guess(choice: choice, meaning: meaning, changes: changes)
    }

    private mutating func took(_ new: JSONDocument, _ result: WriteResult, base: VersionVector? = nil) {
        file = new.bytes
        var stands = base ?? state.vector
        // An own reset that the game had not read must not count as read.
        if let base, !state.beganEpoch(replica, after: base.sequence(of: replica)),
            let own = state.vector.entries[replica]
        {
            stands.advance(replica, to: own)
        }
        snapshots = [Snapshot(document: new, vector: stands)]
        overridden = result.overridden
        unreadable = result.unreadable
        touched? += result.atoms.map(\.key)
    }

    // MARK: Epochs

    mutating func reset(_ patterns: String..., to save: String? = nil) throws {
        let selector = PathSelector(patterns: try patterns.map { try RulePattern(parsing: $0) })
        _ = try state.reset(selector, to: save.map { document($0) }, context(state.vector))
        touched = nil
    }

    /// Takes back what was written here since a state.
    mutating func undo(since before: ProfileState) throws {
        let keys = state.delta(beyond: before.vector).map(\.key)
        let entry = state.history(since: before, touching: keys, at: 5)
        _ = try state.undo(entry, context(state.vector))
        touched = nil
    }

    mutating func restore(_ save: String) throws {
        _ = try state.restore(document(save), context(state.vector))
        touched = nil
    }

    // MARK: The household

    /// Takes what `other` has and this device has not.
    mutating func pull(_ other: Device) {
        let (before, former) = (state, state.rules)
        let joined = state.join(other.state.delta(beyond: state.vector), vector: other.state.vector)
        let changed = joined.changed
        let marks = state.markEdits(
            by: replica, since: before, joined, from: other.state.vector, context(state.vector))
        touched? += marks.map(\.key)
        if changed.contains(where: { $0.path == .epochs }) { touched = nil }
        let (carried, aside) = state.carryOverBelowSteps(joined.overridden, context(state.vector))
        touched? += carried.map(\.key)
        overridden.formUnion(aside.map(\.key.path))
        touched? += changed
        let context = context(state.vector)
        let merged = state.mergeRules(joined, context)
        touched? += merged.map(\.key)
        guard former != state.rules, let last = snapshots.last else { return }
        let again = state.reissue(since: before, document: last.document, own: [replica], context)
        touched? += again.atoms.map(\.key)
        uncounted.formUnion(again.overridden)
    }

    /// Writes what the state knows into the file. Returns the edits it took.
    @discardableResult
    mutating func project() -> Int {
        guard let file else {
            guard let value = Projection.newDocument(of: state) else { return 0 }
            file = value.jsonBytes
            snapshots = [Snapshot(document: document(value), vector: state.vector)]
            touched = []
            return 1
        }
        let before = snapshots.last?.document ?? document(text(file))
        let edits = Projection(of: state, onto: before).edits
        do {
            let bytes = try before.patched(edits)
            self.file = bytes
            let after = try JSONDocument(parsing: bytes)
            snapshots.append(Snapshot(document: after, vector: state.vector))
        } catch {
            Issue.record("a projection onto \(text(file)) fails: \(error)")
        }
        touched = []
        return edits.count
    }

    /// How many edits a projection would take now.
    var wouldEdit: Int { snapshots.last.map { Projection(of: state, onto: $0.document).edits.count } ?? 0 }

    /// The text of the file.
    var shown: String { text(file ?? []) }
}

/// What a save was taken for.
@dynamicMemberLookup struct Guess {
    let choice: BaseChoice
    let meaning: SaveMeaning
    /// What of it counts.
    let changes: [LeafChange]

    var isRegressed: Bool { meaning.isQuestion }

    subscript<Value>(dynamicMember path: KeyPath<BaseChoice, Value>) -> Value { choice[keyPath: path] }
}
