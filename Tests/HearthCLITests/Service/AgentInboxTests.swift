import HouseholdAgent
import Synchronization
import Testing

@testable import AgentRuntime

@Suite struct AgentInboxTests {
    /// Takes events when it is called, as the agent's host does.
    private final class Taker: Sendable {
        let inbox = AgentInbox()
        let calls = Mutex(0)
        let taken = Mutex<[UInt64]>([])

        func serve(taking isTaking: Bool = true) {
            inbox.serve { [self] in
                calls.withLock { $0 += 1 }
                if isTaking { take() }
            }
        }

        @discardableResult
        func take() -> Bool {
            taken.withLock { taken in
                let (events, isLast) = inbox.take()
                taken += events.compactMap { if case .abandoned(let id) = $0 { id.rawValue } else { nil } }
                return isLast
            }
        }

        func post(_ numbers: UInt64...) {
            for number in numbers { inbox.post(.abandoned(RequestID(rawValue: number))) }
        }
    }

    @Test func eventsOfManyPostersComeOnceEachAndInTheOrderOfEach() async {
        let taker = Taker()
        taker.serve()
        await withTaskGroup { group in
            for poster in UInt64(0)..<8 {
                group.addTask {
                    for place in UInt64(0)..<500 { taker.post(poster * 1_000 + place) }
                }
            }
        }
        let taken = taker.taken.withLock { $0 }
        #expect(taken.count == 4_000)
        for poster in UInt64(0)..<8 {
            #expect(taken.filter { $0 / 1_000 == poster } == (0..<500).map { poster * 1_000 + $0 })
        }
    }

    /// Each call wakes a thread.
    @Test func whoServesIsCalledOnceForAllThatCameUntilItTookThem() {
        let taker = Taker()
        taker.serve(taking: false)
        #expect(taker.calls.withLock { $0 } == 0, "there is nothing to take")
        taker.post(1, 2, 3)
        #expect(taker.calls.withLock { $0 } == 1)
        taker.take()
        #expect(taker.taken.withLock { $0 } == [1, 2, 3])
        taker.post(4)
        #expect(taker.calls.withLock { $0 } == 2)
    }

    @Test func whatCameBeforeAnybodyServedIsTakenThen() {
        let taker = Taker()
        taker.post(1, 2)
        taker.serve()
        #expect(taker.taken.withLock { $0 } == [1, 2])
    }

    @Test func whatCameBeforeTheCloseIsTakenAndNothingAfterIt() {
        let taker = Taker()
        taker.post(1, 2)
        taker.inbox.close()
        taker.post(3)
        #expect(taker.take(), "no more will come")
        #expect(taker.taken.withLock { $0 } == [1, 2])
    }

    @Test func whoServesIsCalledForTheClose() {
        let taker = Taker()
        taker.serve(taking: false)
        taker.inbox.close()
        #expect(taker.calls.withLock { $0 } == 1)
        #expect(taker.take())
    }

    @Test func nobodyIsCalledAfterTheEnd() {
        let taker = Taker()
        taker.serve(taking: false)
        taker.inbox.end()
        taker.post(1)
        taker.inbox.close()
        #expect(taker.calls.withLock { $0 } == 0)
        #expect(taker.take())
        #expect(taker.taken.withLock { $0 } == [])
    }
}
