import MergeCore
import Testing

@testable import HouseholdAgent

/// The requests that are answered later, and when the agent has to look at them.
@Suite struct WaitingRequestsTests {
    private let save = ProfileID(high: 0, low: 1)

    private func id(_ number: UInt64) -> RequestID { RequestID(rawValue: number) }

    private func sync(_ deadline: MonotonicTime, files: MonotonicTime? = nil) -> WaitingSync {
        WaitingSync(profiles: [save], paused: [], deadline: deadline, fileDeadline: files)
    }

    private func restore(_ number: UInt64, _ deadline: MonotonicTime) -> WaitingRestore {
        WaitingRestore(
            call: .now(Call(id(number))), request: RestoreRequest(profile: "game", path: "/save"), deadline: deadline)
    }

    private func transfer(_ number: UInt64, _ deadline: MonotonicTime) -> WaitingTransfer {
        WaitingTransfer(request: .export(Call(id(number))), profile: save, deadline: deadline)
    }

    private func file(_ number: UInt64) -> AwaitedFile {
        AwaitedFile(profile: save, request: .restore(Call(id(number)), note: nil))
    }

    /// One request of each kind, out of order.
    private func all() -> WaitingRequests {
        var waiting = WaitingRequests()
        waiting.add(id(4), sync(40))
        waiting.add(id(2), restore(2, 20))
        waiting.add(id(3), transfer(3, 30))
        waiting.add(id(1), file(1))
        return waiting
    }

    @Test func everyKindWaitsUntilItIsEnded() {
        var waiting = all()
        #expect(waiting.ids == [id(1), id(2), id(3), id(4)])
        #expect(Array(waiting.syncs.keys) == [id(4)] && Array(waiting.restores.keys) == [id(2)])
        #expect(Array(waiting.transfers.keys) == [id(3)] && Array(waiting.firstFiles.keys) == [id(1)])
        waiting.end(id(5))
        #expect(waiting.ids.count == 4, "that one does not wait")
        for number: UInt64 in [3, 1, 4, 2] {
            waiting.end(id(number))
            #expect(!waiting.ids.contains(id(number)))
        }
        #expect(waiting.ids.isEmpty && waiting.deadline == nil)
    }

    @Test func theEarliestOfAllIsLookedAt() {
        var waiting = all()
        #expect(waiting.deadline == 20)
        waiting.end(id(2))
        #expect(waiting.deadline == 30)
        waiting.end(id(3))
        #expect(waiting.deadline == 40)
        waiting.add(id(5), transfer(5, 35))
        #expect(waiting.deadline == 35)
    }

    /// A sync has two times: until the first it waits for the files of others as well.
    @Test func aSyncIsLookedAtWhenItNoLongerWaitsForFiles() {
        var waiting = WaitingRequests()
        waiting.add(id(1), sync(40, files: 15))
        #expect(waiting.deadline == 15)
        waiting.add(id(1), sync(40))
        #expect(waiting.deadline == 40 && waiting.ids == [id(1)])
        waiting.add(id(1), sync(40, files: 50))
        #expect(waiting.deadline == 40, "it waits no longer than that at all")
    }

    @Test func aFirstFileHasNoTimeHere() {
        var waiting = WaitingRequests()
        #expect(waiting.deadline == nil)
        waiting.add(id(1), file(1))
        #expect(waiting.deadline == nil && waiting.ids == [id(1)])
    }

    /// A restore that waited for its profile then waits for the file under the same number.
    @Test func oneRequestWaitsForOneThingAfterTheOther() {
        var waiting = WaitingRequests()
        waiting.add(id(1), restore(1, 20))
        waiting.end(id(1))
        waiting.add(id(1), file(1))
        #expect(waiting.ids == [id(1)] && waiting.restores.isEmpty && waiting.firstFiles[id(1)]?.profile == save)
        waiting.end(id(1))
        #expect(waiting.ids.isEmpty)
    }
}
