/// The error for a text that is not JSON: the place, and what is wrong there.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; a line ends with a line feed.
    public var line: Int
    /// The column, counted from 1 in Unicode scalars; a byte order mark takes none.
    public var column: Int
    /// The offset in bytes.
    public var offset: Int
    /// What is wrong, as one sentence without a place.
    public var message: String
    /// Whether the text looks like a write that did not finish. It is empty, or it ends too early (more text could make
    /// it valid), or zero bytes stand where JSON has none: some file systems leave them after a crash.
    public var isUnfinished: Bool

    /// An error at a place that the caller has worked out.
    public init(line: Int, column: Int, offset: Int, message: String, isUnfinished: Bool = false) {
        self.line = line
        self.column = column
        self.offset = offset
        self.message = message
        self.isUnfinished = isUnfinished
    }

    /// `LINE:COLUMN: message`, as compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}

/// Turns a byte offset into the line and column that people read.
struct TextPosition {
    /// Line and column, both counted from 1, of the byte at an offset.
    static func of(_ offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let end = max(0, min(offset, text.count))
        var line = 1
        var lineStart = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
        for index in 0..<end where text[index] == 0x0A {
            line += 1
            lineStart = index + 1
        }
        var column = 1
        if lineStart < end {
            // Every byte that does not continue a sequence begins a scalar.
            for index in lineStart..<end where text[index] & 0xC0 != 0x80 { column += 1 }
        }
        return (line, column)
    }
}
