/// The text of a rule file, checked before libyaml sees it.
///
/// Its size is checked because libyaml may take time with the square of it: at this size half a second, for a file that
/// is nothing but `%TAG` lines, and some milliseconds for any other. Its characters are, because libyaml names no line
/// of one that YAML does not allow.
struct RuleFileText {
    /// The largest size of a rule file in bytes.
    static let byteLimit = 256 << 10

    /// The kind of file in error messages, such as `rule file`.
    let title: String
    /// The text without a byte order mark.
    let string: String
    private let scalars: [Unicode.Scalar]

    init(_ yaml: String, title: String = "rule file") throws(RuleFileError) {
        self.title = title
        try Self.checkSize(yaml.utf8.count, title)
        var scalars = Array(yaml.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        if let index = scalars.firstIndex(where: { !Self.isAllowed($0) }) {
            let place = Self.end(of: scalars[..<index])
            throw RuleFileError(
                line: place.line, column: place.column,
                message: "the control character U+\(Self.hex(scalars[index])) cannot stand in a \(title); remove it")
        }
        self.scalars = scalars
        string = String(String.UnicodeScalarView(scalars))
    }

    /// The character behind so many others; `nil` at the end of the file.
    func scalar(at index: Int) -> Unicode.Scalar? { scalars.indices.contains(index) ? scalars[index] : nil }

    /// The place just after a text.
    private static func end(of text: some Sequence<Unicode.Scalar>) -> (line: Int, column: Int) {
        var (line, column) = (1, 1)
        var former: Unicode.Scalar?
        for scalar in text {
            defer { former = scalar }
            if scalar == "\n", former == "\r" { continue }
            (line, column) = breaks.contains(scalar) ? (line + 1, 1) : (line, column + 1)
        }
        return (line, column)
    }

    /// The characters that end a line in YAML 1.1, which the parser uses for its marks.
    private static let breaks: [Unicode.Scalar] = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

    /// Decodes UTF-8.
    ///
    /// - Throws: ``RuleFileError`` with the place of the first invalid byte, or for too many bytes.
    static func string(_ bytes: [UInt8], title: String = "rule file") throws(RuleFileError) -> String {
        try checkSize(bytes.count, title)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let good = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
        let place = end(of: good)
        throw RuleFileError(
            line: place.line, column: place.column, message: "this is no UTF-8; save the file as UTF-8")
    }

    // MARK: Limits

    static func checkSize(_ bytes: Int, _ title: String = "rule file") throws(RuleFileError) {
        guard bytes <= byteLimit else {
            throw RuleFileError(
                line: 1, column: 1, message: "the \(title) has \(bytes) bytes; the most it may have is \(byteLimit)")
        }
    }

    /// Whether YAML allows the character. A byte order mark is allowed only at the start of a file.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...: true
        default: false
        }
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
