/// Names one incarnation of one device's record of one profile. Random, minted anew when a record is lost, cloned or
/// rolled back, so that a dot is never used twice.
public struct ReplicaID: Identifier128 {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
