import MergeCore
import Testing

@Suite struct VectorTests {
    @Test func anAncestorIsBeforeWhicheverSideIsAsked() {
        let (older, newer) = (vector([1: 1]), vector([1: 1, 2: 1]))
        #expect(older.relation(to: newer) == .before)
        #expect(newer.relation(to: older) == .after)
        #expect(vector([:]).relation(to: older) == .before)
        #expect(older.relation(to: vector([:])) == .after)
        #expect(vector([1: 1]).relation(to: vector([2: 1])) == .concurrent)
        #expect(vector([1: 2, 2: 1]).relation(to: vector([1: 1, 2: 2])) == .concurrent)
        #expect(newer.relation(to: newer) == .equal)
    }

    /// Every pair and triple of vectors of three replicas with sequences 0…2.
    @Test func theOrderIsTheOneOfItsEntries() {
        let all: [VersionVector] = (0..<27).map { (number: UInt64) in
            let entries: [Int: UInt64] = [1: number % 3, 2: number / 3 % 3, 3: number / 9]
            return vector(entries)
        }
        func at(_ v: VersionVector, _ r: Int) -> UInt64 { v.sequence(of: replica(r)) }
        for a in all {
            for b in all {
                let below = (1...3).allSatisfy { at(a, $0) <= at(b, $0) }
                let above = (1...3).allSatisfy { at(a, $0) >= at(b, $0) }
                let expected: VersionVector.Relation =
                    below && above ? .equal : below ? .before : above ? .after : .concurrent
                guard a.relation(to: b) == expected else { Issue.record("\(a) to \(b) is not \(expected)"); return }
                let joined = a.joined(b)
                let isLeast = (1...3).allSatisfy { at(joined, $0) == max(at(a, $0), at(b, $0)) }
                guard joined == b.joined(a), isLeast else {
                    Issue.record("\(a) joined with \(b) is \(joined)")
                    return
                }
                for c in all where joined.joined(c) != a.joined(b.joined(c)) {
                    Issue.record("joining \(a), \(b), \(c) depends on the order")
                    return
                }
            }
        }
    }

    @Test func beyondHoldsWhatTheOtherLacks() {
        #expect(vector([1: 2, 2: 1, 3: 4]).beyond(vector([1: 1, 2: 1])) == vector([1: 2, 3: 4]))
        #expect(vector([1: 2]).beyond(vector([1: 3])) == vector([:]))
    }

    @Test func hugeSequencesAreOrdered() {
        #expect(vector([1: .max]).relation(to: vector([1: .max - 1])) == .after)
        #expect(vector([1: .max]).covers(dot(1, .max)))
    }
}
