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

    /// How far an array by position reaches that lost elements.
    private struct Reach {
        /// The position of its last element that was not removed; -1 for none.
        var index = -1
        /// A write that is in it.
        var dot: Dot?
    }

    private var entries: [DocumentPath: Entry] = [:]
    /// The arrays by position that lost elements. What stands behind a removed element keeps that as it was: a position
    /// counts from the start, and no game wrote the null that would stand there otherwise.
    private var reaches: [DocumentPath: Reach] = [:]
    /// The hashes of their places: most paths have none above them, and are done with after one look a step.
    private var hashes = Set<UInt64>()
    /// Those to be looked at again, see ``ProfileState/settleRemovals()``.
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
        // What is gone for good inside an array lengthens it no more.
        if entry?.final.isEmpty == false { unsettledArrays.formUnion(arrays(around: path).map(\.array)) }
        guard let (array, _) = path.inArray else { return }
        if reaches[array] == nil { reaches[array] = Reach() }
        hashes.insert(ProfileState.walk(array) { _ in })
        unsettledArrays.insert(array)
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
        above(path).compactMap { place, entry in
            let gone = isAlive(place, entry) ? entry.final : entry.seen
            return gone.isEmpty ? nil : gone
        }
    }

    /// Whether a container that was removed shows all the same, but for what is gone for good.
    func isAlive(_ place: DocumentPath, _ entry: Entry) -> Bool { entry.isRevived || isNeeded(place) }

    /// The containers that show no more.
    var gone: [DocumentPath] { entries.filter { !isAlive($0.key, $0.value) }.map(\.key) }

    /// Whether something stands behind a removed element of an array by position.
    ///
    /// - Parameter hasRead: Tells of that by one of its writes.
    func isNeeded(_ place: DocumentPath, where hasRead: (Dot) -> Bool = { _ in true }) -> Bool {
        guard !reaches.isEmpty, let (array, index) = place.inArray, let reach = reaches[array], index < reach.index
        else { return false }
        return reach.dot.map(hasRead) ?? false
    }

    /// The position up to which an array reaches that lost elements.
    func reach(of array: DocumentPath) -> Int? { reaches[array]?.index }

    /// The removed elements of an array that show for what stands behind them, up to a position.
    func needed(in array: DocumentPath, before index: Int, where hasRead: (Dot) -> Bool) -> [DocumentPath] {
        guard reaches[array] != nil else { return [] }
        let places = entries.filter { place, entry in
            guard !entry.isRevived, let (other, own) = place.inArray, other == array, own < index else { return false }
            return isNeeded(place, where: hasRead)
        }
        return places.keys.sorted()
    }

    /// The arrays by position around a place that lost elements, and where in them the place is.
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

    /// Whether a write at a place keeps the element of an array that it is in from being removed: not where it was
    /// removed with that element, nor where it is gone for good with the array or anything else around it.
    private func holds(_ array: DocumentPath, _ index: Int, by dot: Dot, at path: DocumentPath) -> Bool {
        let isRemoved = entries[array.appending(.index(index))]?.seen.covers(dot) ?? false
        return !isRemoved && !isFinal(path, dot)
    }

    /// A write lengthens the arrays that it is in.
    mutating func lengthen(by dot: Dot, at path: DocumentPath) {
        for (array, index) in arrays(around: path) where reaches[array]!.index < index {
            if holds(array, index, by: dot, at: path) { reaches[array] = Reach(index: index, dot: dot) }
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

    /// Forgets what keeps the unsettled ones alive. Returns the hashes of their places.
    mutating func beginSettling() -> Set<UInt64> {
        let places = unsettled.filter { entries[$0] != nil }
        for place in places { entries[place]?.isRevived = false }
        // Nor does what is gone for good with the array or a container around it.
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
    /// The array by position that a place is an element of, and where in it.
    var inArray: (array: DocumentPath, index: Int)? {
        guard case .index(let index)? = steps?.last, let array = parent else { return nil }
        return (array, index)
    }
}
