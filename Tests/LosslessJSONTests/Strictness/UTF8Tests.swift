import LosslessJSON
import Testing

/// Strict UTF-8 (RFC 3629), against the standard library's decoder.
@Suite struct UTF8Tests {
    @Test(
        arguments: [
            // Stray continuations, overlong forms of two, three and four bytes
            [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            // Surrogates as they are, alone and as a pair
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
            // Above U+10FFFF, forms of five and six bytes, bytes that are never UTF-8
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            // Sequences cut off at each length
            [0xC2], [0xC2, 0x41], [0xE2], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0], [0xF0, 0x9F],
            [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41], [0xF0, 0x9F, 0xC0, 0x80], [0xF0, 0x28, 0x8C, 0xBC],
        ] as [[UInt8]]
    )
    func invalid(sequence: [UInt8]) {
        for padding in 0..<18 {
            let before = utf8("[\"é" + String(repeating: "x", count: padding))
            for after in ["\"]", "", "x", "éééé\"]"] {
                let error = failure(before + sequence + utf8(after))
                #expect(error?.message == "the bytes here are not valid UTF-8")
                #expect(error?.offset == before.count && error?.line == 1 && error?.column == 4 + padding)
            }
            let key = failure(utf8("{\"" + String(repeating: "x", count: padding)) + sequence + utf8("\":1}"))
            #expect(key?.message == "the bytes here are not valid UTF-8" && key?.offset == 2 + padding)
        }
        // Outside strings
        for before in ["", "[", "[1", "{", "{\"a\"", "{\"a\":", "1 ", "tru"] {
            let error = failure(utf8(before) + sequence)
            let isWord = before == "tru"
            #expect(error?.offset == (isWord ? 0 : before.utf8.count))
            if !isWord { #expect(error?.message.contains("which is not valid UTF-8") == true) }
        }
    }

    /// Every sequence of up to four bytes of which each is at an edge of UTF-8's tables.
    @Test func edges() {
        let edges: [UInt8] = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
        for first in UInt8(0x7F)...0xFF {
            for second in UInt8(0x7F)...0xFF where !agrees([first, second]) { return }
            guard first >= 0xE0 else { continue }
            for second in edges {
                for third in edges {
                    guard agrees([first, second, third]) else { return }
                    guard first >= 0xF0 else { continue }
                    for fourth in edges where !agrees([first, second, third, fourth]) { return }
                }
            }
        }
    }

    /// Whether the parser accepts the bytes in a string exactly where the standard library does, and otherwise names
    /// the first byte that begins nothing valid.
    private func agrees(_ bytes: [UInt8]) -> Bool {
        func isValid(_ length: Int) -> Bool { String(validating: bytes[..<length], as: UTF8.self) != nil }
        let valid = (0...bytes.count).last(where: isValid) ?? 0
        let error = failure([0x22] + bytes + [0x22])
        if valid == bytes.count ? error == nil : error?.offset == 1 + valid { return true }
        Issue.record("\(bytes): \(error?.description ?? "accepted")")
        return false
    }
}
