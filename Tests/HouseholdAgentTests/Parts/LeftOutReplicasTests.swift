import MergeCore
import Testing

@testable import HouseholdAgent

/// Whose writes a profile goes on without, for as long as that is so, in bounded memory.
@Suite struct LeftOutReplicasTests {
    private let save = ProfileID(high: 0, low: 1)
    private let laptop = DeviceID(high: 0, low: 1)
    private let deck = DeviceID(high: 0, low: 2)

    /// All of them have written so far.
    private var end: VersionVector { vector(0..<66_000, 9) }

    private func vector(_ numbers: Range<UInt64>, _ sequence: UInt64) -> VersionVector {
        VersionVector(
            Dictionary(
                uniqueKeysWithValues: numbers.map {
                    (ReplicaID(high: 0, low: $0), VersionVector.Entry(sequence: sequence, history: 1))
                }))
    }

    private func replicas(
        _ numbers: Range<UInt64>, of device: DeviceID?, _ reason: LeftOutReplicas.Reason
    ) -> [ReplicaID: LeftOutReplicas.Writer] {
        numbers.reduce(into: [:]) { writers, number in
            writers[ReplicaID(high: 0, low: number)] = LeftOutReplicas.Writer(device: device, reason: reason)
        }
    }

    @Test func eachWriterIsNamedOnceUntilItsWritesAreTaken() {
        var left = LeftOutReplicas()
        func add(_ writers: [ReplicaID: LeftOutReplicas.Writer]) -> Bool {
            left.add(writers, upTo: end, of: save, now: 0)
        }
        #expect(add(replicas(0..<3, of: deck, .full)))
        #expect(!add(replicas(0..<2, of: deck, .full)), "they are known")
        #expect(add(replicas(3..<4, of: laptop, .tooManyReplicas)))
        // Nobody said whose that one is.
        #expect(add(replicas(4..<5, of: nil, .tooManyReplicas)))
        let writers = left.writers(of: save)
        #expect(writers.map(\.device) == [laptop, deck] && writers.map(\.reason) == [.tooManyReplicas, .full])
        left.taken(upTo: vector(0..<3, 8), of: save)
        #expect(left.writers(of: save).map(\.device) == [laptop, deck], "not all of them is taken")
        left.taken(upTo: vector(0..<3, 9), of: save)
        #expect(left.writers(of: save).map(\.device) == [laptop])
        #expect(left.writers(of: ProfileID(high: 0, low: 2)).isEmpty)
    }

    /// What follows on writes that are left out comes like those of one replica too many.
    @Test func theReasonStaysUnlessTheDeviceCameBack() {
        var left = LeftOutReplicas()
        _ = left.add(replicas(0..<1, of: deck, .full), upTo: end, of: save, now: 0)
        let isNews = left.add(replicas(0..<1, of: deck, .tooManyReplicas), upTo: end, of: save, now: 1)
        #expect(!isNews && left.writers(of: save).map(\.reason) == [.full])
        let isOther = left.add(replicas(0..<1, of: deck, .noMember), upTo: end, of: save, now: 2)
        #expect(isOther && left.profiles(for: .noMember) == [save] && !left.lacks(save, for: .full))
        _ = left.add(replicas(0..<1, of: deck, .tooManyReplicas), upTo: end, of: save, now: 3)
        #expect(left.writers(of: save).map(\.reason) == [.tooManyReplicas])
    }

    @Test func theyAreLookedAtAgainAfterAPause() {
        var left = LeftOutReplicas()
        #expect(left.isDue(save, now: 0))
        _ = left.add(replicas(0..<1, of: deck, .full), upTo: end, of: save, now: 0)
        let next = MonotonicTime(milliseconds: 0) + LeftOutReplicas.pause
        #expect(!left.isDue(save, now: next - .milliseconds(1)) && left.isDue(save, now: next))
    }

    @Test func aBadDeviceFillsNoMemory() {
        var left = LeftOutReplicas()
        func add(_ writers: [ReplicaID: LeftOutReplicas.Writer]) -> Bool {
            left.add(writers, upTo: end, of: save, now: 0)
        }
        #expect(add(replicas(0..<66_000, of: deck, .tooManyReplicas)))
        let known = (0..<66_000).count { left.contains(ReplicaID(high: 0, low: UInt64($0)), of: save) }
        #expect(known == 65_536)
        // Who has no room any more is named all the same.
        #expect(add(replicas(66_000..<66_001, of: laptop, .full)))
        #expect(left.writers(of: save).map(\.device) == [laptop, deck])
    }

    /// Beyond so many writers, of all profiles together, it is known that there are more.
    @Test func aBadDeviceFillsNoMemoryByManySavesEither() {
        var left = LeftOutReplicas()
        _ = left.add(replicas(0..<65_536, of: deck, .tooManyReplicas), upTo: end, of: save, now: 0)
        let saves = (2..<UInt64(LeftOutReplicas.otherLimit + 12)).map { ProfileID(high: 0, low: $0) }
        let (one, written) = (replicas(0..<1, of: laptop, .full), vector(0..<1, 9))
        let news = saves.map { left.add(one, upTo: written, of: $0, now: 0) }
        let known = saves.filter { left.lacksAnything(of: $0) }.count
        #expect(known == LeftOutReplicas.otherLimit && left.hasMore)
        // The first one that finds no room is said, and no other one.
        #expect(news.filter { $0 }.count == known + 1 && news.prefix(known + 1).allSatisfy { $0 })
        let again = left.add(one, upTo: written, of: saves[0], now: 0)
        #expect(!again && left.writers(of: saves[0]).map(\.device) == [laptop])
    }
}
