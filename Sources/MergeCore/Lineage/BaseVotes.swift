import LosslessJSON

/// The votes of the places in which several images of a file differ, as a save shows them.
///
/// - An element of a set, a union or an array of objects that some images hold and others do not: 3 votes each for the
///   images that agree with the save about it. Nobody comes by an element by chance. What went with a whole array of
///   objects is one removal and has one vote, and so has an object with the counters in it.
/// - Another leaf that is in the save exactly as in some images: 2 votes for those. Most leaves stay as they were read.
/// - A list that is one value and in the save as in none of them: 1 vote for the one that shares most with it.
/// - A number that is in the save as in none of them: 1 vote for the nearest. But a number beyond all of them says
///   nothing unless it is a counter: times and best scores go that way whatever was read.
struct BaseVotes {
    static let element = 3
    static let equal = 2
    static let nearer = 1

    /// A purse alone speaks for an older image only where the newer one is eight times further away: two to this power.
    /// A wrong choice of the older one counts what came in twice.
    static let doublingsForOlder = 3
    /// For the newer image twice as far is enough, since most games read what stands in their file.
    static let doublingsForNewer = 1

    /// By image.
    private var votes: [Int]
    /// Those among them of elements and values that neither the image nor the save holds: it may have read another
    /// image, and have removed them.
    private var votesOfAbsence: [Int]
    /// Those among them of numbers that another image lacks and that are hardly nearer to the image's number than to
    /// nothing: the game may as well have begun them anew.
    private var votesOfNewNumbers: [Int]
    /// Those among them of elements, see ``element``.
    private var votesOfElements: [Int]
    /// Those among them of flags: of two values one is easily come by.
    private var votesOfFlags: [Int]
    /// How many places have voted.
    private var voters = 0
    /// What was added to each image's number, at the last counter that voted.
    private var purse: [ExactDecimal]?
    /// The ways in which places tell the images apart, each once: images of one number hold the same there.
    private var partings: Set<[Int]> = []

    /// A leaf that differs between an image and the save.
    private struct Sighting {
        let image: Int
        let change: Int
    }

    private struct Element: Hashable {
        let path: DocumentPath
        let value: JSONValue
    }

    /// - Parameters:
    ///   - diffs: From each image to the save.
    ///   - places: Places that have no vote.
    init(_ diffs: [DocumentDiff], except places: Set<DocumentPath> = []) {
        votes = Array(repeating: 0, count: diffs.count)
        votesOfAbsence = votes
        votesOfNewNumbers = votes
        votesOfElements = votes
        votesOfFlags = votes
        var leaves: [DocumentPath: [Sighting]] = [:]
        var elements: [Element: Set<Int>] = [:]
        var gone = Set<Element>()
        for (image, diff) in diffs.enumerated() {
            let (containers, objects, unions) = (diff.topmostGone, diff.vanishedElements, diff.vanishedUnions)
            for (index, change) in diff.changes.enumerated() where !places.contains(change.path) {
                switch change.change {
                case .value where change.isRemoval && change.path.nearest(in: objects) != nil: continue
                case .value: leaves[change.path, default: []].append(Sighting(image: image, change: index))
                case .elements(let added, let removed):
                    for value in added + removed {
                        elements[Element(path: change.path, value: value), default: []].insert(image)
                    }
                    // A game cannot take one out of a union, but it can remove the union, or what that is in.
                    if change.rule.merge != .union || change.path.nearest(in: containers) != nil
                        || unions.contains(change.path)
                    {
                        gone.formUnion(removed.map { Element(path: change.path, value: $0) })
                    }
                case .elementAppeared(let key):
                    elements[Element(path: change.path, value: key), default: []].insert(image)
                case .elementVanished(let key):
                    let around = change.path.parent?.nearest(in: containers)
                    let element = Element(path: around ?? change.path, value: around == nil ? key : .null)
                    elements[element, default: []].insert(image)
                    gone.insert(element)
                // Told by what is inside.
                default: continue
                }
            }
        }
        // Sums, so the order in which places are looked at is of no matter.
        for (element, disagreeing) in elements { vote(of: disagreeing, isGone: gone.contains(element)) }
        for sightings in leaves.values { vote(of: sightings, in: diffs) }
    }

    private mutating func vote(of disagreeing: Set<Int>, isGone: Bool) {
        guard disagreeing.count < votes.count else { return }
        voters += 1
        for image in votes.indices where !disagreeing.contains(image) {
            votes[image] += Self.element
            votesOfElements[image] += Self.element
            if isGone { votesOfAbsence[image] += Self.element }
        }
        partings.insert(votes.indices.map { disagreeing.contains($0) ? 1 : 0 })
    }

