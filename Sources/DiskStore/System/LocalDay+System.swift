import Libc
package import MergeCore
package import ProfileKeeping

extension LocalDay {
    /// The local day at this machine, by the time zone in force now; `nil` for times beyond the calendar.
    package init?(at now: WallTime) {
        // The zone is read again: it may have changed since the process began, as on a flight.
        tzset()
        var seconds = time_t(now.milliseconds / 1_000 - (now.milliseconds % 1_000 < 0 ? 1 : 0))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        self.init(year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }
}
