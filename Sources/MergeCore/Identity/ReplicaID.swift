/// Names one incarnation of one device's record of one profile. Another one is taken when a record is lost, cloned or
/// rolled back, so that a dot is never used twice. Here an id is just 128 bits; between devices it says whose it is.
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
