/// The screen of a terminal: enough of a VT100 to check a program's output. Lines that are too long are cut, as with
/// `?7l`.
struct TerminalScreen {
    private(set) var columns: Int
    private(set) var rows: Int
    private var cells: [[Character]]
    private var row = 0
    private var column = 0
    /// Whether a line break in the last row has scrolled the screen.
    private(set) var hasScrolled = false
    /// Whether something was written past the right edge.
    private(set) var hasOverflown = false
    /// The bytes of a sequence or letter that is not complete yet.
    private var pending: [UInt8] = []

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        cells.map { line in
            let end = line.lastIndex { $0 != " " }
            return String(line[..<(end.map { $0 + 1 } ?? 0)])
        }
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func resize(columns: Int, rows: Int) { self = TerminalScreen(columns: columns, rows: rows) }

    mutating func write(_ bytes: [UInt8]) {
        var rest = (pending + bytes)[...]
        pending = []
        while let first = rest.first {
            let length = first == 0x1B ? Self.sequence(rest) : Self.letter(rest)
            guard let length else {
                pending = Array(rest)
                return
            }
            let part = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            if first == 0x1B { obey(part) } else { put(String(decoding: part, as: UTF8.self)) }
        }
    }

    /// The length of the sequence; `nil` where it is not complete yet.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count > 1 else { return nil }
        guard bytes[bytes.startIndex + 1] == UInt8(ascii: "[") else { return 2 }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        return end - bytes.startIndex + 1
    }

    private static func letter(_ bytes: ArraySlice<UInt8>) -> Int? {
        let length =
            switch bytes[bytes.startIndex] {
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 1
            }
        return bytes.count < length ? nil : length
    }

    private mutating func obey(_ sequence: [UInt8]) {
        switch sequence.last {
        case UInt8(ascii: "H"): (row, column) = (0, 0)
        case UInt8(ascii: "K"): clear(row, from: column)
        case UInt8(ascii: "J"):
            clear(row, from: column)
            for below in (row + 1)..<max(row + 1, rows) { clear(below, from: 0) }
        default: break
        }
    }

    private mutating func put(_ text: String) {
        switch text {
        case "\r": column = 0
        case "\n":
            guard row + 1 < rows else {
                hasScrolled = true
                cells.removeFirst()
                cells.append(Array(repeating: " ", count: columns))
                return
            }
            row += 1
        default:
            guard let letter = text.first, letter >= " " else { return }
            guard column < columns else {
                hasOverflown = true
                return
            }
            cells[row][column] = letter
            column += 1
        }
    }

    private mutating func clear(_ row: Int, from column: Int) {
        guard column < columns else { return }
        for place in column..<columns { cells[row][place] = " " }
    }
}
