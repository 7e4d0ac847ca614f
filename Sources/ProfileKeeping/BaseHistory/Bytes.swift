/// Comparisons of whole files, eight bytes at a time: files have megabytes, and every save is compared more than once.
package enum Bytes {
    /// Whether both arrays hold the same bytes. O(n).
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        // Copies of one array share its memory.
        let isSame = a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress } }
        return isSame || commonPrefix(a, b) == a.count
    }

    /// Whether both arrays hold the same bytes, or both are absent.
    package static func equal(_ a: [UInt8]?, _ b: [UInt8]?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return equal(a, b)
    }

    /// The number of equal bytes at the beginning of both arrays.
    static func commonPrefix(_ a: [UInt8], _ b: [UInt8]) -> Int {
        let most = min(a.count, b.count)
        var count = 0
        a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                while count + 8 <= most, word(a, count) == word(b, count) { count += 8 }
                while count < most, a[count] == b[count] { count += 1 }
            }
        }
        return count
    }

    /// The number of equal bytes at the end of both arrays, at most `most`.
    static func commonSuffix(_ a: [UInt8], _ b: [UInt8], most: Int) -> Int {
        var count = 0
        a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                while count + 8 <= most, word(a, a.count - count - 8) == word(b, b.count - count - 8) { count += 8 }
                while count < most, a[a.count - 1 - count] == b[b.count - 1 - count] { count += 1 }
            }
        }
        return count
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
