import MergeCore
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// A device that denies what it was sent, again and again, is sent it once a second.
@Suite struct DeniedDeltasTests {
    private let one = ConnectionID(rawValue: 1)
    private let other = ConnectionID(rawValue: 2)
    private let save = ProfileID(high: 0, low: 1)
    private let second = ProfileID(high: 0, low: 2)

    private func vector(_ sequence: UInt64) -> VersionVector {
        VersionVector([ReplicaID(high: 0, low: 1): .init(sequence: sequence, history: 1)])
    }

    private func request(_ profile: ProfileID, _ sequence: UInt64, _ number: UInt64 = 0) -> DeltaRequest {
        DeltaRequest(profile: profile, beyond: vector(sequence), number: number)
    }

    @Test func theLastDenialIsAnsweredOnceASecond() {
        var (denied, answered) = (DeniedDeltas(), [UInt64]())
        for number in 0..<5_000 as Range<UInt64> {
            let now = MonotonicTime(milliseconds: Int64(number))
            for (id, due) in denied.take(now: now) {
                #expect(id == one)
                answered.append(due.number)
                denied.sent(save, atoms: 1_000, upTo: vector(9), on: one, now: now)
            }
            guard !denied.waits(request(save, 0, number), on: one, now: now) else { continue }
            answered.append(number)
            denied.sent(save, atoms: 1_000, upTo: vector(9), on: one, now: now)
        }
        #expect(answered == [0, 999, 1_999, 2_999, 3_999])
    }

    @Test func whoHasWhatItWasSentDoesNotWait() {
        var denied = DeniedDeltas()
        denied.sent(save, atoms: 1_000, upTo: vector(9), on: one, now: 0)
        let next = denied.waits(request(save, 9), on: one, now: 1)
        let ofAnother = denied.waits(request(second, 0), on: one, now: 1)
        let onAnother = denied.waits(request(save, 0), on: other, now: 1)
        let later = denied.waits(request(save, 0), on: one, now: 1_000)
        #expect(!next && !ofAnother && !onAnother && !later && denied.deadline == nil)
    }

    /// A small delta is made at once, however often it is asked for.
    @Test func nothingSmallWaits() {
        var denied = DeniedDeltas()
        denied.sent(save, atoms: 999, upTo: vector(9), on: one, now: 0)
        let waits = denied.waits(request(save, 0), on: one, now: 1)
        #expect(!waits)
    }

    @Test func anEventMakesFewOfThem() {
        var denied = DeniedDeltas()
        let saves = (0..<10 as Range<UInt64>).map { ProfileID(high: 1, low: $0) }
        for save in saves { denied.sent(save, atoms: 1_000, upTo: vector(9), on: one, now: 0) }
        for save in saves { _ = denied.waits(request(save, 0), on: one, now: 1) }
        let turns = (0..<4).map { _ in denied.take(now: 1_000).map(\.request.profile) }
        #expect(turns.map(\.count) == [4, 4, 2, 0] && turns.flatMap(\.self) == saves)
    }

    @Test func whatALinkWaitedForGoesWithIt() {
        var denied = DeniedDeltas()
        denied.sent(save, atoms: 1_000, upTo: vector(9), on: one, now: 0)
        let waits = denied.waits(request(save, 0), on: one, now: 1)
        #expect(waits && denied.deadline == 1_000)
        denied.closed(one)
        #expect(denied.deadline == nil && denied.take(now: 2_000).isEmpty)
    }
}
