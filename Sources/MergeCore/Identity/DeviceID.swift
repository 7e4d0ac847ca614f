/// Names a device: the first 128 bits of SHA-256 over its public key (DER SubjectPublicKeyInfo).
///
/// Decisions about trust compare the whole key; the id is for names, tables and people.
public struct DeviceID: Identifier128 {
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
