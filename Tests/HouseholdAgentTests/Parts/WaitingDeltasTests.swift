import MergeCore
import Testing

@testable import HouseholdAgent
@testable import SyncProtocol

/// However many deltas are asked for at once, an event makes few of them, and all of them are made in order.
@Suite struct WaitingDeltasTests {
    private let one = ConnectionID(rawValue: 1)
    private let other = ConnectionID(rawValue: 2)

    private func request(_ number: UInt64, beyond: VersionVector = VersionVector()) -> DeltaRequest {
        DeltaRequest(profile: ProfileID(high: 0, low: number), beyond: beyond, number: number)
    }

    @Test(arguments: [1, 16, 17, 1_000] as [UInt64]) func eachIsMadeOnceAndInOrder(_ count: UInt64) {
        var (waiting, made, now) = (WaitingDeltas(), [UInt64](), MonotonicTime(milliseconds: 5))
        waiting.beginEvent()
        for number in 0..<count where waiting.isAnsweredNow(request(number), on: one, now: now) { made.append(number) }
        #expect(made.count == min(Int(count), WaitingDeltas.turn))
        while let due = waiting.deadline {
            #expect(due > now)
            now = due
            waiting.beginEvent()
            let turn = waiting.take(now: now)
            #expect((1...WaitingDeltas.turn).contains(turn.count))
            made += turn.map(\.request.number)
        }
        #expect(made == Array(0..<count))
    }

    @Test func aChangeOvertakesWhatIsNew() {
        var waiting = WaitingDeltas()
        waiting.beginEvent()
        for number in 0..<40 as Range<UInt64> { _ = waiting.isAnsweredNow(request(number), on: one, now: 0) }
        let covered = VersionVector([ReplicaID(high: 0, low: 1): .init(sequence: 1, history: 1)])
        let isInTheSameEvent = waiting.isAnsweredNow(request(40, beyond: covered), on: one, now: 1)
        waiting.beginEvent()
        let isInTheNext = waiting.isAnsweredNow(request(41, beyond: covered), on: one, now: 1)
        let turn = waiting.take(now: 1)
        #expect(!isInTheSameEvent && isInTheNext && turn.count == WaitingDeltas.turn - 1)
    }

    /// What comes while others wait is not made before them, in the same event, either.
    @Test func nobodyOvertakes() {
        var waiting = WaitingDeltas()
        waiting.beginEvent()
        for number in 0..<20 as Range<UInt64> { _ = waiting.isAnsweredNow(request(number), on: one, now: 0) }
        waiting.beginEvent()
        let isNow = waiting.isAnsweredNow(request(20), on: one, now: 1)
        let turn = waiting.take(now: 1).map(\.request.number)
        #expect(!isNow && turn == [16, 17, 18, 19, 20])
    }

    @Test func whatALinkWaitedForGoesWithIt() {
        var waiting = WaitingDeltas()
        waiting.beginEvent()
        for number in 0..<40 as Range<UInt64> {
            _ = waiting.isAnsweredNow(request(number), on: number % 2 == 0 ? one : other, now: 0)
        }
        waiting.beginEvent()
        _ = waiting.take(now: 1)
        waiting.closed(one)
        waiting.beginEvent()
        let turn = waiting.take(now: 2)
        #expect(turn.map(\.request.number) == [33, 35, 37, 39] && turn.allSatisfy { $0.id == other })
        waiting.closed(other)
        #expect(waiting.deadline == nil)
    }
}
