/// Which elements of an array keep their positions, and what positions the others get.
///
/// What the writer left where it was keeps its position. Of that, what no other device has moved since the writer read
/// the array are its *anchors*: they stand in the writer's order, and what is new or moved gets positions between them.
struct ArrayLayout {
    /// In the order that is wanted.
    private let ranks: [ArrayOrder.Rank]
    /// Whether another device has moved an element since the writer read the array.
    private let isMovedApart: [Bool]
    private var isKept: [Bool]
    private var isAnchor: [Bool]
    /// Whether nobody's order is known yet.
    private var isNew = true

    init(_ ranks: [ArrayOrder.Rank], isMovedApart: [Bool]) {
        (self.ranks, self.isMovedApart) = (ranks, isMovedApart)
        isKept = Array(repeating: false, count: ranks.count)
        isAnchor = isKept
    }

    /// Keeps as much as possible of what stands in the same order as before.
    ///
    /// - Parameter places: Where each element stood, `nil` for new ones.
    mutating func keep(inOrderOf places: [Int?]) {
        let known = places.indices.filter { places[$0] != nil }
        isNew = false
        for offset in known.map({ places[$0]! }).longestAscent() { isKept[known[offset]] = true }
        let standing = ranks.indices.filter { isKept[$0] && !isMovedApart[$0] }
        for offset in standing.map({ ranks[$0] }).longestAscent() { isAnchor[standing[offset]] = true }
    }

    /// Keeps as much as possible of the others whose position happens to fit.
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

    /// New positions, by the index of their elements.
    mutating func newPositions() -> [(index: Int, position: [UInt8])] {
        var result: [(index: Int, position: [UInt8])] = []
        var start = 0
        while start < ranks.count {
            let end = nextAnchor(from: start)
            if let positions = positions(in: start..<end) {
                result += positions
                start = end + 1
            } else {
                // What follows stands at the same position: it moves along.
                isKept[end] = false
                isAnchor[end] = false
            }
        }
        // Where most elements of a new array need one, or one grew long, positions for all of them cost less.
        let isSpread = isNew && result.count > 8 && result.count * 2 > ranks.count
        guard isSpread || result.contains(where: { $0.position.count > Position.comfortable }) else { return result }
        return Position.spread(ranks.count).enumerated().map { (index: $0.offset, position: $0.element) }
    }

    /// Ascending positions for what is not kept between two anchors; `nil` where there is no room before the second.
    private func positions(in gap: Range<Int>) -> [(index: Int, position: [UInt8])]? {
        var result: [(index: Int, position: [UInt8])] = []
        for run in runs(in: gap) {
            let bounds = bounds(of: run, in: gap)
            var lower = bounds.lower?.position
            if let last = result.last?.position, lower.map({ $0.lexicographicallyPrecedes(last) }) ?? true {
                lower = last
            }
            let seed = Position.hash(ranks[run.lowerBound].name)
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

    /// The elements between two anchors that are not kept, those side by side together.
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

    /// Between which ranks a run of elements belongs: those of the anchors around it. What is put at the front or at the
    /// end stands before or behind all that is kept, also what another device has moved there.
    private func bounds(of run: Range<Int>, in gap: Range<Int>) -> (lower: ArrayOrder.Rank?, upper: ArrayOrder.Rank?) {
        let kept = ranks.indices.lazy.filter { isKept[$0] }.map { ranks[$0] }
        let before = gap.lowerBound > 0 ? ranks[gap.lowerBound - 1] : nil
        let behind = gap.upperBound < ranks.count ? ranks[gap.upperBound] : nil
        return (run.upperBound == ranks.count ? kept.max() : before, run.lowerBound == 0 ? kept.min() : behind)
    }
}