    private mutating func vote(of sightings: [Sighting], in diffs: [DocumentDiff]) {
        let changes = sightings.map { diffs[$0.image].changes[$0.change] }
        // 0 for images that hold the save's value, a number for each other value.
        var parting = Array(repeating: 0, count: votes.count)
        var kinds: [LeafChange] = []
        for (sighting, change) in zip(sightings, changes) {
            let known = kinds.firstIndex(of: change)
            parting[sighting.image] = (known ?? kinds.count) + 1
            if known == nil { kinds.append(change) }
        }
        if parting.contains(0) {
            voters += 1
            let isGone = changes.allSatisfy { $0.isRemoval || $0.empties }
            for image in votes.indices where parting[image] == 0 {
                votes[image] += Self.equal
                if isGone { votesOfAbsence[image] += Self.equal }
                if changes[0].rule.merge == .flag { votesOfFlags[image] += Self.equal }
            }
            if changes[0].rule.merge == .counter {
                var gaps = Array(repeating: ExactDecimal?.some(.zero), count: votes.count)
                for (sighting, change) in zip(sightings, changes) { gaps[sighting.image] = Self.gap(change) }
                purse = gaps.contains(nil) ? nil : gaps.compactMap(\.self)
            }
        } else if kinds.count > 1 {
            let numbers = Self.nearest(changes)
            let nearest = numbers.isEmpty ? Self.mostAlike(changes) : numbers
            if !nearest.isEmpty { voters += 1 }
            let isLacked = changes.contains(where: \.isNew)
            for index in nearest {
                votes[sightings[index].image] += Self.nearer
                if isLacked, !Self.isClear(changes[index]) { votesOfNewNumbers[sightings[index].image] += Self.nearer }
            }
            if changes[0].rule.merge == .counter, sightings.count == votes.count {
                let gaps = zip(sightings, changes).sorted { $0.0.image < $1.0.image }.map { Self.gap($0.1) }
                purse = gaps.contains(nil) ? nil : gaps.compactMap(\.self)
            }
        } else {
            return  // the images agree there
        }
        partings.insert(parting)
    }

    /// Which numbers are nearest to the save's; none where nothing tells them apart.
    private static func nearest(_ entries: [LeafChange]) -> [Int] {
        let gaps = entries.map(Self.gap)
        let known = gaps.compactMap(\.self)
        guard let least = known.map(\.magnitude).min() else { return [] }
        let isBeyond = known.allSatisfy(\.isNegative) || !known.contains(where: \.isNegative)
        if isBeyond, known.count == gaps.count, entries.contains(where: { $0.rule.merge != .counter }) { return [] }
        let nearest = gaps.indices.filter { gaps[$0]?.magnitude == least }
        return nearest.count < gaps.count ? nearest : []
    }

    /// Which lists, each one value by its rule, share most with the save's; none where nothing tells them apart. O(elements).
    private static func mostAlike(_ entries: [LeafChange]) -> [Int] {
        let strange = entries.map { entry -> Int? in
            guard case .value(.array(let old)?, .array(let new)?) = entry.change else { return nil }
            var counts: [JSONValue: Int] = [:]
            for element in new { counts[element, default: 0] += 1 }
            for element in old { counts[element, default: 0] -= 1 }
            return counts.values.reduce(0) { $0 + abs($1) }
        }
        guard let least = strange.compactMap(\.self).min(), strange.allSatisfy({ $0 != nil }) else { return [] }
        let nearest = strange.indices.filter { strange[$0] == least }
        return nearest.count < strange.count ? nearest : []
    }

    /// What was added to an image's number; `nil` where one of the two is none.
    private static func gap(_ change: LeafChange) -> ExactDecimal? {
        guard case .value(let old?, let new?) = change.change,
            case .number(let before)? = Ordinal(old, by: change.rule),
            case .number(let after)? = Ordinal(new, by: change.rule)
        else { return nil }
        return try? after.subtracting(before)
    }

    /// Whether a save's number is as near to an image's number, and as far from nothing, as a purse alone must be to
    /// speak for an older image.
    private static func isClear(_ change: LeafChange) -> Bool {
        guard case .value(_, let new?) = change.change, case .number(let amount)? = Ordinal(new, by: change.rule),
            let gap = gap(change)
        else { return true }
        return !isNear(amount, to: gap, doublingsForOlder)
    }

    // MARK: The count

    func count(of image: Int) -> Int { votes[image] }

    /// The votes for an image, those left out that rest on elements and values missing in both image and save.
    func presence(of image: Int) -> Int { votes[image] - votesOfAbsence[image] }

