/// The layout of an array after a save: which elements keep their positions, and which positions the others get.
///
/// An element that the writer left in its place keeps its position. Elements that no other device has moved since the
/// writer read the array are the *anchors*: they stay in the writer's order, and new or moved elements get positions
/// between them.
struct ArrayLayout {
    /// The present ranks of the elements, in the order that is wanted.
    private let ranks: [ArrayOrder.Rank]
    /// For each element, whether another device has moved it since the writer read the array.
    private let isMovedApart: [Bool]
    private var isKept: [Bool]
    private var isAnchor: [Bool]
    /// Whether no former order is known.
    private var isNew = true

    init(_ ranks: [ArrayOrder.Rank], isMovedApart: [Bool]) {
        (self.ranks, self.isMovedApart) = (ranks, isMovedApart)
        isKept = Array(repeating: false, count: ranks.count)
        isAnchor = isKept
    }

    /// Keeps the positions of as many elements as possible that are in the same order as before.
    ///
    /// - Parameter places: The former index of each element, `nil` for new ones.
    mutating func keep(inOrderOf places: [Int?]) {
        let known = places.indices.filter { places[$0] != nil }
        isNew = false
        for offset in known.map({ places[$0]! }).longestAscent() { isKept[known[offset]] = true }
        let fixed = ranks.indices.filter { isKept[$0] && !isMovedApart[$0] }
        for offset in fixed.map({ ranks[$0] }).longestAscent() { isAnchor[fixed[offset]] = true }
    }

    /// Keeps the positions of as many other elements as possible: those that happen to fit between the anchors.
    mutating func keepFitting() {
        var start = 0
        while start < ranks.count {
            let end = nextAnchor(from: start)
            let fitting = runs(in: start..<end).flatMap { run in
                let (lower, upper) = bounds(of: run, in: start..<end)
                return run.filter { offset in
                    (lower.map { $0 < ranks[offset] } ?? true) && (upper.map { ranks[offset] < $0 } ?? true)
                }
            }
            for offset in fitting.map({ ranks[$0] }).longestAscent() {
                isKept[fitting[offset]] = true
                isAnchor[fitting[offset]] = true
            }
            start = end + 1
        }
    }

    /// The new positions, each with the index of its element.
    mutating func newPositions() -> [(index: Int, position: [UInt8])] {
        var result: [(index: Int, position: [UInt8])] = []
        var start = 0
        while start < ranks.count {
            let end = nextAnchor(from: start)
            if let positions = positions(in: start..<end) {
                result += positions
                start = end + 1
            } else {
                // The element after the gap leaves no room before it, so it gets a new position too.
                isKept[end] = false
                isAnchor[end] = false
            }
        }
        // New positions for all elements cost less where most elements of a new array need one, or where a position
        // grew long.
        let isSpread = isNew && result.count > 8 && result.count * 2 > ranks.count
        guard isSpread || result.contains(where: { $0.position.count > Position.comfortable }) else { return result }
        return Position.spread(ranks.count).enumerated().map { (index: $0.offset, position: $0.element) }
    }

    /// Ascending positions for the elements between two anchors that are not kept; `nil` where there is no room before
    /// the second anchor.
    private func positions(in gap: Range<Int>) -> [(index: Int, position: [UInt8])]? {
        var result: [(index: Int, position: [UInt8])] = []
        for run in runs(in: gap) {
            let bounds = bounds(of: run, in: gap)
            var lower = bounds.lower?.position
            if let last = result.last?.position, lower.map({ $0.lexicographicallyPrecedes(last) }) ?? true {
                lower = last
            }
            let seed = FNV1a(ranks[run.lowerBound].name).value
            var positions = Position.run(run.count, after: lower, before: bounds.upper?.position, seed: seed)
            if positions == nil, gap.upperBound == ranks.count {
                positions = Position.run(run.count, after: lower, before: nil, seed: seed)
            }
            guard let positions else { return nil }
            result += zip(run, positions).map { (index: $0, position: $1) }
        }
        return result
    }

    private func nextAnchor(from index: Int) -> Int { isAnchor[index...].firstIndex(of: true) ?? ranks.count }

    /// The elements between two anchors that are not kept, as runs of neighbours.
    private func runs(in gap: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in gap where !isKept[index] {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    /// The ranks between which a run of elements belongs: those of the anchors around it. A run at the front or at the
    /// end of the array goes before or after all elements that keep their positions, including those that another
    /// device has moved there.
    private func bounds(of run: Range<Int>, in gap: Range<Int>) -> (lower: ArrayOrder.Rank?, upper: ArrayOrder.Rank?) {
        let kept = ranks.indices.lazy.filter { isKept[$0] }.map { ranks[$0] }
        let before = gap.lowerBound > 0 ? ranks[gap.lowerBound - 1] : nil
        let behind = gap.upperBound < ranks.count ? ranks[gap.upperBound] : nil
        return (run.upperBound == ranks.count ? kept.max() : before, run.lowerBound == 0 ? kept.min() : behind)
    }
}
