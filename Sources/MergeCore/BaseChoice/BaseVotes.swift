import LosslessJSON

/// Votes for the snapshot that a game had read. Each place in which several snapshots of a file differ votes for those
/// that agree with the save:
///
/// - An element of a set, a union or an array of objects that some snapshots hold and others do not: 3 votes each for
///   the snapshots that agree with the save about it. A game hardly ever makes the same element by chance. All that
///   went with a whole array of objects counts as one such element, and so does an object with the counters in it.
/// - Another leaf that is in the save exactly as in some snapshots: 2 votes for those. Most leaves stay as they were
///   read. But a counter of which another holds one or two more or less gives 1 vote: who had read that may have earned or
///   spent just that.
/// - A list or an object that is one value and in the save as in none of them: 1 vote for the one that shares most with
///   it. But a choice that agrees only in part gives no vote: two games can make half of one decision, and a wrong base
///   would take one of both decisions for the answer to the other.
/// - A number that is in the save as in none of them: 1 vote for the nearest. But a number beyond all of them gives no
///   vote unless it is a counter: times and best scores move in that direction whatever was read.
struct BaseVotes {
    static let element = 3
    static let equal = 2
    static let nearer = 1

    /// How clear a purse alone must be to decide for an older snapshot: the newer snapshot must be two to this power
    /// (8) times further away. If the older one is chosen wrongly, what came in counts twice.
    static let doublingsForOlder = 3
    /// How clear a purse alone must be to decide for the newer snapshot: the older one must be two to this power (2) times
    /// further away. That is enough, since most games read the content of their file.
    static let doublingsForNewer = 1

    /// The votes for each snapshot.
    private var votes: [SnapshotVotes]
    /// The number of places that have voted.
    private var voters = 0
    /// The last counter that voted; `nil` where none did, or where it tells nothing.
    private var purse: PurseVote?
    /// The ways in which places divide the snapshots, each way once. A way has a number for each snapshot: snapshots
    /// with the same number hold the same value at the place.
    private var partings: Set<[Int]> = []
    /// The ways in which places divide the snapshots that the save lacks. They give no vote: whatever was read there, the
    /// game removed it.
    private var partingsOfRemoved: Set<[Int]> = []

    /// A leaf that differs between a snapshot and the save: the index of the snapshot, and that of the change in its
    /// difference.
    private struct Sighting {
        let snapshot: Int
        let change: Int
    }

    private struct Element: Hashable {
        let path: DocumentPath
        let value: JSONValue
    }

    /// - Parameters:
    ///   - diffs: The difference from each snapshot to the save.
    ///   - places: Places that have no vote.
    init(_ diffs: [DocumentDiff], except places: Set<DocumentPath> = []) {
        votes = Array(repeating: SnapshotVotes(), count: diffs.count)
        var leaves: [DocumentPath: [Sighting]] = [:]
        var elements: [Element: Set<Int>] = [:]
        var gone = Set<Element>()
        for (snapshot, diff) in diffs.enumerated() {
            let (containers, objects, unions) = (diff.topmostGone, diff.vanishedElements, diff.vanishedUnions)
            let keys = diff.appearedKeys
            for (index, change) in diff.changes.enumerated() where !places.contains(change.path) {
                switch change.change {
                case .value where change.isRemoval && change.path.nearest(in: objects) != nil: continue
                // The key of an element says no more than that the element is there.
                case .value(nil, let new?) where change.path.parent.flatMap({ keys[$0] }) == new: continue
                case .value: leaves[change.path, default: []].append(Sighting(snapshot: snapshot, change: index))
                case .elements(let added, let removed):
                    for value in added + removed {
                        elements[Element(path: change.path, value: value), default: []].insert(snapshot)
                    }
                    // A game cannot take an element out of a union, but it can remove the union, or a container around
                    // it, or what is more than the limit of a list.
                    if change.rule.merge != .union || change.path.nearest(in: containers) != nil
                        || unions.contains(change.path) || diff.trimmed.contains(change.path)
                    {
                        gone.formUnion(removed.map { Element(path: change.path, value: $0) })
                    }
                case .elementAppeared(let key):
                    elements[Element(path: change.path, value: key), default: []].insert(snapshot)
                case .elementVanished(let key):
                    let around = change.path.parent?.nearest(in: containers)
                    let element = Element(path: around ?? change.path, value: around == nil ? key : .null)
                    elements[element, default: []].insert(snapshot)
                    gone.insert(element)
                // The changes inside are looked at instead.
                default: continue
                }
            }
        }
        // Votes are sums, so the order of the places does not matter.
        for (element, disagreeing) in elements { vote(of: disagreeing, isGone: gone.contains(element)) }
        let appeared = Set(diffs.flatMap(\.appearedKeys.keys))
        for sightings in leaves.values { vote(of: sightings, in: diffs, appeared) }
        for place in Set(diffs.flatMap(\.removedContents.keys)) where !places.contains(place) {
            note(removed: parting(diffs.map { $0.removedContents[place] }))
        }
    }

