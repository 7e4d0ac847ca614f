/// The containers that games removed, summed up over the removal atoms of all replicas in a state.
struct RemovalIndex: Sendable {
    struct Entry: Sendable {
        /// The writes that are gone, unless something below was written concurrently.
        var seen: [ReplicaID: UInt64]
        /// The writes that stay gone in any case.
        var final: [ReplicaID: UInt64]
        /// Whether a value below was written concurrently, or after the removal. Then only the writes in `final` are
        /// gone.
        var isRevived = false

        /// Whether an atom that comes or goes can change what other atoms below show.
        var mayTurn: Bool { !final.covers(seen) }
    }

    /// The position up to which an array by position must keep its elements, for an array that lost some.
    private struct Reach {
        /// The position of the last element with a write that was not removed; -1 for none.
        var index = -1
        /// One such write in the element at that position.
        var dot: Dot?
    }

    private var entries: [DocumentPath: Entry] = [:]
    /// The arrays by position that lost elements. A removed element stays in the array while a later index is in use,
    /// because taking it out would shift the later elements. It stays as it was, because no game wrote a null there.
    private var reaches: [DocumentPath: Reach] = [:]
    /// The hashes of the places in ``entries`` and ``reaches``. Most paths have none of these places above them, and
    /// that takes one look for each step of the path.
    private var hashes = Set<UInt64>()
    /// The places in ``entries`` to look at again, see ``ProfileState/settleRemovals()``.
    private var unsettled = Set<DocumentPath>()
    private var unsettledArrays = Set<DocumentPath>()

    var isSettled: Bool { unsettled.isEmpty && unsettledArrays.isEmpty }

    var isEmpty: Bool { entries.isEmpty }

    subscript(path: DocumentPath) -> Entry? { entries[path] }

    mutating func set(_ path: DocumentPath, _ entry: Entry?) {
        entries[path] = entry
        if entry != nil { hashes.insert(ProfileState.walk(path) { _ in }) }
        unsettled.insert(path)
        for (place, _) in above(path) { unsettled.insert(place) }
        // A write that is gone for good inside an array does not make the array longer any more.
        if entry?.final.isEmpty == false { unsettledArrays.formUnion(arrays(around: path).map(\.array)) }
        guard let (array, _) = path.inArray else { return }
        if reaches[array] == nil { reaches[array] = Reach() }
        hashes.insert(ProfileState.walk(array) { _ in })
        unsettledArrays.insert(array)
    }

    /// The removed containers at a place and above it, the innermost first.
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

    /// The writes that are removed at a place, one vector for each removed container around it. An atom whose dot is in
    /// one of them is hidden.
    func hiding(_ path: DocumentPath) -> [[ReplicaID: UInt64]] {
        above(path).compactMap { place, entry in
            let gone = isAlive(place, entry) ? entry.final : entry.seen
            return gone.isEmpty ? nil : gone
        }
    }

    /// Whether a removed container still shows, apart from the writes that are gone for good.
    func isAlive(_ place: DocumentPath, _ entry: Entry) -> Bool { entry.isRevived || isNeeded(place) }

    /// The removed containers that do not show any more.
    var gone: [DocumentPath] { entries.filter { !isAlive($0.key, $0.value) }.map(\.key) }

    /// The removed containers that a concurrent or later write brought back.
    var revived: [DocumentPath] { entries.filter(\.value.isRevived).map(\.key) }

    /// The containers in which a game that knew of their removal wrote new values, each with the writes that are gone
    /// for good by that.
    var begunAnew: [DocumentPath: [ReplicaID: UInt64]] {
        entries.compactMapValues { $0.final.isEmpty ? nil : $0.final }
    }

    /// Whether an element of an array by position is kept although it was removed, because a later index is in use.
    ///
    /// - Parameter hasRead: Whether a given write counts. It is asked about one write in the array's last element.
    func isNeeded(_ place: DocumentPath, where hasRead: (Dot) -> Bool = { _ in true }) -> Bool {
        guard !reaches.isEmpty, let (array, index) = place.inArray, let reach = reaches[array], index < reach.index
        else { return false }
        return reach.dot.map(hasRead) ?? false
    }

    /// The position of the last element with something in it, for an array that lost elements; else `nil`.
    func reach(of array: DocumentPath) -> Int? { reaches[array]?.index }

