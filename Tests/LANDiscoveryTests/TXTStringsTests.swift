import TestSupport
import Testing

@testable import LANDiscovery

@Suite("TXT records and names from the network")
struct TXTStringsTests {
    @Test("What is written is read back")
    func roundTrip() {
        let pairs = ["v": "1", "tag": "a=b", "empty": "", "text": "grüße"]
        let (strings, tooLong) = TXTStrings.strings(of: pairs)
        #expect(tooLong == [])
        #expect(TXTStrings.decode(TXTStrings.encode(strings)) == .init(pairs: pairs, wasCut: false))
        #expect(TXTStrings.encode([]) == [0])
    }

    @Test("Keys are compared without case and the first wins; strings without a usable key are left out")
    func keys() {
        let record = [Array("V=1"), Array("v=2"), Array("=x"), Array("flag"), Array("k\u{7}=1"), []].map { characters in
            Array(String(characters).utf8)
        }
        #expect(TXTStrings.decode(TXTStrings.encode(record)).pairs == ["V": "1", "flag": ""])
    }

    @Test(
        "A record that ends inside a string loses that string",
        arguments: [[5, 0x61], [255], [3, 0x61, 0x3D]] as [[UInt8]]
    )
    func truncated(_ tail: [UInt8]) {
        #expect(TXTStrings.decode([3, 0x76, 0x3D, 0x31] + tail).pairs == ["v": "1"])
    }

    @Test("Bytes beyond the limit are neither read nor written")
    func limits() {
        let long = (0..<10).map { Array("key\($0)=".utf8) + [UInt8](repeating: 0x78, count: 200) }
        let reading = TXTStrings.decode(TXTStrings.encode(long))
        #expect(reading.wasCut)
        #expect(reading.pairs.count == 6)

        let values = Dictionary(uniqueKeysWithValues: (0..<10).map { ("key\($0)", String(repeating: "x", count: 200)) })
        let (strings, tooLong) = TXTStrings.strings(of: values)
        #expect(strings.count == 6)
        #expect(tooLong == ["key6", "key7", "key8", "key9"])
        #expect(TXTStrings.encode(strings).count <= TXTStrings.largestRecord)
        #expect(TXTStrings.strings(of: ["k": String(repeating: "x", count: 254)]).tooLong == ["k"])
    }

    @Test("Invalid UTF-8 is repaired and control characters are replaced")
    func cleaning() {
        #expect(ForeignText.clean([0x61, 0xFF, 0x62], limit: 63) == "a\u{FFFD}b")
        #expect(ForeignText.clean(Array("a\u{1B}[2Jb\u{202E}c".utf8), limit: 63) == "a\u{FFFD}[2Jb\u{FFFD}c")
        #expect(ForeignText.clean([UInt8](repeating: 0x61, count: 500), limit: 63).utf8.count == 63)
        #expect(ForeignText.clean(Array("Küche".utf8), limit: 63) == "Küche")
    }

    @Test("Every record of random bytes is read without a trap")
    func randomRecords() {
        var generator = SeededRandom(seed: 0x4845_4152_5448)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<64, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(TXTStrings.decode(bytes).pairs.count <= count)
        }
    }

    @Test("A link-local address carries its interface, others do not")
    func scopes() {
        let linkLocal: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        #expect(NumericAddress.text([127, 0, 0, 1], interface: 1) == "127.0.0.1")
        #expect(NumericAddress.text([0xFD] + [UInt8](repeating: 0, count: 14) + [1], interface: 1) == "fd00::1")
        let name = NumericAddress.interfaceName(1)
        #expect(NumericAddress.text(linkLocal, interface: 1) == name.map { "fe80::1%\($0)" })
        #expect(NumericAddress.text(linkLocal, interface: 0) == nil)
        #expect(NumericAddress.text([1, 2, 3], interface: 1) == nil)
    }
}
