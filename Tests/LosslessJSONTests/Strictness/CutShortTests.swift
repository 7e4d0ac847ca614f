import LosslessJSON
import Testing

/// A text that was cut short is told from one that is no JSON: only the first may be the half of a save.
@Suite struct CutShortTests {
    private static let whole = #"{"a":[true,false,null,-1.5e+3,"é😀\u00e9\n"],"b":{"c":{}},"d":""}"#

    /// Every text that is the beginning of one is cut short, also inside a word, an escape or a character, and with zero
    /// bytes at its end.
    @Test func everyBeginning() {
        let bytes = utf8(Self.whole)
        for length in 0..<bytes.count {
            for zeros in [0, 1, 4_096] {
                let text = Array(bytes[..<length]) + Array(repeating: 0, count: zeros)
                #expect(failure(text)?.isCutShort == true, "\(length) bytes, \(zeros) zero bytes")
            }
        }
    }

    @Test(arguments: [
        "{\"a\":NaN}", "{\"a\":1,\"a\":2}", "{\"a\":1,}", "[1,]", "{a:1}", "{'a':1}", "[1]x", "// note\n{}", "[01]",
        "[.5]",
        "[1.]", "[True]", "[\"\\x\"]", "[\"a\nb\"]", "<xml/>", "level=3", "{\"a\":\"\\u12\"}", "{\"a\":tru}",
        "PK\u{3}\u{4}",
    ])
    func noBeginning(text: String) {
        #expect(failure(utf8(text))?.isCutShort == false)
        #expect(failure(utf8(text + "\0\0"))?.isCutShort == false)
    }
}
