package import Libc

extension stat {
    /// The time of the last modification, milliseconds since 1970; 0 where it overflows.
    package var modified: Int64 {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        let (seconds, isLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000)
        let (milliseconds, isLarger) = seconds.addingReportingOverflow(Int64(time.tv_nsec) / 1_000_000)
        return isLarge || isLarger ? 0 : milliseconds
    }
}
