import Libc

/// The time in milliseconds since 1970 that never runs backwards.
///
/// It follows the wall clock forwards. Where the wall clock is set back, it continues at the pace of the monotonic
/// clock: without that, timers would stall for an hour because the clock had been an hour ahead. The time of a write
/// comes from the file; this clock is only its upper limit.
package struct SteadyClock {
    private var offset: Int64 = .min

    package init() {}

    package mutating func now() -> Int64 {
        let monotonic = Self.read(CLOCK_MONOTONIC)
        offset = max(offset, Self.read(CLOCK_REALTIME) - monotonic)
        return monotonic + offset
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
