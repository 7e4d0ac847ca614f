import Libc

/// Milliseconds since 1970 that never run backwards.
///
/// Follows the wall clock forwards, and goes on at the pace of the monotonic clock while the wall clock was set back:
/// timers must not stall for an hour because the clock was an hour ahead. What a write is stamped with comes from the
/// file's own time, and this clock only bounds it from above.
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
