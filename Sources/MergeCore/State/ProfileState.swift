import LosslessJSON

/// Everything Hearth knows about one profile: a map from key to atom, and the vector of what it covers.
///
/// A delta-state CRDT (Almeida, Shoker, Baquero, 2018): joining is commutative, associative and idempotent, and the
/// delta for a peer is exactly the atoms whose dot the peer's vector does not cover.
public struct ProfileState: Sendable {
    /// What the state stands for: every write that is covered has been joined.
    public private(set) var vector = VersionVector()
    /// The rules in force.
    public private(set) var rules = RuleSet.empty
    /// Why the newest rules cannot be used by this version. While set, the profile is kept and relayed, and its file is
    /// left alone.
    public private(set) var rulesHeld: RuleError?

    private(set) var table = AtomTable()
    private(set) var epochRegistry = EpochRegistry()
    private var log = DotLog()
    private(set) var replicas: [ReplicaID] = []
    private var replicaNumbers: [ReplicaID: UInt32] = [:]
    /// The hashes of every place above one that has, or had, a register: small whatever paths a peer sends, and two
    /// places under one hash cost no more than a vain look.
    private var containers = Set<UInt64>()
    /// The container noted last.
    private var lastContainer: UInt64?

    /// A state that knows nothing.
    public init() {}

    /// Takes up what a record stored: atoms in any order and the vector they stand for.
    public init(restoring atoms: [KeyedAtom], vector: VersionVector) {
        table.reserve(atoms.count)
        // Epochs first: then every place learns the epoch in force there once.
        for atom in atoms where atom.key.path == .epochs { _ = insert(atom) }
        for atom in Self.byDot(atoms) where atom.key.path != .epochs { _ = insert(atom) }
        self.vector = vector
    }

    /// How many atoms there are, hidden ones and tombstones included.
    public var atomCount: Int { table.atomCount }

    // MARK: Reading

    /// The atom under a key, whether or not its epoch is in force. O(1).
    public func atom(_ key: AtomKey) -> Atom? { table.number(key).flatMap(atom(at:)) }

    /// Every atom, in key order. O(n log n).
    public var sortedAtoms: [KeyedAtom] {
        (0..<table.recordCount).compactMap { keyedAtom(at: $0) }.sorted { $0.key < $1.key }
    }

    /// The atoms that `other` does not cover, by dot. O(changed · log).
    public func delta(beyond other: VersionVector) -> [KeyedAtom] {
        var result: [KeyedAtom] = []
        for replica in vector.sortedReplicas where other.sequence(of: replica) < vector.sequence(of: replica) {
            guard let number = replicaNumbers[replica] else { continue }
            let last = vector.sequence(of: replica)
            for entry in log.entries(of: Int(number), after: other.sequence(of: replica)) {
                guard entry.sequence <= last else { break }
                let record = table[Int(entry.number)]
                guard record.sequence == entry.sequence, record.replica == number else { continue }
                if let atom = keyedAtom(at: Int(entry.number)) { result.append(atom) }
            }
        }
        return result
    }

    /// Whether something is or was written below a place by ``AtomKind/latest``.
    func hasBelow(_ path: DocumentPath) -> Bool { containers.contains(Self.walk(path) { _ in }) }

    // MARK: Joining

    /// Joins a complete delta: afterwards this state covers `vector` as well.
    ///
    /// Atoms whose dot is covered already are ignored.
    @discardableResult
    public mutating func join(_ atoms: [KeyedAtom], vector other: VersionVector) -> JoinResult {
        var result = JoinResult()
        for atom in Self.byDot(atoms) where !vector.covers(atom.atom.dot) { take(atom, &result) }
        vector.join(other)
        return result
    }

