/// A date: milliseconds since 1970, by a clock that people and time servers set.
///
/// It is for times that are stored, shown or sent. It may jump, forwards and back. So timers use ``MonotonicTime``, and
/// the later of two dates need not be the later event. A conversion between the two types needs a ``Moment``, so the
/// compiler refuses a mix-up.
public struct WallTime: TimePoint {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// A date, by its milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
}
