package import MergeCore

extension Moment: ExpressibleByIntegerLiteral {
    /// A moment at which both clocks show the same number of milliseconds, for tests in which no clock is set.
    package static func at(_ milliseconds: Int64) -> Moment {
        Moment(monotonic: MonotonicTime(milliseconds: milliseconds), wall: WallTime(milliseconds: milliseconds))
    }

    package init(integerLiteral milliseconds: Int64) { self = .at(milliseconds) }

    /// The moment that much later, by both clocks.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(monotonic: moment.monotonic + duration, wall: moment.wall + duration)
    }

    /// The moment so many milliseconds later, by both clocks.
    package static func + (moment: Moment, milliseconds: Int64) -> Moment { moment + .milliseconds(milliseconds) }

    package static func += (moment: inout Moment, milliseconds: Int64) { moment = moment + milliseconds }
}
