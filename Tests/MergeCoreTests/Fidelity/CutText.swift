/// A JSON text cut into its pieces by a few lines of its own, so that it can judge the parser and the patcher.
///
/// Nothing but well-formed text may be given; every byte of it is in exactly one piece.
struct CutText {
    /// One value: its bytes, and what is inside.
    struct Value {
        var bytes: ArraySlice<UInt8> = []
        /// Nil for a scalar.
        var entries: [Entry]?
        var isObject = false
    }

    /// One member or element with the white space around it.
    struct Entry {
        /// The unescaped key, `#` and the `id` of an element, or the element's number.
        var name: String
        var before: ArraySlice<UInt8>
        /// From the quote of the key up to the value; empty in an array.
        var key: ArraySlice<UInt8>
        var value: Value
        var after: ArraySlice<UInt8>
    }

    let before: ArraySlice<UInt8>
    let root: Value
    let after: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        var cutter = Cutter(bytes: bytes)
        before = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? cutter.take(3) : []) + cutter.space()
        root = cutter.value()
        after = bytes[cutter.place...]
    }

    /// The value at a path of names.
    func value(_ path: [String]) -> Value? {
        var value = root
        for name in path {
            guard let next = value.entries?.first(where: { $0.name == name })?.value else { return nil }
            value = next
        }
        return value
    }

    private struct Cutter {
        let bytes: [UInt8]
        var place = 0

        private var byte: UInt8 { place < bytes.count ? bytes[place] : 0 }

        mutating func take(_ count: Int) -> ArraySlice<UInt8> {
            defer { place += count }
            return bytes[place..<min(place + count, bytes.count)]
        }

        mutating func space() -> ArraySlice<UInt8> {
            let start = place
            while isSpace(byte) { place += 1 }
            return bytes[start..<place]
        }

        private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

        private func isEnd(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") || isSpace(byte)
        }

        private mutating func string() {
            place += 1
            while byte != UInt8(ascii: "\""), place < bytes.count { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
            place += 1
        }

        mutating func value() -> Value {
            let start = place
            var value = Value()
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                value.isObject = byte == UInt8(ascii: "{")
                value.entries = entries(value.isObject)
            case UInt8(ascii: "\""): string()
            default: while place < bytes.count, !isEnd(byte) { place += 1 }
            }
            value.bytes = bytes[start..<place]
            return value
        }

        private mutating func entries(_ isObject: Bool) -> [Entry] {
            var entries: [Entry] = []
            repeat {
                place += 1
                let before = space()
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { break }
                let start = place
                var name = "\(entries.count)"
                if isObject {
                    string()
                    name = CutText.unescaped(bytes[start..<place])
                    _ = space()
                    place += 1
                    _ = space()
                }
                let key = bytes[start..<place]
                let value = value()
                if !isObject, let id = value.entries?.first(where: { $0.name == CutText.id }) {
                    name = "#" + CutText.unescaped(id.value.bytes)
                }
                entries.append(Entry(name: name, before: before, key: key, value: value, after: space()))
            } while byte == UInt8(ascii: ",")
            place += 1
            return entries
        }
    }

    /// UTF-16 code units as a name that tells any two texts apart.
    static func name(_ units: [UInt16]) -> String { units.map { String($0, radix: 16) }.joined(separator: " ") }

    static let coins = name(Array("coins".utf16))
    static let id = name(SpelledTree.idKey)
    static let row = name(Array("row".utf16))

    /// The name of a string's text.
    static func unescaped(_ quoted: ArraySlice<UInt8>) -> String {
        let text = Array(String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self).utf16)
        guard text.contains(0x5C) else { return name(text) }
        var units: [UInt16] = []
        var rest = text[...]
        while let unit = rest.popFirst() {
            guard unit == 0x5C, let letter = rest.popFirst() else {
                units.append(unit)
                continue
            }
            if letter == 0x75 {
                units.append(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) ?? 0)
                rest = rest.dropFirst(4)
            } else {
                units.append([0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09][letter] ?? letter)
            }
        }
        return name(units)
    }
}
