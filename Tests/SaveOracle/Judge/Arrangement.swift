/// What one side did to the order of a list: which elements it moved, as far as anybody can tell.
///
/// Of two elements that changed places either may have been moved. A side moved as few as it takes: the others are a
/// longest part of the list that stands as in the base. Where there are several such parts, each is a reading.
struct Arrangement {
    /// The list as the side has it.
    let list: [String]
    /// What the side added to the list.
    let added: Set<String>
    /// The elements that were moved, one set for each reading; `nil` where there are too many to look at.
    let readings: [Set<String>]?

    init(_ list: [String], from base: [String]) {
        self.list = list
        added = Set(list).subtracting(base)
        let places = Dictionary(base.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let known = list.filter { places[$0] != nil }
        readings = Self.longestParts(of: known.map { places[$0]! })?.map { kept in
            Set(known).subtracting(kept.map { base[$0] })
        }
    }

    /// What a side did that saved several times: what any of its saves moved, one after the other. `nil` where there are
    /// too many readings to look at.
    init?(saves: [[String]], from base: [String]) {
        var (former, all) = (base, [Set<String>()])
        for save in saves {
            let step = Arrangement(save, from: former)
            guard let moved = step.readings, moved.count * all.count <= Self.most else { return nil }
            // What was taken out and put in again stands where it was put.
            let again = step.added.intersection(base)
            all = all.flatMap { one in moved.map { one.union($0).union(again) } }
            former = save
        }
        list = former
        added = Set(former).subtracting(base)
        readings = all.map { $0.intersection(base) }
    }

    private static let most = 200

    /// The longest ascending parts of some numbers, each of which comes once.
    private static func longestParts(of numbers: [Int]) -> [[Int]]? {
        // For every place the longest parts that end there.
        var parts: [[[Int]]] = []
        for (index, number) in numbers.enumerated() {
            let before = (0..<index).filter { numbers[$0] < number }
            let length = before.map { parts[$0][0].count }.max() ?? 0
            let longest = before.filter { parts[$0][0].count == length }.flatMap { parts[$0] }
            guard longest.count <= most else { return nil }
            parts.append((longest.isEmpty ? [[]] : longest).map { $0 + [number] })
        }
        let length = parts.map { $0[0].count }.max() ?? 0
        let all = length == 0 ? [[]] : parts.filter { $0[0].count == length }.flatMap { $0 }
        return all.count <= most ? all : nil
    }
}

extension Arrangement {
    /// Whether a list is one that several sides arranged.
    ///
    /// Each element has one place: where the side put it that moved or added it; of several that moved it the last one,
    /// and of several that added it any. So what the others placed left out, the list stands as each side has it.
    ///
    /// - Parameters:
    ///   - sides: What each side did, and when it wrote last.
    static func canBe(_ found: [String], _ sides: [(arrangement: Arrangement, time: Int)]) -> Bool {
        guard sides.allSatisfy({ $0.arrangement.readings != nil }) else { return true }
        return firstReading(found, sides[...], [])
    }

    /// Tries all readings of the sides together.
    private static func firstReading(
        _ found: [String], _ sides: ArraySlice<(arrangement: Arrangement, time: Int)>, _ placed: [Placed]
    ) -> Bool {
        guard let (arrangement, time) = sides.first else {
            return placed.indices.allSatisfy { side in
                let list = placed[side].list.filter { id in !isElsewhere(id, side, placed) }
                return list.filter(found.contains) == found.filter(list.contains)
            }
        }
        return arrangement.readings!.contains { moved in
            let next = Placed(list: arrangement.list, added: arrangement.added, moved: moved, time: time)
            return firstReading(found, sides.dropFirst(), placed + [next])
        }
    }

    /// Whether an element stands, or may stand, where another side put it. Of two that wrote at one time nobody knows.
    private static func isElsewhere(_ id: String, _ side: Int, _ placed: [Placed]) -> Bool {
        let isOwn = placed[side].moved.contains(id)
        return placed.indices.contains { other in
            if other == side { return false }
            if placed[other].added.contains(id) { return true }
            return placed[other].moved.contains(id) && (!isOwn || placed[side].time <= placed[other].time)
        }
    }

    /// A side's list, and the elements that it put where they stand.
    private struct Placed {
        let list: [String]
        let added: Set<String>
        let moved: Set<String>
        let time: Int
    }
}
