import LosslessJSON

/// Everything Hearth knows about one profile: a map from key to atom, and the vector of what it covers.
///
/// A delta-state CRDT (Almeida, Shoker, Baquero, 2018): joining is commutative, associative and idempotent, and the
/// delta for a peer is exactly the atoms whose dot the peer's vector does not cover.
public struct ProfileState: Sendable {
    public private(set) var vector = VersionVector()
    /// The rules in force.
    public private(set) var rules = RuleSet.empty
    /// Why the newest rules cannot be used by this version. While set, the profile is kept and relayed, and its file is
    /// left alone.
    public private(set) var rulesHeld: RuleError?
    public private(set) var atomCount = 0

    private var slots = SplitMap<SlotKey, Slot>()
    private var log = DotLog()
    /// The hashes of every place above one that has, or had, a register: small whatever paths a peer sends, and two
    /// places under one hash cost no more than a vain look.
    private var containers = Set<UInt64>()

    public init() {}

    /// Takes up what a record stored: atoms in any order and the vector they stand for.
    public init(restoring atoms: [KeyedAtom], vector: VersionVector) {
        slots.reserveCapacity(atoms.count)
        for atom in atoms.sorted(by: { $0.atom.dot < $1.atom.dot }) { _ = insert(atom) }
        self.vector = vector
    }

    // MARK: Reading

    public func atom(_ key: AtomKey) -> Atom? {
        switch slots[SlotKey(path: key.path, kind: key.kind)] {
        case nil: nil
        case .one(let atom): key.sub.isEmpty ? atom : nil
        case .parts(let parts): parts[key.sub]
        }
    }

    /// All parts of one place under one kind, by sub.
    func parts(_ path: DocumentPath, _ kind: AtomKind) -> [[UInt8]: Atom] {
        switch slots[SlotKey(path: path, kind: kind)] {
        case nil: [:]
        case .one(let atom): [[]: atom]
        case .parts(let parts): parts
        }
    }

    /// Whether something is or was written below a place by ``AtomKind/latest``.
    func hasBelow(_ path: DocumentPath) -> Bool { containers.contains(Self.hashes(along: path).whole) }

    /// Every place with its kind, in no particular order.
    var places: some Sequence<(path: DocumentPath, kind: AtomKind)> {
        slots.keys.lazy.map { ($0.path, $0.kind) }
    }

    /// Every atom, in key order. O(n log n).
    public var sortedAtoms: [KeyedAtom] {
        var result: [KeyedAtom] = []
        result.reserveCapacity(atomCount)
        for (place, slot) in slots.entries {
            switch slot {
            case .one(let atom): result.append(KeyedAtom(AtomKey(place.path, place.kind), atom))
            case .parts(let parts):
                for (sub, atom) in parts { result.append(KeyedAtom(AtomKey(place.path, place.kind, sub: sub), atom)) }
            }
        }
        return result.sorted { $0.key < $1.key }
    }

    /// The atoms that `other` does not cover, by dot. O(changed · log).
    public func delta(beyond other: VersionVector) -> [KeyedAtom] {
        var result: [KeyedAtom] = []
        for replica in vector.sortedReplicas where other.sequence(of: replica) < vector.sequence(of: replica) {
            for (sequence, key) in log.entries(of: replica, after: other.sequence(of: replica)) {
                guard sequence <= vector.sequence(of: replica) else { break }
                guard let atom = atom(key), atom.dot == Dot(replica: replica, sequence: sequence) else { continue }
                result.append(KeyedAtom(key, atom))
            }
        }
        return result
    }

    // MARK: Joining

    /// Joins a complete delta: afterwards this state covers `vector` as well. Returns the keys whose atom changed.
    ///
    /// Atoms whose dot is covered already are ignored.
    @discardableResult
    public mutating func join(_ atoms: [KeyedAtom], vector other: VersionVector) -> [AtomKey] {
        var changed: [AtomKey] = []
        for atom in atoms.sorted(by: { $0.atom.dot < $1.atom.dot }) where !vector.covers(atom.atom.dot) {
            if insert(atom) { changed.append(atom.key) }
        }
        vector.join(other)
        return changed
    }

