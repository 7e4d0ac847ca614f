import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

@Suite struct DotLogTests {
    @Test func rewritingOneLeafKeepsStateAndDeltaSmall() {
        var state = ProfileState()
        let path = DocumentPath([.member("a")])
        for number in 1...20_000 {
            let context = WriteContext(
                replica: replica(1), now: WallTime(milliseconds: Int64(number)),
                fileTime: WallTime(milliseconds: Int64(number)), base: state.vector)
            let change = LeafChange(
                path: path, rule: .standard, change: .value(old: 0, new: .number(JSONNumber(number))))
            let written = state.write([change], context).atoms
            guard written.count == 1, state.atomCount == 1 else {
                Issue.record("write \(number) leaves \(state.atomCount) atoms"); return
            }
        }
        #expect(state.vector.sequence(of: replica(1)) == 20_000)
        #expect(state.delta(beyond: VersionVector()).count == 1)
        #expect(state.delta(beyond: vector([1: 19_999])).map(\.atom.dot) == [dot(1, 20_000)])
        #expect(state.delta(beyond: vector([1: 20_000])).isEmpty)
    }

    @Test func deltaHoldsExactlyWhatIsBeyond() {
        var random = SeededRandom(seed: 5)
        var state = ProfileState()
        for _ in 0..<600 {
            let names = (0...random.below(4)).map { _ in JSONString("k\(random.below(150))") }
            let context = WriteContext(replica: replica(1 + random.below(3)), now: 1, fileTime: 1, base: state.vector)
            let changes = Set(names).sorted().map {
                LeafChange(
                    path: DocumentPath([.member($0)]), rule: .standard,
                    change: .value(old: nil, new: .number(JSONNumber(random.below(1_000)))))
            }
            _ = state.write(changes, context)
            let other = vector([1: UInt64(random.below(200)), 2: UInt64(random.below(200))])
            let delta = state.delta(beyond: other)
            let expected = state.sortedAtoms.filter { !other.covers($0.atom.dot) }
            guard Set(delta) == Set(expected), delta.count == expected.count else {
                Issue.record("beyond \(other) are \(delta.count) atoms, not \(expected.count)")
                return
            }
            guard delta.map(\.atom.dot) == delta.map(\.atom.dot).sorted() else {
                Issue.record("the delta is out of order"); return
            }
        }
    }

    /// However many leaves are alive, a rewrite costs the same: just below a power of two as well.
    @Test func rewritesStayCheapWithManyLiveLeaves() {
        var log = DotLog()
        var newest = Array(repeating: UInt64(1), count: 16_383)
        var looks = 0
        func add(_ sequence: UInt64, _ number: Int) {
            newest[number] = sequence
            guard log.add(sequence, number, of: 0) else { return }
            let newest = newest
            log.tidy(0) {
                looks += 1
                return newest[Int($0.number)] == $0.sequence
            }
        }
        for number in newest.indices { add(1, number) }
        looks = 0
        for sequence in 2...40_002 { add(UInt64(sequence), 0) }
        #expect(looks < 4 * 40_000, "\(looks) looks at former entries for 40,000 rewrites")
        #expect(log.entries(of: 0, after: 40_001).map(\.sequence) == [40_002])
    }
}
