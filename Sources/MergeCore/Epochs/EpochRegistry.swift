/// Splits the key of an epoch's atom: the epoch's id and who declared it.
///
/// Devices that share an epoch (equal resets made apart) declare it each under an own key, so that a vector tells which
/// epochs an image stands for.
struct EpochKey {
    let id: EpochID
    let writer: ReplicaID

    init(_ id: EpochID, _ writer: ReplicaID) {
        self.id = id
        self.writer = writer
    }

    init?(_ sub: [UInt8]) {
        guard sub.count == EpochID.byteCount + 16, let id = EpochID(bytes: sub.prefix(EpochID.byteCount)),
            let writer = ReplicaID(bytes: sub.suffix(16))
        else { return nil }
        self.init(id, writer)
    }

    var atomKey: AtomKey { AtomKey(.epochs, .epoch, sub: id.bytes + writer.bytes) }
}

/// The epochs of a profile, numbered as a state's records name them.
struct EpochRegistry: Sendable {
    /// One declared epoch.
    struct Known: Sendable {
        let id: EpochID
        let number: UInt32
        let epoch: Epoch
        /// The writes that declared it.
        var dots: [Dot]
        /// What leads from the versions it was declared in to that of the rules; `nil` for that itself.
        var lifts: [Lift?]

        /// Whether it covers a place.
        func covers(_ path: DocumentPath) -> Bool {
            lifts.contains { $0?.covers(epoch.cover, path) ?? epoch.cover.covers(path) }
        }

        /// A compaction changes nothing of what shows: an edit of what showed before it is one of what shows after it.
        func isSeen(by vector: VersionVector) -> Bool {
            id.kind == .compaction || dots.contains(where: vector.covers)
        }
    }

    /// The largest first.
    private(set) var known: [Known] = []
    private var ids: [EpochID] = []
    private var numbers: [EpochID: UInt32] = [:]

    /// Every epoch that an atom names, in the order of their numbers.
    var all: [EpochID] { ids }

    /// 0 for none.
    mutating func number(_ id: EpochID?) -> UInt32 {
        guard let id else { return 0 }
        if let number = numbers[id] { return number }
        ids.append(id)
        numbers[id] = UInt32(ids.count)
        return UInt32(ids.count)
    }

    func id(_ number: UInt32) -> EpochID? { number == 0 ? nil : ids[Int(number) - 1] }

    /// Whether one epoch stands below another; none is below all.
    func isBelow(_ a: UInt32, _ b: UInt32) -> Bool {
        guard a != b, b != 0 else { return false }
        return a == 0 || ids[Int(a) - 1] < ids[Int(b) - 1]
    }

    /// Forgets what was declared, but not the numbers.
    mutating func forgetDeclared() { known = [] }

    /// Returns the epoch where it, or that it began in this version too, is new here.
    mutating func declare(_ id: EpochID, _ epoch: Epoch, _ lift: Lift?, by dot: Dot) -> Known? {
        if let index = known.firstIndex(where: { $0.id == id }) {
            if !known[index].dots.contains(dot) { known[index].dots.append(dot) }
            guard !known[index].lifts.contains(lift) else { return nil }
            known[index].lifts.append(lift)
            return known[index]
        }
        let new = Known(id: id, number: number(id), epoch: epoch, dots: [dot], lifts: [lift])
        known.insert(new, at: known.firstIndex { $0.id < id } ?? known.count)
        return new
    }

    /// The epoch in force at a place.
    func inForce(_ path: DocumentPath) -> UInt32 {
        known.first { $0.covers(path) }?.number ?? 0
    }

    /// The epoch in force at a place for a reader who had seen only so much.
    func inForce(_ path: DocumentPath, seen vector: VersionVector) -> EpochID? {
        known.first { $0.id.kind != .compaction && $0.isSeen(by: vector) && $0.covers(path) }?.id
    }

    /// Whether nothing was reset, restored or undone at a place beyond what a reader had seen. A compaction stands for
    /// what was in force when it began, so that it says nothing of what its reader knows.
    func isCurrent(_ path: DocumentPath, seen vector: VersionVector) -> Bool {
        newest(path)?.isSeen(by: vector) ?? true
    }

    /// The newest epoch at a place but compactions.
    func newest(_ path: DocumentPath) -> Known? {
        known.first { $0.id.kind != .compaction && $0.covers(path) }
    }

    /// Whether a reader who had seen only so much knows every epoch.
    func areAllSeen(by vector: VersionVector) -> Bool { known.allSatisfy { $0.isSeen(by: vector) } }
}
