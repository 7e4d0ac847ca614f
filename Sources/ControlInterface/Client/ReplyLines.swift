/// Splits the bytes of an answer, as they arrive, into lines of limited length.
struct ReplyLines {
    private let limit: Int
    private var rest: [UInt8] = []

    /// - Parameter limit: The most bytes of a line, without its line end.
    init(limit: Int) { self.limit = limit }

    /// Takes more bytes and returns the lines that they complete, without line ends.
    ///
    /// - Throws: ``ControlCodingError`` for a line that is too long.
    mutating func take(_ bytes: some Collection<UInt8>) throws(ControlCodingError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            try append(bytes[..<end])
            lines.append(rest)
            rest = []
            bytes = bytes[bytes.index(after: end)...]
        }
        try append(bytes)
        return lines
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws(ControlCodingError) {
        guard bytes.count <= limit - rest.count else {
            throw ControlCodingError("The agent's answer has a line of more than \(limit) bytes.")
        }
        rest += bytes
    }
}