    /// The removed elements of an array before a position that show only because later indexes are in use.
    func needed(in array: DocumentPath, before index: Int, where hasRead: (Dot) -> Bool) -> [DocumentPath] {
        guard reaches[array] != nil else { return [] }
        let places = entries.filter { place, entry in
            guard !entry.isRevived, let (other, own) = place.inArray, other == array, own < index else { return false }
            return isNeeded(place, where: hasRead)
        }
        return places.keys.sorted()
    }

    /// The arrays by position around a place that lost elements, each with the index in it at which the place is.
    func arrays(around path: DocumentPath) -> [(array: DocumentPath, index: Int)] {
        guard !reaches.isEmpty, !path.isReserved else { return [] }
        var isNear = false
        _ = ProfileState.walk(path) { if hashes.contains($0) { isNear = true } }
        guard isNear else { return [] }
        var result: [(array: DocumentPath, index: Int)] = []
        var place: DocumentPath? = path
        while let here = place {
            if let (array, index) = here.inArray, reaches[array] != nil { result.append((array, index)) }
            place = here.parent
        }
        return result
    }

    /// Whether a write at a place keeps the array element around it. It does not if it was removed with that element,
    /// or if it is gone for good with the array or another container around it.
    private func holds(_ array: DocumentPath, _ index: Int, by dot: Dot, at path: DocumentPath) -> Bool {
        let isRemoved = entries[array.appending(.index(index))]?.seen.covers(dot) ?? false
        return !isRemoved && !isFinal(path, dot)
    }

    /// Notes a write in the arrays around it: each reaches at least up to the element that holds the write.
    mutating func lengthen(by dot: Dot, at path: DocumentPath) {
        for (array, index) in arrays(around: path) where reaches[array]!.index < index {
            if holds(array, index, by: dot, at: path) { reaches[array] = Reach(index: index, dot: dot) }
        }
    }

    /// Whether an atom is gone for good.
    func isFinal(_ path: DocumentPath, _ dot: Dot) -> Bool { above(path).contains { $0.entry.final.covers(dot) } }

    /// The containers that an atom keeps alive: those around its place, from the inside out, up to the first whose
    /// removal had read the atom's write.
    func revived(by dot: Dot, at path: DocumentPath) -> [DocumentPath] {
        above(path).prefix { !$0.entry.seen.covers(dot) }.map(\.place)
    }

    /// Notes that an atom replaced another one, or came where none was.
    mutating func replaced(_ former: Dot?, by dot: Dot, at path: DocumentPath) {
        let revived = revived(by: dot, at: path)
        for place in revived { entries[place]?.isRevived = true }
        lengthen(by: dot, at: path)
        guard let former else { return }
        for (array, index) in arrays(around: path) where reaches[array]!.index == index {
            if !holds(array, index, by: dot, at: path), holds(array, index, by: former, at: path) {
                unsettledArrays.insert(array)
            }
        }
        unsettled.formUnion(self.revived(by: former, at: path).filter { !revived.contains($0) })
    }

    mutating func unsettle() {
        unsettled.formUnion(entries.keys)
        unsettledArrays.formUnion(reaches.keys)
    }

    /// Clears the marks of unsettled containers that say why they are alive. Returns the hashes of their places.
    mutating func beginSettling() -> Set<UInt64> {
        let places = unsettled.filter { entries[$0] != nil }
        for place in places { entries[place]?.isRevived = false }
        // A write that is gone for good with the array, or a container around it, does not make the array longer
        // either.
        let final = places.filter { entries[$0]?.final.isEmpty == false }
        if !final.isEmpty { unsettledArrays.formUnion(reaches.keys.filter { $0.nearest(in: final) != nil }) }
        for array in unsettledArrays { reaches[array] = Reach() }
        defer { (unsettled, unsettledArrays) = ([], []) }
        return Set((places.union(unsettledArrays)).map { ProfileState.walk($0) { _ in } })
    }

    mutating func revive(_ places: [DocumentPath]) {
        for place in places { entries[place]?.isRevived = true }
    }
}

extension DocumentPath {
    /// The array by position that has this place as an element, and its position there; `nil` for other places.
    var inArray: (array: DocumentPath, index: Int)? {
        guard case .index(let index)? = steps?.last, let array = parent else { return nil }
        return (array, index)
    }
}
