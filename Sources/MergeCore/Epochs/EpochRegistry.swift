/// The parts of the key of an epoch's atom: the epoch's id, and the replica that declared it.
///
/// Devices can share an epoch: equal resets that were made concurrently. Each device declares it under a key of its
/// own, so that a version vector shows which epochs a snapshot includes.
struct EpochKey {
    let id: EpochID
    let writer: ReplicaID

    init(_ id: EpochID, _ writer: ReplicaID) {
        self.id = id
        self.writer = writer
    }

    init?(_ sub: [UInt8]) {
        guard sub.count == EpochID.byteCount + 16, let id = EpochID(bytes: sub.prefix(EpochID.byteCount)),
            id.kind != .beginning, let writer = ReplicaID(bytes: sub.suffix(16))
        else { return nil }
        self.init(id, writer)
    }

    var atomKey: AtomKey { AtomKey(.epochs, .epoch, sub: id.bytes + writer.bytes) }
}

/// The epochs of a profile, with the numbers by which a state's records refer to them.
struct EpochRegistry: Sendable {
    /// One declared epoch.
    struct Known: Sendable {
        let id: EpochID
        let number: UInt32
        let epoch: Epoch
        /// The writes that declared it.
        var dots: [Dot]
        /// The upcasts from the versions in which it was declared to the version of the rules; `nil` means that it was
        /// declared in the version of the rules itself.
        var upcasters: [Upcaster?]

        /// Whether it covers a place.
        func covers(_ path: DocumentPath) -> Bool {
            upcasters.contains { $0?.covers(epoch.selector, path) ?? epoch.selector.covers(path) }
        }

        /// Whether a reader with this vector knows the epoch.
        func isSeen(by vector: VersionVector) -> Bool { dots.contains(where: vector.covers) }
    }

    /// A declaration that came in and is not in ``known`` yet.
    private struct Declaration: Sendable {
        let id: EpochID
        let epoch: Epoch
        let upcaster: Upcaster?
        let dot: Dot
    }

    /// The largest first.
    private(set) var known: [Known] = []
    private var declarations: [Declaration] = []
    private var places = EpochPlaces()
    private var ids: [EpochID] = []
    private var numbers: [EpochID: UInt32] = [:]

    /// Every epoch that an atom names, in the order of their numbers.
    var all: [EpochID] { ids }

    /// The number of an epoch. An epoch without a number gets a new one; for `nil`, 0.
    mutating func number(_ id: EpochID?) -> UInt32 {
        guard let id else { return 0 }
        if let number = numbers[id] { return number }
        ids.append(id)
        numbers[id] = UInt32(ids.count)
        return UInt32(ids.count)
    }

    func id(_ number: UInt32) -> EpochID? { number == 0 ? nil : ids[Int(number) - 1] }

    /// Whether epoch number `a` is below `b`; 0, for no epoch, is below all.
    func isBelow(_ a: UInt32, _ b: UInt32) -> Bool {
        guard a != b, b != 0 else { return false }
        return a == 0 || ids[Int(a) - 1] < ids[Int(b) - 1]
    }

    // MARK: Declaring

    /// Forgets the declarations, but not the numbers.
    mutating func forgetDeclared() { (known, declarations, places) = ([], [], EpochPlaces()) }

    /// Notes a declaration. It counts from the next ``settle()`` on.
    mutating func declare(_ id: EpochID, _ epoch: Epoch, _ upcaster: Upcaster?, by dot: Dot) {
        _ = number(id)
        declarations.append(Declaration(id: id, epoch: epoch, upcaster: upcaster, dot: dot))
    }

    /// Whether no declaration waits for ``settle()``.
    var isSettled: Bool { declarations.isEmpty }

    /// Takes up the declarations that came in, all in one pass. Returns those epochs that are new here, or that were not
    /// declared in this version before, ascending. O(epochs + declarations · log).
    mutating func settle() -> [Known] {
        guard !declarations.isEmpty else { return [] }
        let new = declarations.enumerated().sorted { one, other in
            one.element.id == other.element.id ? one.offset < other.offset : one.element.id > other.element.id
        }
        declarations = []
        var (merged, fresh): ([Known], Set<UInt32>) = ([], [])
        merged.reserveCapacity(known.count + new.count)
        var rest = known[...]
        for (_, declaration) in new {
            while let next = rest.first, next.id >= declaration.id {
                merged.append(next)
                rest = rest.dropFirst()
            }
            if let last = merged.indices.last, merged[last].id == declaration.id {
                if !merged[last].dots.contains(declaration.dot) { merged[last].dots.append(declaration.dot) }
                guard !merged[last].upcasters.contains(declaration.upcaster) else { continue }
                merged[last].upcasters.append(declaration.upcaster)
                fresh.insert(merged[last].number)
            } else {
                let number = number(declaration.id)
                merged.append(
                    Known(
                        id: declaration.id, number: number, epoch: declaration.epoch, dots: [declaration.dot],
                        upcasters: [declaration.upcaster]))
                fresh.insert(number)
            }
        }
        merged += rest
        known = merged
        let begun = Array(known.filter { fresh.contains($0.number) }.reversed())
        for epoch in begun { places.add(epoch) }
        return begun
    }

    // MARK: Looking up

    /// The declared epoch of an id; `nil` where nobody declared it. O(log epochs).
    func declared(_ id: EpochID?) -> Known? {
        guard let id else { return nil }
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if id < known[middle].id { low = middle + 1 } else { high = middle }
        }
        return low < known.count && known[low].id == id ? known[low] : nil
    }

    /// The number of the epoch in force at a place; 0 for none.
    func inForce(_ path: DocumentPath) -> UInt32 { places.largest(covering: path).flatMap { numbers[$0] } ?? 0 }

    /// The epoch in force at a place for a reader who had seen no more than a vector.
    func inForce(_ path: DocumentPath, seen vector: VersionVector) -> EpochID? {
        places.largest(covering: path) { declared($0)?.isSeen(by: vector) == true }
    }

    /// Whether a reader has seen the newest reset, restore or undo at a place.
    func isCurrent(_ path: DocumentPath, seen vector: VersionVector) -> Bool {
        newest(path)?.isSeen(by: vector) ?? true
    }

    /// The newest epoch at a place.
    func newest(_ path: DocumentPath) -> Known? { declared(places.largest(covering: path)) }

    /// The epochs that a replica declared, and their patterns. O(epochs · declarations).
    func declared(by replica: ReplicaID) -> (ids: Set<EpochID>, patterns: Set<RulePattern>) {
        var (ids, patterns): (Set<EpochID>, Set<RulePattern>) = ([], [])
        for known in known where known.dots.contains(where: { $0.replica == replica }) {
            ids.insert(known.id)
            patterns.formUnion(known.epoch.selector.patterns)
        }
        return (ids, patterns)
    }

    /// Whether a reader who had seen no more than a vector knows every epoch.
    func areAllSeen(by vector: VersionVector) -> Bool { known.allSatisfy { $0.isSeen(by: vector) } }
}
