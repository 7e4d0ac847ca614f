/// A hybrid logical time (Kulkarni et al., "Logical Physical Clocks", 2014) that orders the writes of one leaf.
///
/// Layout, most significant bit first: 1 bit *live*, 47 bits milliseconds since 1970 (enough until the year 6429; for
/// live stamps until 6394, see ``last``), 16 bits counter. A value that a device merely *adopted* (it was in the file
/// before Hearth saw it) has the live bit clear, so adopted values order below every live write and among themselves by
/// file time.
public struct Stamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 64 bits as the layout above has them.
    public let rawValue: UInt64

    /// Takes any 64 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let liveBit: UInt64 = 1 << 63
    private static let timeMask: UInt64 = (1 << 47) - 1
    private static let lastTime: UInt64 = (1 << 47) - (1 << 40) - 1

    /// The last live stamp that any device makes, of the year 6394. What bears a later one, in the last 35 years that a
    /// stamp can name, is refused by all devices: always the same band, whatever a device's own clock says, since a clock
    /// that is set to 1970 must not refuse everybody.
    public static let last = Stamp(rawValue: liveBit | lastTime << 16 | 0xFFFF)

    /// The stamp of an edit at a date; dates outside 1970…6394 are clamped.
    public static func live(_ time: WallTime) -> Stamp {
        Stamp(rawValue: liveBit | min(clamped(time), lastTime) << 16)
    }

    /// The stamp of a value found in a file that was last changed at a date; dates outside 1970…6429 are clamped.
    public static func adopted(_ time: WallTime) -> Stamp { Stamp(rawValue: clamped(time) << 16) }

    /// The date, from 1970 to 6429.
    public var time: WallTime { WallTime(milliseconds: Int64((rawValue & ~Self.liveBit) >> 16)) }

    /// Whether a game wrote the value while Hearth was watching.
    public var isLive: Bool { rawValue & Self.liveBit != 0 }

    /// The smallest live stamp above this one; of the last stamp, or a later one, the last.
    public var successor: Stamp {
        guard isLive else { return Stamp(rawValue: Self.liveBit) }
        return self < .last ? Stamp(rawValue: rawValue + 1) : .last
    }

    /// Whether this is the last stamp that a device may make, or a later one: a write after it needs an epoch.
    var isLast: Bool { self >= .last }

    /// Adopted before live, then by time, then by counter.
    public static func < (a: Stamp, b: Stamp) -> Bool { a.rawValue < b.rawValue }

    /// Milliseconds and counter, with the word "adopted" where that is so.
    public var description: String { (isLive ? "" : "adopted ") + "\(time.milliseconds).\(rawValue & 0xFFFF)" }

    private static func clamped(_ time: WallTime) -> UInt64 { min(UInt64(max(0, time.milliseconds)), timeMask) }
}
