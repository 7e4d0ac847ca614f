@testable import MergeCore
import Testing

@Suite struct SplitMapTests {
    /// The same calls to a dictionary are the reference, across several splits.
    @Test func behavesLikeADictionary() {
        var random = Randomness(seed: 11)
        var map = SplitMap<Int, Int>()
        var reference: [Int: Int] = [:]
        for number in 0..<20_000 {
            let key = random.below(6_000)
            if random.below(4) == 0 {
                map[key] = nil
                reference[key] = nil
            } else {
                map[key] = number
                reference[key] = number
            }
        }
        #expect(map.count == reference.count)
        #expect(Set(map.keys) == Set(reference.keys))
        #expect(Dictionary(uniqueKeysWithValues: map.entries.map { ($0.key, $0.value) }) == reference)
        #expect((0..<6_000).allSatisfy { map[$0] == reference[$0] })
    }

    @Test func aCopyDoesNotChange() {
        var map = SplitMap<Int, Int>()
        map.reserveCapacity(5_000)
        for key in 0..<5_000 { map[key] = key }
        let copy = map
        for key in 0..<10_000 { map[key] = -1 }
        #expect(copy.count == 5_000 && map.count == 10_000)
        #expect((0..<5_000).allSatisfy { copy[$0] == $0 })
        #expect(copy[5_000] == nil)
    }

    /// A save changes one leaf beside the state it was copied from: that must not cost the whole state.
    @Test func aChangeBesideACopyIsCheap() {
        var map = SplitMap<Int, [Int]>()
        for key in 0..<100_000 { map[key] = [key] }
        let clock = ContinuousClock()
        let spent = clock.measure {
            for key in 0..<200 {
                let copy = map
                map[key] = [0]
                #expect(copy[key] == [key])
            }
        }
        #expect(spent < .seconds(2), "200 changes beside a copy take \(spent)")
    }
}
