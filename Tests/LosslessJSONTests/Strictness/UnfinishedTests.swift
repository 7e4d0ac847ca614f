import LosslessJSON
import Testing

/// A text whose write did not finish is told from one that is no JSON: only the first may be half a save.
@Suite struct UnfinishedTests {
    private static let whole = #"{"a":[true,false,null,-1.5e+3,"é😀\u00e9\n"],"b":{"c":{}},"d":""}"#

    /// Every beginning of a text, also inside a word, an escape, a character or the byte order mark, and with zero bytes
    /// at its end.
    @Test(arguments: ["", "\u{FEFF}"]) func everyBeginning(mark: String) {
        let bytes = utf8(mark + Self.whole)
        for length in 0..<bytes.count {
            for zeros in [0, 1, 4_096] {
                let text = Array(bytes[..<length]) + Array(repeating: 0, count: zeros)
                #expect(failure(text)?.isUnfinished == true, "\(length) bytes, \(zeros) zero bytes")
            }
        }
    }

    /// A block of zeros anywhere, as a power cut leaves one.
    @Test func zerosInTheMiddle() {
        let bytes = utf8(Self.whole)
        for place in 0..<bytes.count {
            let text = bytes[..<place] + Array(repeating: 0, count: 64) + bytes[min(place + 8, bytes.count)...]
            #expect(failure(Array(text))?.isUnfinished == true, "zeros from \(place) on")
        }
    }

    @Test(arguments: [
        "{\"a\":NaN}", "{\"a\":1,\"a\":2}", "{\"a\":1,}", "[1,]", "{a:1}", "{'a':1}", "[1]x", "// note\n{}", "[01]",
        "[.5]",
        "[1.]", "[True]", "[\"\\x\"]", "[\"a\nb\"]", "<xml/>", "level=3", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u1\"}",
        "{\"a\":tru}", "PK\u{3}\u{4}", "{\"a\":1}\"b\":2}",
    ])
    func anotherFormat(text: String) {
        #expect(failure(utf8(text))?.isUnfinished == false)
        #expect(failure(utf8(text + "\0\0"))?.isUnfinished == false)
    }

    /// Formats in which zeros are ordinary: the header of a serialized .NET object, a length before the content, a buffer
    /// of fixed size.
    @Test(
        arguments: [
            [0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0x12, 0x34, 0x7B, 0x7D],
            Array(#"{"name":"Ann"#.utf8) + [0, 0, 0, 0] + Array(#""}"#.utf8), [0x1F, 0x8B, 8, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func formatsWithZeros(bytes: [UInt8]) {
        #expect(failure(bytes)?.isUnfinished == false)
    }

    /// Other encodings of whole texts: Latin-1 without a line end, and UTF-16 of either order.
    @Test func anotherEncoding() {
        let text = #"{"name":"José"}"#
        #expect(failure(text.unicodeScalars.map { UInt8($0.value) })?.isUnfinished == false)
        let units = Array(text.utf16)
        #expect(failure(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })?.isUnfinished == false)
        #expect(failure(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })?.isUnfinished == false)
        #expect(failure([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })?.isUnfinished == false)
        #expect(failure([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })?.isUnfinished == false)
        #expect(failure(units.flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] })?.isUnfinished == false)
    }
}
