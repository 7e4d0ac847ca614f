/// 128 opaque bits with a textual form; the common shape of profile, replica and device ids.
///
/// Conformers differ only in type, so that one kind of id never fits where another belongs.
public protocol Identifier128: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first 64 bits, most significant first.
    var high: UInt64 { get }
    /// The last 64 bits.
    var low: UInt64 { get }
    /// An id from its 128 bits.
    init(high: UInt64, low: UInt64)
}

extension Identifier128 {
    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64($0))) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64($0))) }
    }

    /// Reads exactly 16 bytes; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for byte in bytes { (high, low) = (high << 8 | low >> 56, low << 8 | UInt64(byte)) }
        self.init(high: high, low: low)
    }

    /// 32 lower-case hexadecimal digits.
    public var hex: String {
        bytes.reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
    }

    /// Reads 32 hexadecimal digits, hyphens allowed anywhere (so a UUID's form is read as well).
    public init?(hex text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            if index < 16 { high = high << 4 | UInt64(value) } else { low = low << 4 | UInt64(value) }
        }
        self.init(high: high, low: low)
    }

    /// Orders ids by their bytes. All devices use this order where they must do things in the same order.
    public static func < (a: Self, b: Self) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }

    /// The 32 hexadecimal digits.
    public var description: String { hex }
}
