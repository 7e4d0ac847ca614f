/// The limits of a parser: how deep a text may be nested, and how long it may be.
public struct JSONLimits: Hashable, Sendable {
    /// The deepest nesting, and the longest text in bytes, that any setting can allow.
    ///
    /// Depth is bounded because trees are compared and released level by level on the stack; length because offsets
    /// and counts share 32 bits.
    static let greatest = JSONLimits(depth: 1_024, bytes: 1 << 28 - 1)

    /// How many containers may be nested; more than 1,024 counts as 1,024.
    public var depth = 512
    /// How many bytes a text may have; 256 MiB or more counts as one byte less than that.
    public var bytes = 64 << 20

    /// Limits with a depth in containers and a length in bytes.
    public init(depth: Int = 512, bytes: Int = 64 << 20) {
        self.depth = depth
        self.bytes = bytes
    }

    /// 512 levels, 64 MiB.
    public static let standard = JSONLimits()
}
