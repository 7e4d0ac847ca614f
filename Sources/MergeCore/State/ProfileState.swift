import LosslessJSON

/// Everything Hearth knows about one profile: a map from key to atom, and the vector of the writes that it covers.
///
/// A delta-state CRDT (Almeida, Shoker, Baquero, 2018): joining is commutative, associative and idempotent, and the
/// delta for a peer is exactly the atoms whose dot the peer's vector does not cover.
public struct ProfileState: Sendable {
    /// The writes that this state has joined: every write that the vector covers.
    public internal(set) var vector = VersionVector()
    /// The rules in force.
    public internal(set) var rules = RuleSet.empty
    /// The reason why this version cannot use the newest rules; `nil` where it can. While it is set, the profile is
    /// kept and passed on, and its file is not changed.
    public internal(set) var rulesHeld: RuleError?

    /// The atoms that show or are hidden, each in the version of the rules in force.
    var table = AtomTable()
    var epochRegistry = EpochRegistry()
    var log = DotLog()
    /// Whether amounts of some replicas were left out. Then a corrected start may be below zero without them.
    package var isIncomplete = false
    /// The containers that games removed as a whole.
    var removals = RemovalIndex()
    /// How atoms of other versions are upcast to the version of the table.
    var upcasters = UpcasterTable()
    /// Every atom as it was written, kept from the time when one is of another version than the rules describe. Until
    /// then it is `nil`, because the table holds the same atoms.
    var written: WrittenAtoms?
    /// Whether paths of the stored state that is being read name a version.
    var namesVersions = false
    var replicas: [ReplicaID] = []
    var replicaNumbers: [ReplicaID: UInt32] = [:]
    /// The hashes of every place above one that has, or had, a register. Hashes take little memory even if a peer sends
    /// long paths. Two places with the same hash cost only one search in vain.
    var containers = Set<UInt64>()
    /// The hash of the container that was added last.
    var lastContainer: UInt64?

    /// Makes a state without atoms.
    public init() {}

    /// Makes a state from a stored record: atoms in any order, and the vector that they cover.
    public init(restoring atoms: [KeyedAtom], vector: VersionVector) {
        table.reserve(atoms.count)
        var result = JoinResult(isKept: false)
        for atom in Self.inJoinOrder(atoms) { _ = insert(atom, &result) }
        beginDeclared(&result)
        settleRemovals()
        self.vector = vector
    }

    /// The number of atoms, with hidden ones and tombstones.
    public var atomCount: Int { table.atomCount }

    // MARK: Reading

    /// The atom under a key, even if a later epoch hides it. O(1).
    public func atom(_ key: AtomKey) -> Atom? { table.number(key).flatMap(atom(at:)) }

    /// Every atom in its stored form, in key order. O(n log n).
    public var sortedAtoms: [KeyedAtom] { writtenAtoms.sorted { $0.key < $1.key } }

    /// Every atom in its stored form, in no particular order. O(n).
    var writtenAtoms: [KeyedAtom] {
        let (table, label) = stored
        guard !label.isNone else { return (0..<table.recordCount).compactMap { keyedAtom(at: $0, of: table) } }
        return (0..<table.recordCount).compactMap { writtenAtom(at: $0, of: table, label) }
    }

    var writtenTable: AtomTable { written?.table ?? table }

    /// The table to store, and the version of those paths that name none.
    var stored: (table: AtomTable, label: VersionLabel) {
        written.map { ($0.table, .none) } ?? (table, upcasters.own)
    }

    private func writtenAtom(
        at number: AtomTable.Number, of table: AtomTable, _ label: VersionLabel
    ) -> KeyedAtom? {
        let atom = keyedAtom(at: number, of: table)
        return label.isNone ? atom : atom.map { $0.at($0.key.path.of(label)) }
    }

    /// The atoms that `other` does not cover, ordered by dot. O(changed · log).
    public func delta(beyond other: VersionVector) -> [KeyedAtom] {
        var result: [KeyedAtom] = []
        let ((table, label), log) = (stored, written?.log ?? log)
        for replica in vector.sortedReplicas where other.sequence(of: replica) < vector.sequence(of: replica) {
            guard let number = replicaNumbers[replica] else { continue }
            let last = vector.sequence(of: replica)
            for entry in log.entries(of: Int(number), after: other.sequence(of: replica)) {
                guard entry.sequence <= last else { break }
                let record = table[Int(entry.number)]
                guard record.sequence == entry.sequence, record.replica == number else { continue }
                if let atom = writtenAtom(at: Int(entry.number), of: table, label) { result.append(atom) }
            }
        }
        return result
    }

    /// Whether a register is, or was, below a place (``AtomKind/latest``). A hash collision can give a false `true`.
    func hasBelow(_ path: DocumentPath) -> Bool { containers.contains(Self.walk(path) { _ in }) }

    // MARK: Joining

    /// Joins a complete delta: afterwards this state covers `vector` as well.
    ///
    /// Atoms whose dot is covered already are ignored.
    @discardableResult
    public mutating func join(_ atoms: [KeyedAtom], vector other: VersionVector) -> JoinResult {
        var result = JoinResult()
        result.reserve(atoms.count)
        for atom in Self.inJoinOrder(atoms) where !vector.covers(atom.atom.dot) { take(atom, &result) }
        beginDeclared(&result)
        settleRemovals()
        vector.join(other)
        return result
    }

