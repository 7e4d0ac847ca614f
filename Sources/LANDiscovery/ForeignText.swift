/// Text that came from the network, made safe to keep, compare and print.
enum ForeignText {
    /// The longest instance name that DNS-SD allows, in bytes (RFC 6763, section 4.1.1).
    static let longestName = 63

    /// Repairs invalid UTF-8 and replaces control characters, which could move a terminal's cursor, by U+FFFD.
    ///
    /// Bytes beyond `limit` are cut off before decoding.
    static func clean(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        let text = String(decoding: bytes.prefix(limit), as: UTF8.self)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 })
        return String(cleaned)
    }

    /// An instance name from a C string, cleaned.
    static func instanceName(_ name: UnsafePointer<CChar>) -> String {
        clean(cBytes(name, limit: longestName), limit: longestName)
    }

    /// The bytes of a C string before its end, at most `limit`.
    static func cBytes(_ text: UnsafePointer<CChar>, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var position = 0
        while position < limit, text[position] != 0 {
            bytes.append(UInt8(bitPattern: text[position]))
            position += 1
        }
        return bytes
    }

    /// Whether a scalar is a control character (C0, DEL, C1) or a mark that changes the writing direction.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
