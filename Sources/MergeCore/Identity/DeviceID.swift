/// Names a device: the first 128 bits of SHA-256 over its public key (DER SubjectPublicKeyInfo).
///
/// Decisions about trust compare the whole key; the id is for names, tables and people.
public struct DeviceID: Identifier128 {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
