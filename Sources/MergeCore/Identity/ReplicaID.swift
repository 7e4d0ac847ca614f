/// Names one incarnation of one device's record of one profile. A new id is taken when a record is lost, cloned or
/// rolled back, so that a dot is never used twice. Here an id is just 128 bits; messages between devices say which
/// device it belongs to.
public struct ReplicaID: Identifier128 {
    /// The first 64 bits, most significant first.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// An id from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
