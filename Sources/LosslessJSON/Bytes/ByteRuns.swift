/// Comparing and hashing runs of bytes eight at a time; the standard library alone has no `memcmp`.
enum ByteRuns {
    /// Eight bytes from `pointer`, the first one in the lowest bits.
    @inline(__always)
    static func word(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Whether `count` bytes at both places are the same.
    @inline(__always)
    static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
        var offset = 0
        while offset &+ 8 <= count {
            if word(left + offset) != word(right + offset) { return false }
            offset &+= 8
        }
        while offset < count {
            if left[offset] != right[offset] { return false }
            offset &+= 1
        }
        return true
    }

    /// How many of `count` bytes at both places are the same before the first that is not.
    static func commonPrefix(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Int {
        var offset = 0
        while offset &+ 8 <= count, word(left + offset) == word(right + offset) { offset &+= 8 }
        while offset < count, left[offset] == right[offset] { offset &+= 1 }
        return offset
    }

    /// Whether two buffers hold the same bytes.
    static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
        return equal(leftBase, rightBase, count: left.count)
    }

    /// Whether the left buffer comes first in byte order (a prefix comes before what it begins).
    static func precedes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let shared = min(left.count, right.count)
        guard shared > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return left.count < right.count
        }
        var offset = 0
        while offset &+ 8 <= shared {
            let (leftWord, rightWord) = (word(leftBase + offset), word(rightBase + offset))
            if leftWord != rightWord { return leftWord.byteSwapped < rightWord.byteSwapped }
            offset &+= 8
        }
        while offset < shared {
            if leftBase[offset] != rightBase[offset] { return leftBase[offset] < rightBase[offset] }
            offset &+= 1
        }
        return left.count < right.count
    }

    /// A fixed 32-bit hash: fast, not secret, so its users must stay linear when an attacker makes every hash equal.
    @inline(__always)
    static func hash(_ pointer: UnsafePointer<UInt8>, count: Int) -> UInt32 {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset &+ 8 <= count {
            state = (state ^ word(pointer + offset)) &* 0xD6E8_FEB8_6659_FD93
            state ^= state >> 32
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < count {
            rest = rest << 8 | UInt64(pointer[offset])
            offset &+= 1
        }
        state = (state ^ rest) &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: state ^ (state >> 32))
    }

    /// The high bit of each byte that a JSON string cannot hold as it is: quote, backslash, control, or not ASCII.
    ///
    /// Only the lowest set bit is exact; a borrow may set bits above it.
    @inline(__always)
    static func stringStops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = (quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20) | word
        return found & highs
    }
}
