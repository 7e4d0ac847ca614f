import Libc
package import MergeCore

extension Moment {
    /// The present time by this machine's clocks.
    package static var now: Moment {
        Moment(monotonic: .now, wall: WallTime(milliseconds: milliseconds(CLOCK_REALTIME)))
    }

    fileprivate static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension MonotonicTime {
    /// The present time, in milliseconds since the machine was started, its sleep counted.
    package static var now: MonotonicTime {
        #if canImport(Darwin)
            // Counts while the machine sleeps, as the manual says.
            let clock = CLOCK_MONOTONIC
        #else
            let clock = CLOCK_BOOTTIME
        #endif
        return MonotonicTime(milliseconds: Moment.milliseconds(clock))
    }
}