    /// Joins another state whole (two profiles become one), but for some of Hearth's own notes.
    ///
    /// A reset in one of them says nothing about what the other held: what counted in either is among
    /// ``JoinResult/overridden`` where it does not any more, to be written again with ``carryOver(_:_:)``.
    @discardableResult
    public mutating func join(_ other: ProfileState, except paths: Set<DocumentPath> = []) -> JoinResult {
        var result = JoinResult()
        let atoms = (0..<other.table.recordCount).compactMap { other.keyedAtom(at: $0) }
        for atom in Self.byDot(atoms) where !paths.contains(atom.key.path) { take(atom, &result) }
        result.overridden.removeAll { other.atom($0.key)?.dot == $0.atom.dot && other.live($0.key) == nil }
        vector.join(other.vector)
        return result
    }

    private mutating func take(_ atom: KeyedAtom, _ result: inout JoinResult) {
        let inserted = insert(atom)
        if inserted.isNew { result.changed.append(atom.key) }
        result.overridden += inserted.overridden
    }

    /// Writes one batch under the next dot of `replica`, each atom in the epoch in force at its place. Of several
    /// contents for one key the last counts. An empty batch writes nothing and uses no dot.
    ///
    /// Nothing is written where a peer's vector claims the last of the replica's numbers: whoever owns the replica has
    /// to mint another one.
    ///
    /// - Parameter late: Contents of former epochs.
    mutating func write(
        _ contents: [(AtomKey, AtomContent)], late: [(AtomKey, AtomContent, EpochID?)] = [], as replica: ReplicaID
    ) -> [KeyedAtom] {
        guard !contents.isEmpty || !late.isEmpty, vector.sequence(of: replica) < .max else { return [] }
        let dot = Dot(replica: replica, sequence: vector.sequence(of: replica) + 1)
        var history = HistoryHash(vector.entries[replica]?.history ?? 0)
        var written: [KeyedAtom] = []
        written.reserveCapacity(contents.count)
        if contents.count > table.recordCount { table.reserve(table.recordCount + contents.count) }
        for (key, content) in contents {
            let atom = KeyedAtom(key, Atom(content, dot, epoch: inForce(key)))
            history.add(atom)
            if insert(atom, replacing: dot).isNew { written.append(atom) }
        }
        for (key, content, epoch) in late {
            let atom = KeyedAtom(key, Atom(content, dot, epoch: epoch))
            history.add(atom)
            if insert(atom, replacing: dot).isNew { written.append(atom) }
        }
        vector.advance(replica, to: VersionVector.Entry(sequence: dot.sequence, history: history.value))
        return written
    }

    /// Writes contents under the next dot of `replica` even where an equal content stands under another dot.
    mutating func rewrite(_ contents: [(AtomKey, AtomContent)], as replica: ReplicaID) -> [KeyedAtom] {
        let formers = contents.map { ($0.0, atom($0.0)) }
        let written = write(contents, as: replica)
        // A join prefers neither of two equal contents for its writer; what matters here is that peers get it.
        let missing = formers.filter { key, former in former != nil && !written.contains { $0.key == key } }
        guard !missing.isEmpty, let entry = vector.entries[replica] else { return written }
        let dot = Dot(replica: replica, sequence: entry.sequence)
        var forced: [KeyedAtom] = []
        for (key, former) in missing where former!.content == contents.first(where: { $0.0 == key })?.1 {
            forced.append(KeyedAtom(key, Atom(known: former!.encoded, former!.form, dot, former!.epoch)))
        }
        for atom in forced { store(atom.atom, at: table.make(atom.key).number) }
        return written + forced
    }

    /// Takes an atom out for good. Only what a compaction left behind may go.
    mutating func drop(_ number: AtomTable.Number) {
        table.set(number, [UInt8](), sequence: 0, replica: 0, epoch: 0)
    }

    // MARK: Decoding

    /// Takes the replicas of a stored state under their numbers; false where one comes twice.
    mutating func adopt(replicas ids: [ReplicaID]) -> Bool {
        for id in ids { _ = number(of: id) }
        return replicas.count == ids.count
    }

