/// Which elements of an array keep their positions, and what positions the others get.
struct ArrayLayout {
    /// In the order that is wanted.
    private let ranks: [ArrayOrder.Rank]
    private var isKept: [Bool]
    /// Whether nobody's order is known yet.
    private var isNew = true

    init(_ ranks: [ArrayOrder.Rank]) {
        self.ranks = ranks
        isKept = Array(repeating: false, count: ranks.count)
    }

    /// Keeps as much as possible of what stands in the same order as before.
    ///
    /// - Parameter places: Where each element stood, `nil` for new ones.
    mutating func keep(inOrderOf places: [Int?]) {
        let known = places.indices.filter { places[$0] != nil }
        isNew = false
        for offset in known.map({ places[$0]! }).longestAscent() { isKept[known[offset]] = true }
    }

    /// Keeps as much as possible of the others whose position happens to fit.
    mutating func keepFitting() {
        var index = 0
        while index < ranks.count {
            let end = nextKept(from: index)
            let lower = floor(of: index, before: end)
            let upper = end < ranks.count ? bound(above: lower, before: end) : nil
            let fitting = (index..<end).filter { offset in
                (lower.map { $0 < ranks[offset] } ?? true) && (upper.map { ranks[offset] < $0 } ?? true)
            }
            for offset in fitting.map({ ranks[$0] }).longestAscent() { isKept[fitting[offset]] = true }
            index = end + 1
        }
    }

    /// New positions, by the index of their elements.
    mutating func newPositions() -> [(index: Int, position: [UInt8])] {
        var result: [(index: Int, position: [UInt8])] = []
        var lower: [UInt8]?
        var index = 0
        while index < ranks.count {
            if isKept[index] {
                lower = ranks[index].position
                index += 1
                continue
            }
            var end = nextKept(from: index)
            lower = floor(of: index, before: end)?.position
            while true {
                let before = index > 0 && isKept[index - 1] ? ranks[index - 1] : nil
                let upper = end < ranks.count ? bound(above: before, before: end)?.position : nil
                let seed = Position.hash(ranks[index].name)
                if let positions = Position.run(end - index, after: lower, before: upper, seed: seed) {
                    result += zip(index..<end, positions).map { (index: $0, position: $1) }
                    break
                }
                // What follows stands at the same position: it moves along.
                isKept[end] = false
                end = nextKept(from: end)
            }
            lower = result[result.count - 1].position
            index = end
        }
        // Where most elements of a new array need one, or one grew long, positions for all of them cost less.
        let isSpread = isNew && result.count > 8 && result.count * 2 > ranks.count
        guard isSpread || result.contains(where: { $0.position.count > Position.comfortable }) else { return result }
        return Position.spread(ranks.count).enumerated().map { (index: $0.offset, position: $0.element) }
    }

    private func nextKept(from index: Int) -> Int { isKept[index...].firstIndex(of: true) ?? ranks.count }

    /// The rank behind which something must stand that comes after a kept element. What is put at the end stands behind
    /// all that is kept, also where another device has turned that round.
    private func floor(of index: Int, before end: Int) -> ArrayOrder.Rank? {
        guard index > 0 else { return nil }
        guard end == ranks.count else { return ranks[index - 1] }
        return ranks.indices.filter { isKept[$0] }.map { ranks[$0] }.max() ?? ranks[index - 1]
    }

    /// The rank before which something must stand that comes between two kept elements. Where another device has turned
    /// these two round, the next one above the first. What is put at the front stands before all that is kept.
    private func bound(above lower: ArrayOrder.Rank?, before end: Int) -> ArrayOrder.Rank? {
        guard let lower else { return ranks.indices.filter { isKept[$0] }.map { ranks[$0] }.min() ?? ranks[end] }
        guard ranks[end] < lower else { return ranks[end] }
        return ranks.indices.filter { isKept[$0] && lower < ranks[$0] }.map { ranks[$0] }.min()
    }
}
