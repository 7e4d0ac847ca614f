import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Positions: between any two is another, and they stay short.
@Suite struct PositionTests {
    private static func isBelow(_ a: [UInt8]?, _ b: [UInt8]?) -> Bool {
        guard let a, let b else { return true }
        return a.lexicographicallyPrecedes(b)
    }

    private static func ascends(_ positions: [[UInt8]], _ lower: [UInt8]?, _ upper: [UInt8]?) -> Bool {
        let all: [[UInt8]?] = [lower] + positions + [upper]
        return zip(all, all.dropFirst()).allSatisfy { isBelow($0, $1) } && positions.allSatisfy { $0.last != 0 }
    }

    @Test func aRunFitsIntoAnyGap() {
        var random = SeededRandom(seed: 7)
        func bytes() -> [UInt8] {
            var bytes = (0..<1 + random.below(7)).map { _ in random.pick([0, 1, 2, 0x30, 0x80, 0xFE, 0xFF] as [UInt8]) }
            while bytes.last == 0 { bytes.removeLast() }
            return bytes.isEmpty ? [1] : bytes
        }
        for _ in 0..<TestDepth.count(quick: 2_500, usual: 5_000, all: 20_000) {
            let (a, b) = (bytes(), bytes())
            let ends = a.lexicographicallyPrecedes(b) ? (a, b) : (b, a)
            let lower = random.chance(10) ? [UInt8]?.none : ends.0
            let upper = random.chance(10) ? [UInt8]?.none : ends.1
            let count = random.pick([1, 2, 3, 17, 255, 256, 257, 700])
            let run = Position.run(count, after: lower, before: upper, seed: random.next())
            if lower != nil, lower == upper {
                #expect(run == nil)
            } else if let run {
                #expect(run.count == count && Self.ascends(run, lower, upper), "\(lower ?? []) \(upper ?? [])")
            } else {
                Issue.record("no room between \(lower ?? []) and \(upper ?? [])")
            }
        }
        let long = Position.run(40_000, after: [5], before: [6], seed: 1) ?? []
        #expect(long.count == 40_000 && Self.ascends(long, [5], [6]))
    }

    @Test func addingAtOneEndKeepsPositionsShort() {
        var (first, last): ([UInt8]?, [UInt8]?) = ([0x80], [0x80])
        for seed in 0..<100_000 as Range<UInt64> {
            last = Position.run(1, after: last, before: nil, seed: FNV1a([UInt8(seed & 0xFF), 1]).value)?.first
            first = Position.run(1, after: nil, before: first, seed: FNV1a([UInt8(seed & 0xFF), 2]).value)?.first
        }
        #expect((last ?? []).count <= 5 && (first ?? []).count <= 5)
    }

    @Test func numbersStandBySize() {
        let values = ["-1000", "-20", "-3", "0", "0.5", "3", "12.5", "20", "1000", "123456789012345678901234", "1e300"]
        let positions = values.map { Position.natural(json($0).canonicalBytes) }
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func theLongestAscentIsFound() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            let list = (0..<random.below(9)).map { _ in random.below(6) }
            let found = list.longestAscent()
            let values = found.map { list[$0] }
            #expect(found == found.sorted() && zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
            let best =
                (0..<1 << list.count).filter { choice in
                    let picked = list.indices.filter { choice >> $0 & 1 == 1 }.map { list[$0] }
                    return zip(picked, picked.dropFirst()).allSatisfy { $0 < $1 }
                }.map(\.nonzeroBitCount).max() ?? 0
            #expect(found.count == best, "\(list)")
        }
    }
}