    private mutating func vote(of disagreeing: Set<Int>, isGone: Bool) {
        guard disagreeing.count < votes.count else { return }
        voters += 1
        for snapshot in votes.indices where !disagreeing.contains(snapshot) {
            votes[snapshot].count += Self.element
            votes[snapshot].ofElements += Self.element
            if isGone { votes[snapshot].ofAbsence += Self.element }
        }
        partings.insert(votes.indices.map { disagreeing.contains($0) ? 1 : 0 })
    }

    /// - Parameter appeared: The keyed elements that the save has and some snapshot lacks.
    private mutating func vote(of sightings: [Sighting], in diffs: [DocumentDiff], _ appeared: Set<DocumentPath>) {
        let changes = sightings.map { diffs[$0.snapshot].changes[$0.change] }
        var contents = Array(repeating: LeafChange?.none, count: votes.count)
        for (sighting, change) in zip(sightings, changes) { contents[sighting.snapshot] = change }
        let parting = parting(contents)
        if parting.contains(0) {
            voters += 1
            let isGone = changes.allSatisfy { $0.isRemoval || $0.empties }
            let isInElement = changes.allSatisfy { $0.isNew && $0.path.nearest(in: appeared) != nil }
            let weight = changes.contains(where: Self.isAStep) ? Self.nearer : Self.equal
            for snapshot in votes.indices where parting[snapshot] == 0 {
                votes[snapshot].count += weight
                if isGone { votes[snapshot].ofAbsence += weight }
                if changes[0].rule.merge == .flag { votes[snapshot].ofFlags += weight }
                if changes[0].rule.merge == .counter { votes[snapshot].ofAmounts += weight }
                if isInElement, changes[0].rule.merge != .flag { votes[snapshot].inElements += weight }
            }
            if changes[0].rule.merge == .counter {
                var gaps = Array(repeating: ExactDecimal?.some(.zero), count: votes.count)
                for (sighting, change) in zip(sightings, changes) { gaps[sighting.snapshot] = Self.gap(change) }
                purse = PurseVote(gaps)
            }
        } else if changes.allSatisfy(\.isRemoval) {
            return note(removed: parting)
        } else if Set(parting).count > 1 {
            let numbers = Self.nearest(changes)
            let nearest = numbers.isEmpty ? Self.mostAlike(changes) : numbers
            if !nearest.isEmpty { voters += 1 }
            let isLacked = changes.contains(where: \.isNew)
            for index in nearest {
                let snapshot = sightings[index].snapshot
                votes[snapshot].count += Self.nearer
                votes[snapshot].ofNearness += Self.nearer
                if isLacked, !Self.isClear(changes[index]) { votes[snapshot].ofNewNumbers += Self.nearer }
            }
            if changes[0].rule.merge == .counter, sightings.count == votes.count {
                let gaps = zip(sightings, changes).sorted { $0.0.snapshot < $1.0.snapshot }.map { Self.gap($0.1) }
                purse = PurseVote(gaps)
            }
        } else {
            return  // the snapshots agree there
        }
        partings.insert(parting)
    }

