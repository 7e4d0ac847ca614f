import HouseholdSimulation
import TestSupport
import Testing

@testable import ProfileKeeping

/// The difference between two snapshots of a file.
@Suite struct ByteDiffTests {
    private func text(_ values: [Int]) -> [UInt8] {
        Array(
            ("{" + values.enumerated().map { "\"stat_\($0.offset)\":\($0.element)" }.joined(separator: ",") + "}").utf8
        )
    }

    @Test func aFewChangesFarApartAreSmall() throws {
        var values = Array(repeating: 1_000, count: 20_000)
        let old = text(values)
        values[3] = 7
        values[10_000] = 123_456_789
        values[19_990] = 1_001
        let new = text(values)
        let byteDiff = ByteDiff(from: old, to: new)
        #expect(byteDiff.applied(to: old) == new)
        #expect(byteDiff.middle.count < 60)
        let back = ByteDiff(from: new, to: old)
        #expect(back.applied(to: new) == old)
        #expect(back.middle.count < 60)
    }

    @Test func membersThatComeAndGoAreSmall() throws {
        let old = text(Array(0..<5_000))
        var new = old
        new.replaceSubrange(60_000..<61_000, with: [])
        new.insert(contentsOf: text(Array(90_000..<90_050)), at: 20_000)
        new.insert(contentsOf: Array("\"at\":\"2026-11-21T00:00:00Z\",".utf8), at: 1)
        let byteDiff = ByteDiff(from: old, to: new)
        #expect(byteDiff.applied(to: old) == new)
        #expect(byteDiff.middle.count < 1_200)
    }

    @Test func anythingComesBackExactly() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<4_000 {
            let letters = UInt8.random(in: 1...5, using: &random)
            let old = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0..<letters, using: &random)
            }
            var new = old
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let place = Int.random(in: 0...new.count, using: &random)
                let end = min(new.count, place + Int.random(in: 0...30, using: &random))
                let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                    UInt8.random(in: 0..<letters, using: &random)
                }
                new.replaceSubrange(place..<end, with: bytes)
            }
            let byteDiff = ByteDiff(from: old, to: new)
            #expect(byteDiff.applied(to: old) == new)
            #expect(byteDiff.middle.count <= new.count)
        }
    }

    @Test func damagedStepsAreNoticedOrGiveBytes() {
        var random = SeededRandom(seed: 12)
        var values = Array(repeating: 1_000, count: 200)
        let old = text(values)
        for index in stride(from: 0, to: 200, by: 20) { values[index] = 5 }
        let good = ByteDiff(from: old, to: text(values))
        #expect(good.prefix < 0)
        for _ in 0..<20_000 {
            var bad = good
            bad.middle[Int.random(in: bad.middle.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if Bool.random(using: &random) {
                bad.middle.removeLast(Int.random(in: 0...bad.middle.count, using: &random))
            }
            let bytes = bad.applied(to: old)
            #expect((bytes?.count ?? 0) <= old.count + bad.middle.count)
        }
        #expect(ByteDiff(prefix: .min, suffix: 0, middle: []).applied(to: old) == nil)
        #expect(ByteDiff(prefix: .max, suffix: 0, middle: []).applied(to: old) == nil)
        #expect(ByteDiff(prefix: 0, suffix: .max, middle: []).applied(to: old) == nil)
        #expect(ByteDiff(prefix: 0, suffix: -1, middle: []).applied(to: old) == nil)
    }
}