    mutating func adopt(epochs ids: [EpochID]) -> Bool {
        for id in ids { _ = epochRegistry.number(id) }
        return epochRegistry.all.count == ids.count
    }

    /// Takes the records of a stored state; false where they are damaged.
    mutating func take(_ count: Int, _ columns: StateColumns.Reader, replicas: Int, epochs: Int) -> Bool {
        var columns = columns
        table.reserve(count)
        for number in 0..<count {
            guard let record = columns.next(kindOf: { $0 < number && table[$0].place == AtomTable.none ? table[$0].kind : nil }),
                record.sequence == 0 || record.replica < replicas, record.epoch <= epochs,
                table.append(columns.key, record.kind, place: record.place)
            else { return false }
            if record.place == nil, record.kind == .latest { noteContainers(of: DocumentPath(encoded: columns.key)) }
            guard record.sequence > 0 else { continue }
            let form = AtomForm(record.kind, isPart: record.place != nil)
            if !AtomContent.isPlain(columns.content, form) {
                guard (try? AtomContent.check(columns.content, key: table.key(number, columns.key))) != nil else { return false }
            }
            table.set(
                number, columns.content, sequence: record.sequence, replica: UInt32(record.replica),
                epoch: UInt32(record.epoch))
            note(record.sequence, number, UInt32(record.replica))
        }
        return columns.isAtEnd
    }

    mutating func finishDecoding(_ vector: VersionVector) {
        self.vector = vector
        if let epochs = table.place(.epochs, .epoch) {
            for number in Array(table.parts(of: epochs)) { keyedAtom(at: number).map { _ = begin($0) } }
        }
        reloadRules()
    }

    // MARK: Storage

    func atom(at number: AtomTable.Number) -> Atom? {
        let record = table[number]
        guard record.sequence > 0 else { return nil }
        return Atom(
            known: Array(table.content(number)), AtomForm(record.kind, isPart: record.place != AtomTable.none),
            Dot(replica: replicas[Int(record.replica)], sequence: record.sequence), epochRegistry.id(record.epoch))
    }

    func keyedAtom(at number: AtomTable.Number) -> KeyedAtom? {
        atom(at: number).map { KeyedAtom(table.key(number), $0) }
    }

    func dot(at number: AtomTable.Number) -> Dot {
        let record = table[number]
        return Dot(replica: replicas[Int(record.replica)], sequence: record.sequence)
    }

    /// - Parameter own: The dot that is being written: whatever stands under it gives way.
    private mutating func insert(_ new: KeyedAtom, replacing own: Dot? = nil) -> (isNew: Bool, overridden: [KeyedAtom]) {
        let (number, place, isNewPlace) = table.make(new.key)
        if isNewPlace {
            if new.key.kind == .latest { noteContainers(of: new.key.path) }
            if !epochRegistry.known.isEmpty { table.setInForce(place, epochRegistry.inForce(new.key.path)) }
        }
        if table[number].sequence > 0 {
            let record = table[number]
            let standing = AtomView(
                content: table.content(number), form: AtomForm(record.kind, isPart: record.place != AtomTable.none),
                dot: Dot(replica: replicas[Int(record.replica)], sequence: record.sequence),
                epoch: epochRegistry.id(record.epoch))
            if standing.dot != own {
                guard standing.precedes(AtomView(new.atom), new.key.kind) else {
                    // It may be of value all the same, where it was written apart from the epoch in force: it loses
                    // against what came with that, or against something put aside as well.
                    let isAside = table[place].inForce != 0
                        && (standing.epoch != new.atom.epoch || isHidden(number)) && isUnseen(new, at: place)
                    return (false, isAside ? [new] : [])
                }
            }
        }
        store(new.atom, at: number)
        var overridden: [KeyedAtom] = []
        if new.key.path.isReserved {
            if new.key.path == .rules { reloadRules() }
            if new.key.path == .epochs { overridden = begin(new) }
        } else if isHidden(number), isUnseen(new, at: place) {
            overridden = [new]
        }
        return (true, overridden)
    }

