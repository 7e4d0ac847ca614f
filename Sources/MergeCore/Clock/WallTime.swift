/// A date: milliseconds since 1970, by a clock that people and time servers set.
///
/// It is for what is stored, shown or sent. It may jump, forwards and back. So no timer goes by it, and the later of two
/// dates need not be the later event. Timers go by ``MonotonicTime``. Neither type turns into the other without a
/// ``Moment``, so the compiler refuses a mix-up.
public struct WallTime: TimePoint {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// A date, by its milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
}
