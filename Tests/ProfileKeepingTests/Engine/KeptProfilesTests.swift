import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

@testable import ProfileKeeping

/// Profiles in pages behave like profiles in a dictionary.
@Suite struct KeptProfilesTests {
    private func profile(_ number: UInt64, _ trouble: UInt64) -> KeptProfile {
        var profile = KeptProfile(
            ProfileID(high: 0, low: number), StoredProfile(replica: ReplicaID(high: 1, low: number)),
            baseHistory: BaseHistory())
        profile.trouble = "\(trouble)"
        return profile
    }

    @Test func theyAreAsInADictionary() {
        var dice = SeededRandom(seed: 7)
        var (kept, model) = (KeptProfiles(), [ProfileID: String]())
        for turn in UInt64(0)..<4_000 {
            let number = UInt64.random(in: 0..<150, using: &dice)
            let id = ProfileID(high: 0, low: number)
            switch UInt64.random(in: 0..<5, using: &dice) {
            case 0: (kept[id], model[id]) = (nil, nil)
            case 1:
                kept[id]?.trouble = "in place \(turn)"
                if model[id] != nil { model[id] = "in place \(turn)" }
            case 2:
                kept.update(id) { $0.trouble = "silently \(turn)" }
                if model[id] != nil { model[id] = "silently \(turn)" }
            default: (kept[id], model[id]) = (profile(number, turn), "\(turn)")
            }
            #expect(kept[id]?.trouble == model[id])
        }
        for number in UInt64(0)..<150 {
            let id = ProfileID(high: 0, low: number)
            #expect(kept[id]?.trouble == model[id] && kept[id]?.id == model[id].map { _ in id })
        }
        #expect(Set(kept.values.map(\.id)) == Set(model.keys) && kept.values.count == model.count)
    }

    @Test func aCopyStaysAsItWas() {
        var kept = KeptProfiles()
        for number in UInt64(0)..<100 { kept[ProfileID(high: 0, low: number)] = profile(number, number) }
        let copy = kept
        kept[ProfileID(high: 0, low: 40)]?.trouble = "new"
        kept[ProfileID(high: 0, low: 41)] = nil
        #expect(copy[ProfileID(high: 0, low: 40)]?.trouble == "40" && copy[ProfileID(high: 0, low: 41)] != nil)
        #expect(kept[ProfileID(high: 0, low: 40)]?.trouble == "new" && kept[ProfileID(high: 0, low: 41)] == nil)
        #expect(kept.values.count == 99 && copy.values.count == 100)
    }

    /// What a profile takes in memory itself, without what it refers to. Ten thousand of them are kept.
    @Test func aProfileIsSmall() {
        #expect(MemoryLayout<KeptProfile>.stride <= 480)
        #expect(MemoryLayout<StateOutline>.stride <= 144)
        #expect(MemoryLayout<Rare<SaveQuestion>>.size == 8)
    }

    @Test func aSmallSetHasWhatWasPutIn() {
        var sets: [String: SmallSet<Int>] = [:]
        sets.insert(3, at: "a")
        sets.insert(3, at: "a")
        #expect(sets["a"]?.sorted == [3])
        sets.insert(1, at: "a")
        sets.insert(2, at: "a")
        #expect(sets["a"]?.sorted == [1, 2, 3])
        sets.remove(9, at: "a")
        sets.remove(1, at: "a")
        sets.remove(3, at: "a")
        #expect(sets["a"]?.sorted == [2])
        sets.remove(2, at: "a")
        sets.remove(2, at: "a")
        #expect(sets.isEmpty)
    }
}