    /// Whether the writer of the epoch in force at a place had not known of an atom.
    private func isUnseen(_ atom: KeyedAtom, at place: AtomTable.Number) -> Bool {
        let number = table[place].inForce
        return epochRegistry.known.first { $0.number == number }.map { !$0.epoch.hasSeen(atom.atom.dot) } ?? false
    }

    private mutating func store(_ atom: Atom, at number: AtomTable.Number) {
        let replica = self.number(of: atom.dot.replica)
        table.set(
            number, atom.encoded, sequence: atom.dot.sequence, replica: replica,
            epoch: epochRegistry.number(atom.epoch))
        note(atom.dot.sequence, number, replica)
    }

    private mutating func note(_ sequence: UInt64, _ number: AtomTable.Number, _ replica: UInt32) {
        guard log.add(sequence, number, of: Int(replica)) else { return }
        let table = table
        log.tidy(Int(replica)) {
            table[Int($0.number)].sequence == $0.sequence && table[Int($0.number)].replica == replica
        }
    }

    private mutating func number(of replica: ReplicaID) -> UInt32 {
        if let number = replicaNumbers[replica] { return number }
        let number = UInt32(replicas.count)
        replicas.append(replica)
        replicaNumbers[replica] = number
        return number
    }

    /// An epoch's atom came in: places it covers follow it. Returns what showed there and its writer had not seen.
    private mutating func begin(_ new: KeyedAtom) -> [KeyedAtom] {
        guard let key = EpochKey(new.key.sub), case .epoch(let epoch) = new.atom.content,
            let known = epochRegistry.declare(key.id, epoch, by: new.atom.dot)
        else { return [] }
        var overridden: [KeyedAtom] = []
        for number in 0..<table.recordCount where table[number].place == AtomTable.none {
            guard epochRegistry.isBelow(table[number].inForce, known.number) else { continue }
            let path = DocumentPath(encoded: Array(table.keyBytes(number)))
            guard epoch.cover.covers(path) else { continue }
            let former = [number] + Array(table.parts(of: number))
            for atom in former where table[atom].sequence > 0 && !isHidden(atom) && !epoch.hasSeen(dot(at: atom)) {
                if epochRegistry.isBelow(table[atom].epoch, known.number), let atom = keyedAtom(at: atom) {
                    overridden.append(atom)
                }
            }
            table.setInForce(number, known.number)
        }
        return overridden
    }

    private mutating func noteContainers(of path: DocumentPath) {
        var parent: UInt64?
        Self.walk(path) { parent = $0 }
        // Neighbours come one after the other: their containers are noted already.
        guard let parent, parent != lastContainer else { return }
        lastContainer = parent
        Self.walk(path) { containers.insert($0) }
    }

    /// Gives the hash (FNV-1a, 64 bits) of every place above a path; returns that of the path itself. O(length).
    @discardableResult
    private static func walk(_ path: DocumentPath, above: (UInt64) -> Void) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.encoded {
            if byte == UInt8(ascii: "/") { above(hash) }
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return hash
    }

    private static func byDot(_ atoms: [KeyedAtom]) -> [KeyedAtom] {
        let inOrder = zip(atoms, atoms.dropFirst()).allSatisfy { !($1.atom.dot < $0.atom.dot) }
        return inOrder ? atoms : atoms.sorted { $0.atom.dot < $1.atom.dot }
    }

    private mutating func reloadRules() {
        guard case .register(_, let json?)? = atom(AtomKey(.rules, .rules))?.content else { return }
        do {
            rules = try TravellingRules(json: json).rules
            rulesHeld = nil
        } catch {
            rulesHeld = error
        }
    }
}

/// What a join did.
public struct JoinResult: Sendable {
    /// The keys whose atom changed.
    public var changed: [AtomKey] = []
    /// Progress that a reset, a restore or an undo put aside though its writer had not known of it.
    public var overridden: [KeyedAtom] = []
}
