/// Strict UTF-8 (RFC 3629) and its superset WTF-8, which also holds lone surrogates.
enum UTF8Check {
    /// The length of the well-formed sequence of two to four bytes at `offset`, or 0 where there is none.
    ///
    /// Overlong forms, values over U+10FFFF, truncated sequences and (unless allowed) surrogates give 0.
    @inline(__always)
    static func sequenceLength(
        _ base: UnsafePointer<UInt8>,
        at offset: Int,
        end: Int,
        allowingSurrogates: Bool = false
    ) -> Int {
        let first = base[offset]
        guard first >= 0xC2, offset &+ 1 < end else { return 0 }
        let second = base[offset &+ 1]
        if first < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
        guard offset &+ 2 < end, base[offset &+ 2] & 0xC0 == 0x80 else { return 0 }
        if first < 0xF0 {
            let lowest: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let highest: UInt8 = first == 0xED && !allowingSurrogates ? 0x9F : 0xBF
            return second >= lowest && second <= highest ? 3 : 0
        }
        guard first <= 0xF4, offset &+ 3 < end, base[offset &+ 3] & 0xC0 == 0x80 else { return 0 }
        let lowest: UInt8 = first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
        return second >= lowest && second <= highest ? 4 : 0
    }

    /// Whether three bytes at `offset` are the WTF-8 form of a lone surrogate.
    @inline(__always)
    static func isSurrogate(_ base: UnsafePointer<UInt8>, at offset: Int, end: Int) -> Bool {
        base[offset] == 0xED && offset &+ 2 < end && base[offset &+ 1] >= 0xA0 && base[offset &+ 1] <= 0xBF
            && base[offset &+ 2] & 0xC0 == 0x80
    }

    /// The surrogate that three WTF-8 bytes at `offset` stand for (0xD800 to 0xDFFF).
    @inline(__always)
    static func surrogate(_ base: UnsafePointer<UInt8>, at offset: Int) -> UInt16 {
        0xD000 | UInt16(base[offset &+ 1] & 0x3F) << 6 | UInt16(base[offset &+ 2] & 0x3F)
    }

    /// Whether the bytes are well-formed WTF-8: UTF-8 plus surrogates that do not form a pair.
    static func isWTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var offset = 0
        var highBefore = false
        while offset < bytes.count {
            if base[offset] < 0x80 {
                offset += 1
                highBefore = false
                continue
            }
            let length = sequenceLength(base, at: offset, end: bytes.count, allowingSurrogates: true)
            guard length > 0 else { return false }
            if isSurrogate(base, at: offset, end: bytes.count) {
                let isLow = surrogate(base, at: offset) >= 0xDC00
                if isLow && highBefore { return false }
                highBefore = !isLow
            } else {
                highBefore = false
            }
            offset += length
        }
        return true
    }
}
