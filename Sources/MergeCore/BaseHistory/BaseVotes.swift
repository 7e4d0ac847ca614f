import LosslessJSON

/// Votes for the snapshot that a game had read. Each place in which several snapshots of a file differ votes for those
/// that agree with the save:
///
/// - An element of a set, a union or an array of objects that some snapshots hold and others do not: 3 votes each for
///   the snapshots that agree with the save about it. A game hardly ever makes the same element by chance. All that
///   went with a whole array of objects counts as one such element, and so does an object with the counters in it.
/// - Another leaf that is in the save exactly as in some snapshots: 2 votes for those. Most leaves stay as they were
///   read.
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
    /// The same for the newer snapshot: twice as far is enough, since most games read the content of their file.
    static let doublingsForNewer = 1

    /// The votes for each snapshot.
    private var votes: [Int]
    /// The part of ``votes`` that comes from elements and values that both the snapshot and the save lack: the game may
    /// have read another snapshot, and have removed them.
    private var votesOfAbsence: [Int]
    /// The part of ``votes`` that comes from numbers that another snapshot lacks and that are hardly nearer to the
    /// snapshot's number than to zero: the game may as well have started them over.
    private var votesOfNewNumbers: [Int]
    /// The part of ``votes`` that comes from numbers, lists and objects that are near, see ``nearer``.
    private var votesOfNearness: [Int]
    /// The part of ``votes`` that comes from elements, see ``element``.
    private var votesOfElements: [Int]
    /// The part of ``votes`` that comes from flags: there are two values only, so two flags are often equal by chance.
    private var votesOfFlags: [Int]
    /// The part of ``votes`` that comes from counters that are unchanged.
    private var votesOfAmounts: [Int]
    /// The part of ``votes`` that comes from values, except flags, in an element that another snapshot lacks. A game
    /// that adds such an element again mostly writes the same values into it.
    private var votesInElements: [Int]
    /// The number of places that have voted.
    private var voters = 0
    /// For each snapshot, the difference from its number to the save's, at the last counter that voted.
    private var purse: [ExactDecimal]?
    /// The ways in which places divide the snapshots, each way once. A way has a number for each snapshot: snapshots
    /// with the same number hold the same value at the place.
    private var partings: Set<[Int]> = []
    /// The same for places that the save lacks, though all snapshots have different values there. They give no vote:
    /// whatever was read there, the game removed it.
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
        votes = Array(repeating: 0, count: diffs.count)
        votesOfAbsence = votes
        votesOfNewNumbers = votes
        votesOfNearness = votes
        votesOfElements = votes
        votesOfFlags = votes
        votesOfAmounts = votes
        votesInElements = votes
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
                    // it.
                    if change.rule.merge != .union || change.path.nearest(in: containers) != nil
                        || unions.contains(change.path)
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
            votes[snapshot] += Self.element
            votesOfElements[snapshot] += Self.element
            if isGone { votesOfAbsence[snapshot] += Self.element }
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
            for snapshot in votes.indices where parting[snapshot] == 0 {
                votes[snapshot] += Self.equal
                if isGone { votesOfAbsence[snapshot] += Self.equal }
                if changes[0].rule.merge == .flag { votesOfFlags[snapshot] += Self.equal }
                if changes[0].rule.merge == .counter { votesOfAmounts[snapshot] += Self.equal }
                if isInElement, changes[0].rule.merge != .flag { votesInElements[snapshot] += Self.equal }
            }
            if changes[0].rule.merge == .counter {
                var gaps = Array(repeating: ExactDecimal?.some(.zero), count: votes.count)
                for (sighting, change) in zip(sightings, changes) { gaps[sighting.snapshot] = Self.gap(change) }
                purse = gaps.contains(nil) ? nil : gaps.compactMap(\.self)
            }
        } else if changes.allSatisfy(\.isRemoval) {
            return note(removed: parting)
        } else if Set(parting).count > 1 {
            let numbers = Self.nearest(changes)
            let nearest = numbers.isEmpty ? Self.mostAlike(changes) : numbers
            if !nearest.isEmpty { voters += 1 }
            let isLacked = changes.contains(where: \.isNew)
            for index in nearest {
                votes[sightings[index].snapshot] += Self.nearer
                votesOfNearness[sightings[index].snapshot] += Self.nearer
                if isLacked, !Self.isClear(changes[index]) {
                    votesOfNewNumbers[sightings[index].snapshot] += Self.nearer
                }
            }
            if changes[0].rule.merge == .counter, sightings.count == votes.count {
                let gaps = zip(sightings, changes).sorted { $0.0.snapshot < $1.0.snapshot }.map { Self.gap($0.1) }
                purse = gaps.contains(nil) ? nil : gaps.compactMap(\.self)
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

    func count(of snapshot: Int) -> Int { votes[snapshot] }

    /// The votes for a snapshot without those of elements and values that both the snapshot and the save lack.
    func presence(of snapshot: Int) -> Int { votes[snapshot] - votesOfAbsence[snapshot] }

    /// Whether nearly all votes for the snapshot come from places that it and the save both lack.
    func restOnAbsence(_ snapshot: Int) -> Bool {
        votesOfAbsence[snapshot] > 0 && presence(of: snapshot) <= Self.equal
    }

    /// Whether the snapshot's votes all come from numbers that another snapshot lacks, none clearly nearer to it than
    /// to zero.
    func restOnNewNumbers(_ snapshot: Int) -> Bool {
        votes[snapshot] > 0 && votes[snapshot] == votesOfNewNumbers[snapshot]
    }

    /// Whether only a value or two speak for a snapshot, or a single element with its content, flags, and numbers that
    /// may have started over: the game may have set them back.
    func restOnLittle(_ snapshot: Int) -> Bool {
        let easy =
            votesOfElements[snapshot] > 0
            ? votesOfFlags[snapshot] + votesOfNewNumbers[snapshot] + votesInElements[snapshot] : 0
        return votes[snapshot] - easy <= 2 * Self.equal
    }

    /// Whether hardly anything speaks for a snapshot but near values, one or two flags, one amount, and elements whose
    /// other content changed. A game that started over may set the same flags again, and reach the same amount and
    /// elements: a first level has the same name each time.
    func mayHaveBegunAnew(since snapshot: Int) -> Bool {
        let easy =
            votesOfNearness[snapshot] + votesOfFlags[snapshot] + votesOfElements[snapshot]
            + min(votesOfAmounts[snapshot], Self.equal)
        return votesOfFlags[snapshot] <= 2 * Self.equal && votes[snapshot] == easy
    }

    /// The snapshot for which a single purse speaks nearly as well as for the winner; `nil` if anything else voted, or
    /// if the purse is clear.
    ///
    /// The rival is the newest snapshot, unless that is far enough away: a game that had read what came in had read the
    /// last content of the file, and then the file is to show the amount that was saved. Else the rival is the nearest
    /// snapshot; of newer ones the newest, unless another is as clearly nearer as an older snapshot must be. If the
    /// winner is newer than the nearest snapshot, and both readings earned or both spent, the purse is clear as well.
    ///
    /// - Parameter outdated: Snapshots from before a reset or a restore. They have no rival and are none: play after a
    ///   reset leaves no doubt.
    func rivalOfPurse(_ winner: Int, outdated: Set<Int>) -> Int? {
        guard voters == 1, most == Self.nearer, let purse, !outdated.contains(winner) else { return nil }
        let others = purse.indices.filter { $0 != winner && purse[$0] != purse[winner] && !outdated.contains($0) }
        func isNear(_ snapshot: Int, to other: Int, _ doublings: Int) -> Bool {
            Self.isNear(purse[snapshot], to: purse[other], doublings)
        }
        guard let newest = others.last else { return nil }
        if newest > winner, isNear(newest, to: winner, Self.doublingsForOlder) { return newest }
        guard let rival = others.min(by: { purse[$0].magnitude < purse[$1].magnitude }) else { return nil }
        guard rival < winner else {
            guard isNear(rival, to: winner, Self.doublingsForOlder) else { return nil }
            return others.last { isNear($0, to: rival, Self.doublingsForOlder) } ?? rival
        }
        let isClear = purse[winner].isNegative == purse[rival].isNegative
        return !isClear && isNear(rival, to: winner, Self.doublingsForNewer) ? rival : nil
    }

    /// The nearest of some other snapshots, if a single purse is the only vote, and it prefers the winner as clearly as
    /// it must prefer an older snapshot, or the save holds exactly the winner's amount. `nil` if the purse is less
    /// clear, or if anything else voted.
    func farRivalOfPurse(_ winner: Int, among others: [Int]) -> Int? {
        guard voters == 1, most <= Self.equal, let purse,
            let rival = others.min(by: { purse[$0].magnitude < purse[$1].magnitude }),
            let clear = Self.doubled(purse[winner], Self.doublingsForOlder)
        else { return nil }
        return clear > purse[rival].magnitude ? nil : rival
    }

    /// Whether the snapshots differ at any place.
    var snapshotsDiffer: Bool { !partings.isEmpty || !partingsOfRemoved.isEmpty }

    /// The snapshots with the most votes, the oldest first.
    var winners: [Int] { votes.indices.filter { votes[$0] == most } }

    var most: Int { votes.max() ?? 0 }

    /// The votes of the best snapshot that is not among the winners; 0 if there is none.
    var second: Int { votes.filter { $0 != most }.max() ?? 0 }

    /// Whether these snapshots hold the same at every place in which any snapshots differ.
    func agree(_ snapshots: [Int]) -> Bool { agreeInKept(snapshots) && agree(snapshots, in: partingsOfRemoved) }

    /// The same for the places that the save has.
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
    /// Whether the save has an empty container where the snapshot's container held something.
    fileprivate var empties: Bool {
        guard case .value(_, let new?) = change else { return false }
        return new.isEmptyContainer
    }

    /// Whether the save has a value where the snapshot has none.
    fileprivate var isNew: Bool {
        guard case .value(nil, _?) = change else { return false }
        return true
    }
}
