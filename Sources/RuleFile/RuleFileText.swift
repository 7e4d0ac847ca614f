/// The text of a rule file, checked and made safe for the YAML parser.
///
/// Yams resolves aliases while it reads, and compares mapping keys by content. So a few lines of aliases inside aliases
/// would take exponential time before any code could refuse them. Therefore every `&` and `*` is first replaced by a
/// private-use character. An anchor or alias then becomes a plain scalar at the same place; the readers recognise it by
/// the character in the original file and refuse it. In all other words the two characters are put back.
struct RuleFileText {
    /// A place in the file. Line and column count from 1, the column in Unicode scalars.
    struct Place {
        var line: Int
        var column: Int
    }

    /// The largest size of a rule file in bytes.
    static let byteLimit = 256 << 10

    /// The kind of file in error messages, such as `rule file`.
    let title: String
    private let scalars: [Unicode.Scalar]
    /// The index in `scalars` where each line begins.
    private let lineStarts: [Int]
    private let ampersand: Unicode.Scalar
    private let asterisk: Unicode.Scalar

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
        let used = Set(scalars)
        let unused = Self.privateUse.lazy.compactMap(Unicode.Scalar.init).filter { !used.contains($0) }
        let masks = Array(unused.prefix(2))
        guard masks.count == 2 else {
            preconditionFailure("there are more private-use characters than \(Self.byteLimit) bytes can hold")
        }
        (ampersand, asterisk) = (masks[0], masks[1])
        self.scalars = scalars
        lineStarts = Self.lineStarts(of: scalars)
    }

    // MARK: Places

    /// The character at a place; `nil` at the end of the file.
    func scalar(_ place: Place) -> Unicode.Scalar? {
        guard let index = index(place), index < scalars.count else { return nil }
        return scalars[index]
    }

    /// The place where `key` occurs again as a key of a mapping, preferably in the same column.
    func repetition(of key: String, after place: Place) -> Place? {
        guard let first = index(place) else { return nil }
        let forms = [key, "\"\(key)\"", "'\(key)'"].map { Array($0.unicodeScalars) }
        var other: Place?
        for line in place.line...lineStarts.count {
            let start = lineStarts[line - 1]
            let end = line < lineStarts.count ? lineStarts[line] : scalars.count
            let here = Place(line: line, column: place.column)
            if line > place.line, let index = index(here), index < end, isKey(at: index, forms) { return here }
            guard other == nil else { continue }
            if let index = (start..<end).first(where: { $0 > first && isKey(at: $0, forms) }) {
                other = Place(line: line, column: index - start + 1)
            }
        }
        return other
    }

    private func isKey(at index: Int, _ forms: [[Unicode.Scalar]]) -> Bool {
        if index > 0, !Self.beforeKey.contains(scalars[index - 1]) { return false }
        return forms.contains { form in
            guard scalars[index...].starts(with: form) else { return false }
            return scalars[(index + form.count)...].first { $0 != " " } == ":"
        }
    }

    private func index(_ place: Place) -> Int? {
        guard place.line >= 1, place.line <= lineStarts.count, place.column >= 1 else { return nil }
        return lineStarts[place.line - 1] + place.column - 1
    }

    private static let beforeKey: [Unicode.Scalar] = [" ", "{", ",", "?"] + breaks

    /// The place just after a text.
    static func end(of text: some Sequence<Unicode.Scalar>) -> Place {
        let scalars = Array(text)
        let starts = lineStarts(of: scalars)
        return Place(line: starts.count, column: scalars.count - starts[starts.count - 1] + 1)
    }

    private static func lineStarts(of scalars: [Unicode.Scalar]) -> [Int] {
        var starts = [0]
        for (index, scalar) in scalars.enumerated() where breaks.contains(scalar) {
            if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
            starts.append(index + 1)
        }
        return starts
    }

    /// The characters that end a line in YAML 1.1, which the parser uses for its marks.
    private static let breaks: [Unicode.Scalar] = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

    // MARK: Harmless text

    /// The text with `&` and `*` replaced by private-use characters.
    var masked: String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar {
            case "&": result.append(ampersand)
            case "*": result.append(asterisk)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// A word of the masked text in its original form.
    func unmasked(_ word: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            switch scalar {
            case ampersand: result.append("&")
            case asterisk: result.append("*")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static let privateUse = [UInt32(0xE000)...0xF8FF, 0xF_0000...0xF_FFFD].joined()

    // MARK: Reading

    /// Runs a reader on a thread with a large stack (``DeepStack``).
    func read<Value>(_ body: @escaping (RuleFileText) throws(RuleFileError) -> Value) throws(RuleFileError) -> Value {
        let result = DeepStack.run { () -> Result<Value, RuleFileError> in
            do throws(RuleFileError) {
                return .success(try body(self))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw RuleFileError(
                line: 1, column: 1,
                message: "there is not enough memory to read the \(title); close something and try again")
        }
        return try result.get()
    }

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
