/// The containers that games removed, as the atoms of a state say, all replicas together.
struct RemovalBook: Sendable {
    struct Entry: Sendable {
        /// What of it is gone, unless something below was written apart.
        var seen: [ReplicaID: UInt64]
        /// What stays gone.
        var final: [ReplicaID: UInt64]
        /// Whether something below was written apart, or anew: then only what is final is gone.
        var isRevived = false

        /// Whether an atom that comes or goes can change what others below show.
        var mayTurn: Bool { !final.covers(seen) }
    }

    private var entries: [DocumentPath: Entry] = [:]
    /// The hashes of their places: most paths have none above them, and are done with after one look a step.
    private var hashes = Set<UInt64>()
    /// Those to be looked at again, see ``ProfileState/settleRemovals()``.
    private(set) var unsettled = Set<DocumentPath>()

    var isEmpty: Bool { entries.isEmpty }

    subscript(path: DocumentPath) -> Entry? { entries[path] }

    mutating func set(_ path: DocumentPath, _ entry: Entry?) {
        entries[path] = entry
        if entry != nil { hashes.insert(ProfileState.walk(path) { _ in }) }
        unsettled.insert(path)
        // What is removed deeper does not revive what is above.
        for (place, _) in above(path) { unsettled.insert(place) }
    }

    /// The place itself and those above it, the innermost first.
    func above(_ path: DocumentPath) -> [(place: DocumentPath, entry: Entry)] {
        guard !entries.isEmpty, !path.isReserved else { return [] }
        var isNear = false
        let own = ProfileState.walk(path) { if hashes.contains($0) { isNear = true } }
        guard isNear || hashes.contains(own) else { return [] }
        var result: [(place: DocumentPath, entry: Entry)] = []
        var place: DocumentPath? = path
        while let here = place {
            if let entry = entries[here] { result.append((here, entry)) }
            place = here.parent
        }
        return result
    }

    /// What hides atoms of a place: one of these that covers a dot does.
    func hiding(_ path: DocumentPath) -> [[ReplicaID: UInt64]] {
        above(path).compactMap { _, entry in
            let gone = entry.isRevived ? entry.final : entry.seen
            return gone.isEmpty ? nil : gone
        }
    }

    /// Whether an atom is gone for good.
    func isFinal(_ path: DocumentPath, _ dot: Dot) -> Bool { above(path).contains { $0.entry.final.covers(dot) } }

    /// The containers that an atom keeps alive: those around it up to one whose removal had read it.
    func revived(by dot: Dot, at path: DocumentPath) -> [DocumentPath] {
        above(path).prefix { !$0.entry.seen.covers(dot) }.map(\.place)
    }

    /// An atom took the place of another one, or of none.
    mutating func replaced(_ former: Dot?, by dot: Dot, at path: DocumentPath) {
        let revived = revived(by: dot, at: path)
        for place in revived { entries[place]?.isRevived = true }
        guard let former else { return }
        unsettled.formUnion(self.revived(by: former, at: path).filter { !revived.contains($0) })
    }

    mutating func unsettle() { unsettled.formUnion(entries.keys) }

    /// Forgets what keeps the unsettled ones alive. Returns them, and the hashes of their places.
    mutating func beginSettling() -> (places: Set<DocumentPath>, hashes: Set<UInt64>) {
        let places = unsettled.filter { entries[$0] != nil }
        unsettled = []
        for place in places { entries[place]?.isRevived = false }
        return (places, Set(places.map { ProfileState.walk($0) { _ in } }))
    }

    mutating func revive(_ places: [DocumentPath]) {
        for place in places { entries[place]?.isRevived = true }
    }
}
