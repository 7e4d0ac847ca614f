/// Turns text into a tape, strictly by RFC 8259 and without recursion.
///
/// Reads through a pointer; every read is behind a comparison with `count`.
struct JSONParser {
    /// An open container.
    private struct Frame {
        /// Its entry on the tape.
        var index: Int
        /// Members or elements so far.
        var count: Int
        var isObject: Bool
        /// How many keys of outer objects are being remembered.
        var outerKeys: Int
    }

    let base: UnsafePointer<UInt8>
    let count: Int
    let depthLimit: Int
    var position = 0
    var tape: [TapeEntry] = []
    var keyCount = 0
    var keys = DuplicateKeys()
    private var outer: [Frame] = []
    private var open: Frame?

    init(_ text: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>, depthLimit: Int) {
        self.base = base
        count = text.count
        self.depthLimit = depthLimit
    }

    /// Parses the whole text.
    mutating func run() throws(ParseFault) {
        tape.reserveCapacity(count / 12 + 8)
        if count >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { position = 3 }
        skipSpace()
        if position == count { throw ParseFault(reason: .empty, offset: position) }
        repeat {
            if try readValue() { continue }
            try finishContainers()
        } while position < count || open != nil
    }

    /// Reads the number, string, `true`, `false` or `null` that begins at an offset; `nil` where none does, or a bad one.
    mutating func readScalar(at offset: Int) -> TapeEntry? {
        guard offset < count, base[offset] != UInt8(ascii: "{"), base[offset] != UInt8(ascii: "[") else { return nil }
        position = offset
        guard (try? readValue()) == false else { return nil }
        return tape.popLast()
    }

    /// Reads one value. True means that the value is a container with contents, and that these are to be read next.
    @inline(__always)
    private mutating func readValue() throws(ParseFault) -> Bool {
        guard position < count else { throw fault(.expectedValue) }
        let start = position
        switch base[position] {
        case UInt8(ascii: "\""):
            let hasEscapes = try scanString()
            append(.string, from: start, hasEscapes: hasEscapes)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            try scanNumber()
            append(.number, from: start)
        case UInt8(ascii: "{"): return try openContainer(isObject: true)
        case UInt8(ascii: "["): return try openContainer(isObject: false)
        case UInt8(ascii: "t"): try scanWord(0x6575_7274, length: 4, kind: .true)
        case UInt8(ascii: "n"): try scanWord(0x6C6C_756E, length: 4, kind: .null)
        case UInt8(ascii: "f"): try scanWord(0x65_736C_6166, length: 5, kind: .false)
        default: throw fault(.expectedValue)
        }
        return false
    }

    @inline(__always)
    private mutating func append(_ kind: JSONKind, from start: Int, hasEscapes: Bool = false) {
        tape.append(
            TapeEntry(
                kind: kind.rawValue,
                start: start,
                end: position,
                next: tape.count &+ 1,
                hasEscapes: hasEscapes
            )
        )
    }

    /// Reads `true`, `false` or `null`, given as its bytes, the first one lowest.
    @inline(__always)
    private mutating func scanWord(_ word: UInt64, length: Int, kind: JSONKind) throws(ParseFault) {
        guard position &+ length <= count else { throw fault(.expectedValue) }
        for index in 0..<length where base[position &+ index] != UInt8(truncatingIfNeeded: word >> UInt64(8 &* index)) {
            throw fault(.expectedValue)
        }
        let start = position
        position &+= length
        append(kind, from: start)
    }

    /// Steps into a container; an empty one is finished at once.
    private mutating func openContainer(isObject: Bool) throws(ParseFault) -> Bool {
        let frame = Frame(index: tape.count, count: 0, isObject: isObject, outerKeys: keys.count)
        if let open { outer.append(open) }
        guard outer.count < depthLimit else { throw fault(.tooDeep) }
        let kind: JSONKind = isObject ? .object : .array
        let start = position
        position &+= 1
        append(kind, from: start)
        open = frame
        skipSpace()
        guard position < count else { throw unfinished() }
        if base[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            try closeContainer(frame)
            return false
        }
        if isObject { try readKey(of: frame.index) }
        return true
    }

    /// Reads a key and its colon, up to the value.
    @inline(__always)
    private mutating func readKey(of object: Int) throws(ParseFault) {
        let start = position
        guard base[position] == UInt8(ascii: "\"") else { throw fault(.expectedKey) }
        let hasEscapes = try scanString()
        keyCount &+= 1
        keys.append(base, text: start &+ 1..<position &- 1, escaped: hasEscapes, entry: tape.count)
        tape.append(
            TapeEntry(
                kind: TapeEntry.keyKind,
                start: start,
                end: position,
                next: object,
                hasEscapes: hasEscapes
            )
        )
        skipSpace()
        guard position < count else { throw unfinished() }
        guard base[position] == UInt8(ascii: ":") else { throw fault(.expectedColon) }
        position &+= 1
        skipSpace()
        if position == count { throw unfinished() }
    }

    /// Continues after a value: closes every container that ends here, and moves to the next value or to the end of the
    /// text.
    @inline(__always)
    private mutating func finishContainers() throws(ParseFault) {
        while var frame = open {
            frame.count &+= 1
            open = frame
            skipSpace()
            guard position < count else { throw unfinished() }
            let byte = base[position]
            if byte == UInt8(ascii: ",") {
                position &+= 1
                skipSpace()
                guard position < count else { throw unfinished() }
                if frame.isObject {
                    if base[position] == UInt8(ascii: "}") { throw fault(.trailingComma(isObject: true)) }
                    try readKey(of: frame.index)
                } else if base[position] == UInt8(ascii: "]") {
                    throw fault(.trailingComma(isObject: false))
                }
                return
            }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw fault(.expectedCommaOrEnd(isObject: frame.isObject))
            }
            try closeContainer(frame)
        }
        skipSpace()
        if position < count { throw fault(.textAfterEnd) }
    }

    /// Steps over the closing bracket and back into the container around it.
    @inline(__always)
    private mutating func closeContainer(_ frame: Frame) throws(ParseFault) {
        position &+= 1
        tape[frame.index].end = UInt32(truncatingIfNeeded: position)
        tape[frame.index].next = UInt32(truncatingIfNeeded: tape.count)
        tape[frame.index].count = frame.count
        if frame.isObject, let pair = keys.close(base, tape: tape, outer: frame.outerKeys) {
            throw ParseFault(
                reason: .duplicateKey(first: Int(tape[pair.first].start)),
                offset: Int(tape[pair.second].start)
            )
        }
        open = outer.popLast()
    }

    @inline(__always)
    mutating func skipSpace() {
        while position < count, base[position] <= 0x20 {
            let byte = base[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
            while position &+ 8 <= count, ByteRuns.word(base + position) == 0x2020_2020_2020_2020 { position &+= 8 }
        }
    }

    /// A fault at the current place. At the end of the text, the fault is that the open container has no end.
    @inline(never)
    func fault(_ reason: ParseFault.Reason) -> ParseFault {
        position < count ? ParseFault(reason: reason, offset: position) : unfinished()
    }

    @inline(never)
    private func unfinished() -> ParseFault {
        guard let open else { return ParseFault(reason: .expectedValue, offset: count) }
        let start = Int(tape[open.index].start)
        return ParseFault(reason: .endsInside(isObject: open.isObject, start: start), offset: count)
    }
}