    /// Whether hardly more speaks for an image than that the save lacks, as it does, what others hold.
    func restOnAbsence(_ image: Int) -> Bool {
        votesOfAbsence[image] > 0 && presence(of: image) <= Self.equal
    }

    /// Whether all that speaks for an image are numbers that another image lacks, and none of them clearly.
    func restOnNewNumbers(_ image: Int) -> Bool {
        votes[image] > 0 && votes[image] == votesOfNewNumbers[image]
    }

    /// Whether a value or two are all that speaks for an image, and no element: its game may have come back to them.
    func restOnFewValues(_ image: Int) -> Bool {
        votesOfElements[image] == 0 && votes[image] <= 2 * Self.equal
    }

    /// Whether hardly anything speaks for an image but such numbers and one or two flags, which a game that began anew
    /// may as well have set again.
    func mayHaveBegunAnew(since image: Int) -> Bool {
        votesOfFlags[image] <= 2 * Self.equal
            && votes[image] == votesOfNewNumbers[image] + votesOfFlags[image]
    }

    /// The image that a single purse speaks for nearly as well as for the winner; `nil` where anything else voted, or
    /// where the purse is clear.
    ///
    /// Where the newest image is not far enough away it is that one: whoever had read what came in had read what stood
    /// there last, and then the file is to show the amount that was saved. Else it is the nearest; of newer ones the
    /// newest, unless another is as clearly nearer as an older image must be. Where the winner is newer than the nearest,
    /// and both readings earned or both spent, it is clear as well.
    ///
    /// - Parameter outdated: Images from before a reset or a restore: play after that is no doubt.
    func rivalOfPurse(_ winner: Int, outdated: Set<Int>) -> Int? {
        guard voters == 1, most == Self.nearer, let purse, !outdated.contains(winner) else { return nil }
        let others = purse.indices.filter { $0 != winner && purse[$0] != purse[winner] && !outdated.contains($0) }
        func isNear(_ image: Int, to other: Int, _ doublings: Int) -> Bool {
            Self.isNear(purse[image], to: purse[other], doublings)
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

    /// Whether one amount is less than another one doubled so many times.
    private static func isNear(_ amount: ExactDecimal, to other: ExactDecimal, _ doublings: Int) -> Bool {
        doubled(other, doublings).map { $0 > amount.magnitude } ?? true
    }

    /// The nearest of some images to which a single purse, all that voted, prefers the winner as clearly as it must
    /// prefer an older image, or holds what the winner holds; `nil` where it is less clear, or anything else voted.
    func farRivalOfPurse(_ winner: Int, among others: [Int]) -> Int? {
        guard voters == 1, most <= Self.equal, let purse,
            let rival = others.min(by: { purse[$0].magnitude < purse[$1].magnitude }),
            let clear = Self.doubled(purse[winner], Self.doublingsForOlder)
        else { return nil }
        return clear > purse[rival].magnitude ? nil : rival
    }

    /// The magnitude of a number, doubled so many times; `nil` where that takes too many digits.
    private static func doubled(_ number: ExactDecimal, _ times: Int) -> ExactDecimal? {
        var result = number.magnitude
        for _ in 0..<times {
            guard let twice = try? result.adding(result) else { return nil }
            result = twice
        }
        return result
    }

    /// Whether there is a place in which the images differ at all.
    var imagesDiffer: Bool { !partings.isEmpty }

    /// The images with the most votes, the oldest first.
    var winners: [Int] { votes.indices.filter { votes[$0] == most } }

    var most: Int { votes.max() ?? 0 }

    /// The votes of the best image that is none of the winners; 0 where there is none.
    var second: Int { votes.filter { $0 != most }.max() ?? 0 }

    /// Whether some images hold the same wherever any differ.
    func agree(_ images: [Int]) -> Bool {
        partings.allSatisfy { parting in images.allSatisfy { parting[$0] == parting[images[0]] } }
    }
}

extension DocumentDiff {
    /// The lists of unions that are gone, and not only elements of them.
    fileprivate var vanishedUnions: Set<DocumentPath> {
        var gone = Set<DocumentPath>()
        for change in changes where change.rule.merge == .union && change.change == .containerVanished {
            gone.insert(change.path)
        }
        return gone
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
    /// Whether the save has an empty container there: what was in it is gone.
    fileprivate var empties: Bool {
        guard case .value(_, let new?) = change else { return false }
        return new.isEmptyContainer
    }

    /// Whether an image has no value there and the save has one.
    fileprivate var isNew: Bool {
        guard case .value(nil, _?) = change else { return false }
        return true
    }
}
