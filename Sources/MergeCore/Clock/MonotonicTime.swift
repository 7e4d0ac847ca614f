/// A time in milliseconds by a clock that cannot be set. It goes on while the machine sleeps, and never goes back.
///
/// It is for timers, and for the order of what happens on one device, such as whether a game was started before its
/// file was written. It counts from the start of the machine or some other point, so it is never stored or sent.
package struct MonotonicTime: TimePoint {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
}
