/// Turns the bytes from a terminal into keys, wherever they are split.
struct KeyReader {
    private enum State {
        case plain
        /// After ESC, which is a key of its own or starts a sequence.
        case escape
        /// Inside a sequence `ESC [ …` or `ESC O …`.
        case sequence
        /// Inside a letter of several bytes (UTF-8).
        case letter([UInt8], length: Int)
    }

    private var state = State.plain

    /// The keys that are complete now.
    mutating func keys(_ bytes: [UInt8]) -> [Key] {
        bytes.flatMap { read($0) }
    }

    /// Called when nothing came for a while: an ESC that nothing followed was the key itself.
    mutating func settle() -> [Key] {
        guard case .escape = state else { return [] }
        state = .plain
        return [.escape]
    }

    private mutating func read(_ byte: UInt8) -> [Key] {
        switch state {
        case .plain: return plain(byte)
        case .escape:
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
                state = .sequence
                return []
            }
            state = .plain
            return [.escape] + plain(byte)
        case .sequence:
            // Parameters come before the byte that names the key.
            guard (0x40...0x7E).contains(byte) else { return [] }
            state = .plain
            switch byte {
            case UInt8(ascii: "A"): return [.up]
            case UInt8(ascii: "B"): return [.down]
            case UInt8(ascii: "C"): return [.right]
            case UInt8(ascii: "D"): return [.left]
            default: return []
            }
        case .letter(let bytes, let length):
            guard byte & 0xC0 == 0x80 else {
                state = .plain
                return plain(byte)
            }
            return letter(bytes + [byte], length)
        }
    }

    private mutating func plain(_ byte: UInt8) -> [Key] {
        switch byte {
        case 0x03, 0x04: return [.interrupt]
        case 0x1A: return [.suspend]
        case 0x1B:
            state = .escape
            return []
        case 0x0A, 0x0D: return [.enter]
        case 0x08, 0x7F: return [.backspace]
        case 0x20..<0x7F: return [.letter(Character(Unicode.Scalar(byte)))]
        case 0xC2..<0xE0: return letter([byte], 2)
        case 0xE0..<0xF0: return letter([byte], 3)
        case 0xF0..<0xF5: return letter([byte], 4)
        default: return []
        }
    }

    private mutating func letter(_ bytes: [UInt8], _ length: Int) -> [Key] {
        guard bytes.count == length else {
            state = .letter(bytes, length: length)
            return []
        }
        state = .plain
        guard let text = String(validating: bytes, as: UTF8.self), let letter = text.first else { return [] }
        return [.letter(letter)]
    }
}
