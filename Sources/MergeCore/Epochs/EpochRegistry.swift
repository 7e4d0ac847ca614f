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

    /// The largest first.
    private(set) var known: [Known] = []
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

    /// Forgets the declarations, but not the numbers.
    mutating func forgetDeclared() { known = [] }

    /// Notes a declaration. Returns the epoch if it is new here, or if it was not declared in this version before; else
    /// `nil`.
    mutating func declare(_ id: EpochID, _ epoch: Epoch, _ upcaster: Upcaster?, by dot: Dot) -> Known? {
        let index = index(of: id)
        if index < known.count, known[index].id == id {
            if !known[index].dots.contains(dot) { known[index].dots.append(dot) }
            guard !known[index].upcasters.contains(upcaster) else { return nil }
            known[index].upcasters.append(upcaster)
            return known[index]
        }
        let new = Known(id: id, number: number(id), epoch: epoch, dots: [dot], upcasters: [upcaster])
        known.insert(new, at: index)
        return new
    }

    /// The index of an epoch in ``known``, or the index at which it would be inserted. O(log epochs).
    private func index(of id: EpochID) -> Int {
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if id < known[middle].id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number of the epoch in force at a place; 0 for none.
    func inForce(_ path: DocumentPath) -> UInt32 {
        known.first { $0.covers(path) }?.number ?? 0
    }

    /// The epoch in force at a place for a reader who had seen no more than a vector.
    func inForce(_ path: DocumentPath, seen vector: VersionVector) -> EpochID? {
        known.first { $0.isSeen(by: vector) && $0.covers(path) }?.id
    }

    /// Whether a reader has seen the newest reset, restore or undo at a place.
    func isCurrent(_ path: DocumentPath, seen vector: VersionVector) -> Bool {
        newest(path)?.isSeen(by: vector) ?? true
    }

    /// The newest epoch at a place.
    func newest(_ path: DocumentPath) -> Known? {
        known.first { $0.covers(path) }
    }

    /// The patterns of the epochs that a replica declared. O(epochs · declarations).
    func patterns(declaredBy replica: ReplicaID) -> Set<RulePattern> {
        var patterns = Set<RulePattern>()
        for known in known where known.dots.contains(where: { $0.replica == replica }) {
            patterns.formUnion(known.epoch.selector.patterns)
        }
        return patterns
    }

    /// Whether a reader who had seen no more than a vector knows every epoch.
    func areAllSeen(by vector: VersionVector) -> Bool { known.allSatisfy { $0.isSeen(by: vector) } }
}
