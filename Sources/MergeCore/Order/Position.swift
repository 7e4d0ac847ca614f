/// The position of an element among the others of its array: bytes, compared one by one, so that there is always a
/// third position between two.
///
/// An element that was never moved needs no stored position, see ``natural(_:)``. New positions are short. A position
/// between two others has a few bytes more than their common prefix. A position after the last or before the first
/// mostly has four bytes.
enum Position {
    /// Most bytes of a position, on every device.
    static let byteLimit = 255
    /// The length, in bytes, beyond which an array gets new positions for all its elements. By then so many elements
    /// were put into one gap that the next ones would cost more than new positions for all.
    static let comfortable = 48

    /// The position of an element that has no stored one. It follows the canonical bytes, but numbers are in the order
    /// of their size. Only the beginning of a long element counts; if that is the same, the whole bytes decide, see
    /// ``ArrayOrder``.
    static func natural(_ element: [UInt8]) -> [UInt8] {
        guard let first = element.first else { return [] }
        let isNegative = first == UInt8(ascii: "-")
        let digits = element.dropFirst(isNegative ? 1 : 0)
        guard let leading = digits.first, isDigit(leading) else { return Array(element.prefix(24)) }
        // Canonical numbers have no exponent up to 40 digits; the few that have one come last.
        let whole = digits.prefix(while: isDigit).count
        let isPlain = !digits.contains { $0 == UInt8(ascii: "e") }
        let size = UInt8(isPlain ? min(whole, 254) : 255)
        let magnitude = [size] + digits.prefix(8)
        return isNegative ? [first] + magnitude.map { ~$0 } : [UInt8(ascii: "0")] + magnitude
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }

    /// Ascending positions in one gap; `nil` if the gap has no room: its ends are equal, or in the wrong order.
    ///
    /// - Parameters:
    ///   - count: How many; at least one.
    ///   - lower: The position before the gap; `nil` for the beginning of the array.
    ///   - upper: The position behind the gap; `nil` for the end of the array.
    ///   - seed: Keeps apart two runs that two devices put into one gap: they come one after the other, not mixed.
    static func run(_ count: Int, after lower: [UInt8]?, before upper: [UInt8]?, seed: UInt64) -> [[UInt8]]? {
        guard let first = between(lower, upper, seed) else { return nil }
        return [first] + suffixes(count - 1).map { first + $0 }
    }

    /// The shortest positions for all elements of an array.
    static func spread(_ count: Int) -> [[UInt8]] { suffixes(count) }

    /// Ascending byte strings of one length, evenly spread. None ends in 0.
    private static func suffixes(_ count: Int) -> [[UInt8]] {
        guard count > 255 else { return (0..<count).map { [UInt8(1 + $0 * 255 / count)] } }
        let width = count > 32_000 ? 4 : 2
        let step = ((1 << (8 * width)) - 2) / count
        return (0..<count).map { number in
            var value = 1 + number * step
            if value & 0xFF == 0 { value += 1 }
            return (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
        }
    }

    /// The number of bytes that are read as one number.
    private static let width = 4
    /// One more than the largest number that fits into these bytes.
    private static let end = 1 << (8 * width)

    private static func between(_ lower: [UInt8]?, _ upper: [UInt8]?, _ seed: UInt64) -> [UInt8]? {
        var prefix: [UInt8] = []
        var (low, high) = ((lower ?? [])[...], upper.map { $0[...] })
        if let upper = high {
            // A position counts as if endless zeros followed it.
            var rest = upper
            while let digit = rest.first, digit == low.first ?? 0 {
                prefix.append(digit)
                rest.removeFirst()
                low = low.dropFirst()
            }
            guard let digit = rest.first, digit > low.first ?? 0 else { return nil }
            high = rest
        }
        while true {
            let (start, stop) = (number(low), high.map(number) ?? end)
            let gap = stop - start
            if gap >= 2 {
                let isAtEnd = lower == nil || high == nil
                let step = step(gap, seed, fromStart: high == nil && lower != nil, fromEnd: lower == nil && high != nil)
                // In a wide gap fewer bytes are enough to tell the places in it apart; whatever bytes follow, the
                // position stays in the gap.
                let count = isAtEnd || gap < 1 << 16 ? width : gap < 1 << 24 ? 3 : 2
                let position = prefix + bytes(start + step).prefix(count)
                return position.last == 0 ? position + [0x80] : position
            }
            // There is no number between the two ends. So the position is longer than the lower end, and begins with
            // the same bytes.
            prefix += bytes(start)
            low = low.dropFirst(width)
            high = nil
        }
    }

    /// The distance of a new position from the start of a gap: small after the last element, nearly the whole gap
    /// before the first, else about the middle.
    private static func step(_ gap: Int, _ seed: UInt64, fromStart: Bool, fromEnd: Bool) -> Int {
        let jitter = Int(seed >> 32)
        if fromStart, gap > 512 { return 1 + jitter % 255 }
        if fromEnd, gap > 512 { return gap - 1 - jitter % 255 }
        return max(1, gap / 4) + jitter % max(1, gap / 2)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        var value = 0
        for offset in 0..<width {
            value = value << 8 | (offset < bytes.count ? Int(bytes[bytes.startIndex + offset]) : 0)
        }
        return value
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) }
    }
}
