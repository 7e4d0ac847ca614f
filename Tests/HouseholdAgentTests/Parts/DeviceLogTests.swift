import MergeCore
import Testing

@testable import HouseholdAgent

/// What is written about the connections of one device.
@Suite struct DeviceLogTests {
    @Test func aDeviceThatComesAndGoesFillsNoLog() {
        let (one, other) = (DeviceID(high: 1, low: 1), DeviceID(high: 1, low: 2))
        var log = DeviceLog()
        let start = MonotonicTime(milliseconds: 1_000)
        for _ in 0..<DeviceLog.burst { #expect(log.note(one, now: start) == 0) }
        for _ in 0..<5_000 { #expect(log.note(one, now: start + .seconds(29)) == nil) }
        #expect(log.note(other, now: start) == 0, "another device's lines are written")
        #expect(log.note(one, now: start + .seconds(30)) == 5_000, "the next one says how many were left out")
        #expect(log.note(one, now: start + .seconds(31)) == nil)
        // After a while of quiet, as many as at first.
        let later = start + .seconds(3_600)
        #expect(log.note(one, now: later) == 1)
        for _ in 1..<DeviceLog.burst { #expect(log.note(one, now: later) == 0) }
        #expect(log.note(one, now: later) == nil)
    }
}
