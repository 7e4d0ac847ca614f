/// Names one profile for ever. A UUID (RFC 9562, version 4), minted once where the save was first added.
public struct ProfileID: Identifier128 {
    /// The first 64 bits, most significant first.
    public let high: UInt64
    /// The last 64 bits.
    public let low: UInt64

    /// An id from its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A version 4 UUID made from 128 random bits.
    public init(random high: UInt64, _ low: UInt64) {
        self.high = high & ~0xF000 | 0x4000
        self.low = low & ~(0xC0 << 56) | (0x80 << 56)
    }

    /// The usual hyphenated form, lower case.
    public var description: String {
        let text = Array(hex)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }.joined(separator: "-")
    }
}
