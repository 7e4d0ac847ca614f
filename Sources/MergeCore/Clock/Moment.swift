/// The time of an event, by both clocks, read together.
package struct Moment: Hashable, Sendable {
    /// For timers, and for the order of events on this device.
    package let monotonic: MonotonicTime
    /// The date, for what is stored, shown or sent.
    package let wall: WallTime

    package init(monotonic: MonotonicTime, wall: WallTime) { (self.monotonic, self.wall) = (monotonic, wall) }

    /// The date of another time, by the wall clock as it goes now.
    package func wall(at time: MonotonicTime) -> WallTime { wall + (time - monotonic) }

    /// The time on the monotonic clock of a date that the wall clock, as it goes now, has shown or will show.
    package func monotonic(at date: WallTime) -> MonotonicTime { monotonic + (date - wall) }
}
