import HouseholdAgent
import MergeCore
import Testing

/// When an address is dialled again.
@Suite struct DialPlanTests {
    private let address = PeerAddress(host: "deck", port: 1)
    private let device: [UInt8] = [1, 2, 3]

    /// Dials whenever it is time, for a while; each connection reaches the device and stands so long. Returns the
    /// times between a link's end and the next dial.
    private func pauses(lasting: Duration, for time: Duration) -> [Duration] {
        var plan = DialPlan()
        var now: MonotonicTime = 0
        plan.want(address, .named, now: now)
        var pauses: [Duration] = []
        let end = now + time
        while now < end {
            guard let due = plan.deadline(connected: []) else { break }
            pauses.append(due - now)
            now = max(now, due)
            #expect(plan.due(now: now, connected: []) == [address])
            let connection = plan.dial(address, .sync)
            plan.opened(connection)
            plan.reached(connection, device: device, now: now)
            let opened = now
            now = now + lasting
            plan.lost(device, opened: opened, now: now) { $0 / 2 }
            plan.ended(connection, now: now) { $0 / 2 }
        }
        return pauses
    }

    /// A device that ends every link at once is dialled ever less often.
    @Test func whoEndsEveryLinkAtOnceIsDialledEverLessOften() {
        let short = pauses(lasting: .milliseconds(10), for: .seconds(5))
        #expect(short.count <= 6, "\(short)")
        let long = pauses(lasting: .milliseconds(10), for: .seconds(600))
        #expect(long.last ?? .zero > .seconds(15) && long.allSatisfy { $0 <= DialPlan.longestDelay }, "\(long)")
    }

    /// A device that was connected and goes is dialled at once when it may be back, however often.
    @Test func whoWasConnectedIsDialledSoonAgain() {
        let pauses = pauses(lasting: .seconds(20), for: .seconds(600))
        #expect(pauses.count > 20 && pauses.allSatisfy { $0 <= .milliseconds(500) }, "\(pauses)")
    }
}