    /// Joins another state whole (two profiles become one), but for some of Hearth's own notes.
    @discardableResult
    public mutating func join(_ other: ProfileState, except paths: Set<DocumentPath> = []) -> [AtomKey] {
        var changed: [AtomKey] = []
        for atom in other.sortedAtoms.sorted(by: { $0.atom.dot < $1.atom.dot })
        where !paths.contains(atom.key.path) && insert(atom) {
            changed.append(atom.key)
        }
        vector.join(other.vector)
        return changed
    }

    /// Writes one batch under the next dot of `replica`. An empty batch writes nothing and uses no dot.
    ///
    /// Nothing is written where a peer's vector claims the last of the replica's numbers: whoever owns the replica has
    /// to mint another one.
    mutating func write(_ contents: [(AtomKey, AtomContent)], as replica: ReplicaID) -> [KeyedAtom] {
        guard !contents.isEmpty, vector.sequence(of: replica) < .max else { return [] }
        let dot = Dot(replica: replica, sequence: vector.sequence(of: replica) + 1)
        var history = HistoryHash(vector.entries[replica]?.history ?? 0)
        var written: [KeyedAtom] = []
        for (key, content) in contents {
            let atom = KeyedAtom(key, Atom(content, dot))
            history.add(atom)
            if insert(atom) { written.append(atom) }
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
            forced.append(KeyedAtom(key, Atom(former!.content, dot)))
        }
        for atom in forced { replace(atom) }
        return written + forced
    }

    // MARK: Storage

    private struct SlotKey: Hashable {
        let path: DocumentPath
        let kind: AtomKind
    }

    /// Most places hold one atom; counters and sets hold one a replica or element.
    private enum Slot {
        case one(Atom)
        case parts([[UInt8]: Atom])
    }

    private mutating func insert(_ new: KeyedAtom) -> Bool {
        let place = SlotKey(path: new.key.path, kind: new.key.kind)
        let kind = new.key.kind
        switch slots[place] {
        case nil:
            slots[place] = new.key.sub.isEmpty ? .one(new.atom) : .parts([new.key.sub: new.atom])
            atomCount += 1
            if kind == .latest { noteContainers(of: place.path) }
        case .one(let old) where new.key.sub.isEmpty:
            let winner = old.joined(with: new.atom, kind: kind)
            guard winner != old else { return false }
            slots[place] = .one(winner)
        case .one(let old):
            slots[place] = .parts([[]: old, new.key.sub: new.atom])
            atomCount += 1
        case .parts(var parts):
            slots[place] = nil  // keep the dictionary unique while it changes
            defer { slots[place] = .parts(parts) }
            if let old = parts[new.key.sub] {
                let winner = old.joined(with: new.atom, kind: kind)
                guard winner != old else { return false }
                parts[new.key.sub] = winner
            } else {
                parts[new.key.sub] = new.atom
                atomCount += 1
            }
        }
        log.add(new.atom.dot, new.key)
        if new.key.path == .rules { reloadRules() }
        return true
    }

    private mutating func replace(_ new: KeyedAtom) {
        let place = SlotKey(path: new.key.path, kind: new.key.kind)
        switch slots[place] {
        case .parts(var parts):
            parts[new.key.sub] = new.atom
            slots[place] = .parts(parts)
        default: slots[place] = .one(new.atom)
        }
        log.add(new.atom.dot, new.key)
    }

    private mutating func noteContainers(of path: DocumentPath) {
        containers.formUnion(Self.hashes(along: path).above)
    }

    /// The hash of a path (FNV-1a, 64 bits), and of every place above it. O(length).
    private static func hashes(along path: DocumentPath) -> (above: [UInt64], whole: UInt64) {
        var above: [UInt64] = []
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.encoded {
            if byte == UInt8(ascii: "/") { above.append(hash) }
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return (above, hash)
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
