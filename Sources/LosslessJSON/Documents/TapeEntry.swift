/// One value or one key of a parsed text; a document is a flat array of these in text order.
///
/// A member is an entry of kind key followed by the entries of its value. Sixteen bytes.
struct TapeEntry: Sendable {
    /// Where the text of the value or key begins (a quote or bracket included).
    var start: UInt32
    /// The offset of the byte after that text.
    var end: UInt32
    /// The index of the first entry after this value; for a key, the index of the object it belongs to.
    var next: UInt32
    /// The kind in the lowest three bits, then one bit for escapes; the bits above hold the number of members or
    /// elements.
    private var packed: UInt32

    /// The kind number that marks a key.
    static let keyKind: UInt8 = 7

    @inline(__always)
    init(kind: UInt8, start: Int, end: Int, next: Int, hasEscapes: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        packed = UInt32(kind) | (hasEscapes ? 8 : 0)
    }

    /// The kind's raw value, or ``keyKind``.
    @inline(__always) var rawKind: UInt8 { UInt8(truncatingIfNeeded: packed & 7) }

    @inline(__always) var isKey: Bool { rawKind == Self.keyKind }

    /// Whether a string or key has a backslash in it.
    @inline(__always) var hasEscapes: Bool { packed & 8 != 0 }

    /// How many members or elements there are.
    @inline(__always) var count: Int {
        get { Int(packed >> 4) }
        set { packed = packed & 15 | UInt32(truncatingIfNeeded: newValue) << 4 }
    }

    /// The bytes of the text.
    @inline(__always) var range: Range<Int> { Int(start)..<Int(end) }

    /// The bytes between the quotes of a string or key.
    @inline(__always) var inner: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}