    /// How one place divides the snapshots, by the difference from each snapshot to the save: 0 for no difference, and
    /// a number for each different one.
    private func parting<Difference: Hashable>(_ differences: [Difference?]) -> [Int] {
        var numbers: [Difference: Int] = [:]
        return differences.map { difference in
            guard let difference else { return 0 }
            let number = numbers[difference] ?? numbers.count + 1
            numbers[difference] = number
            return number
        }
    }

    private mutating func note(removed parting: [Int]) {
        if Set(parting).count > 1 { partingsOfRemoved.insert(parting) }
    }

    // MARK: The count

    subscript(snapshot: Int) -> SnapshotVotes { votes[snapshot] }

    var indices: Range<Int> { votes.indices }

    /// The snapshot for which a single purse speaks nearly as well as for the winner; `nil` if anything else voted, or
    /// if the purse is clear; see ``PurseVote/rival(_:outdated:)``.
    func rivalOfPurse(_ winner: Int, outdated: Set<Int>) -> Int? {
        guard voters == 1, most == Self.nearer else { return nil }
        return purse?.rival(winner, outdated: outdated)
    }

    /// The nearest of some other snapshots, if a single purse is the only vote, and prefers the winner clearly; see
    /// ``PurseVote/farRival(_:among:)``. `nil` if the purse is less clear, or if anything else voted.
    func farRivalOfPurse(_ winner: Int, among others: [Int]) -> Int? {
        guard voters == 1, most <= Self.equal else { return nil }
        return purse?.farRival(winner, among: others)
    }

    /// Whether the snapshots differ at any place.
    var snapshotsDiffer: Bool { !partings.isEmpty || !partingsOfRemoved.isEmpty }

    /// The snapshots with the most votes, the oldest first.
    var winners: [Int] { votes.indices.filter { [most] in votes[$0].count == most } }

    var most: Int { votes.lazy.map(\.count).max() ?? 0 }

    /// The votes of the best snapshot that is not among the winners; 0 if there is none.
    var second: Int { votes.map(\.count).filter { [most] in $0 != most }.max() ?? 0 }

    /// Whether these snapshots hold the same at every place in which any snapshots differ.
    func agree(_ snapshots: [Int]) -> Bool { agreeInKept(snapshots) && agree(snapshots, in: partingsOfRemoved) }

    /// Whether these snapshots hold the same at every place of the save in which any snapshots differ.
    func agreeInKept(_ snapshots: [Int]) -> Bool { agree(snapshots, in: partings) }

    private func agree(_ snapshots: [Int], in partings: Set<[Int]>) -> Bool {
        partings.allSatisfy { parting in snapshots.allSatisfy { parting[$0] == parting[snapshots[0]] } }
    }
}

extension DocumentDiff {
    /// The keyed elements that a save has and the snapshot lacks, with the values of their keys.
    fileprivate var appearedKeys: [DocumentPath: JSONValue] {
        var keys: [DocumentPath: JSONValue] = [:]
        for change in changes {
            if case .elementAppeared(let key) = change.change { keys[change.path] = key }
        }
        return keys
    }

    /// The keyed elements that are gone.
    fileprivate var vanishedElements: Set<DocumentPath> {
        var gone = Set<DocumentPath>()
        for change in changes {
            if case .elementVanished = change.change { gone.insert(change.path) }
        }
        return gone
    }
}

extension LeafChange {
    /// Whether the save has a value where the snapshot has none.
    fileprivate var isNew: Bool {
        guard case .value(nil, _?) = change else { return false }
        return true
    }
}
