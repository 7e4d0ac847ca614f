/// Cuts an answer's bytes, as they come, into lines of a bounded length.
struct ReplyLines {
    private let limit: Int
    private var rest: [UInt8] = []

    /// - Parameter limit: Most bytes of a line, its end not counted.
    init(limit: Int) { self.limit = limit }

    /// Whether a line has begun that has not ended.
    var isMidLine: Bool { !rest.isEmpty }

    /// Takes bytes and gives the lines they complete, without their ends.
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