    /// Joins another state completely: two profiles become one.
    ///
    /// The notes at `paths` belong to the other profile, `gone`. They are kept beside those of this profile, `kept`,
    /// under the other's id, and come back to their places if the two are joined the other way. So every write that the
    /// vector covers is in the state.
    ///
    /// A reset in one profile says nothing about the progress of the other. So an atom that counted in either profile,
    /// and does not count any more, is in ``JoinResult/overridden``. It has to be written again with
    /// ``carryOver(_:_:)``.
    package mutating func join(
        _ other: ProfileState, notes paths: Set<DocumentPath>, of gone: ProfileID, into kept: ProfileID
    ) -> JoinResult {
        join(other) { path in
            if paths.contains(path) { return path.note(of: gone) }
            // Only these notes come back: a member could put rules or values under such a place as well.
            return path.ownNote(of: kept).flatMap { paths.contains($0) ? $0 : nil } ?? path
        }
    }

    /// Joins another state of the same profile completely.
    @discardableResult
    public mutating func join(_ other: ProfileState) -> JoinResult { join(other) { $0 } }

    private mutating func join(_ other: ProfileState, at place: (DocumentPath) -> DocumentPath) -> JoinResult {
        var result = JoinResult()
        for atom in Self.inJoinOrder(other.writtenAtoms) {
            let key = AtomKey(place(atom.key.path), atom.key.kind, sub: atom.key.sub)
            take(KeyedAtom(key, atom.atom), &result)
        }
        beginDeclared(&result)
        settleRemovals()
        let other = other.upcasted(like: self)
        result.overridden.removeAll { other.atom($0.key)?.dot == $0.atom.dot && other.live($0.key) == nil }
        vector.join(other.vector)
        return result
    }

    /// Joins atoms whatever the vector covers: a repair puts them in (``repaired(by:spans:as:own:)``).
    mutating func put(_ atoms: [KeyedAtom]) -> JoinResult {
        var result = JoinResult()
        for atom in Self.inJoinOrder(atoms) { take(atom, &result) }
        beginDeclared(&result)
        settleRemovals()
        return result
    }

    private mutating func take(_ atom: KeyedAtom, _ result: inout JoinResult) {
        if insert(atom, &result) { result.atoms.append(atom) }
    }

    /// The dot of a replica's next write. The caller has made sure that there is one.
    func nextDot(of replica: ReplicaID) -> Dot {
        Dot(replica: replica, sequence: vector.sequence(of: replica) &+ 1)
    }

    /// Writes one batch under the next dot of `replica`, each atom in the epoch in force at its place. If a key has
    /// several contents, the last one counts. An empty batch writes nothing and uses no dot.
    ///
    /// Nothing is written if a peer's vector claims the last possible number of the replica. The owner of the replica
    /// then has to make a new replica id.
    ///
    /// - Parameters:
    ///   - late: Contents that belong to former epochs, each with its epoch.
    ///   - raised: Keys whose content takes the place of the one there, whatever the rule says, see ``correctedEpoch(of:)``.
    mutating func write(
        _ contents: [(AtomKey, AtomContent)], late: [(AtomKey, AtomContent, EpochID?)] = [],
        raised: Set<AtomKey> = [], as replica: ReplicaID
    ) -> [KeyedAtom] {
        var result = JoinResult(isKept: false)
        return write(contents, late: late, raised: raised, as: replica, &result)
    }

    /// Does the same.
    ///
    /// - Parameter result: Collects the keys that may show something else now, and the progress that an epoch hides.
    mutating func write(
        _ contents: [(AtomKey, AtomContent)], late: [(AtomKey, AtomContent, EpochID?)] = [],
        raised: Set<AtomKey> = [], as replica: ReplicaID, _ result: inout JoinResult
    ) -> [KeyedAtom] {
        guard !contents.isEmpty || !late.isEmpty, vector.sequence(of: replica) < .max else { return [] }
        let dot = nextDot(of: replica)
        var history = HistoryHash(vector.entries[replica]?.history ?? 0)
        var written: [KeyedAtom] = []
        written.reserveCapacity(contents.count)
        if contents.count > table.recordCount { table.reserve(table.recordCount + contents.count) }
        func write(_ key: AtomKey, _ content: AtomContent, _ epoch: EpochID?) {
            // Rules come first in the batch, so that the atoms written under them name their version.
            let key = upcasters.own.isNone ? key : AtomKey(key.path.of(upcasters.own), key.kind, sub: key.sub)
            let atom = KeyedAtom(key, Atom(content, dot, epoch: epoch))
            history.add(atom)
            if insert(atom, replacing: dot, &result) { written.append(atom) }
        }
        for (key, content) in contents {
            // An epoch of this batch is in force for what comes behind it.
            if key.kind != .epoch { beginDeclared(&result) }
            let above = raised.contains(key) ? correctedEpoch(of: key) : nil
            // Above an epoch as far up as one may be, which only a bad member writes, others would refuse all of the write.
            let isRaised = above.map { isWritable($0) } ?? false
            write(key, content, isRaised ? above : epoch(for: key, besides: dot))
        }
        for (key, content, epoch) in late { write(key, content, epoch) }
        beginDeclared(&result)
        settleRemovals()
        vector.advance(replica, to: VersionVector.Entry(sequence: dot.sequence, history: history.value))
        return written
    }
}
