import Testing

@testable import LosslessJSON

/// Keys chosen so that all their hashes are equal must cost no more than others.
@Suite(.timeLimit(.minutes(5))) struct DuplicateKeyFloodTests {
    @Test func equalHashes() throws {
        let keys = collidingKeys(4_000)
        let hashes = Set(keys.map { $0.withUnsafeBufferPointer { ByteRuns.hash($0.baseAddress!, count: $0.count) } })
        #expect(hashes.count == 1 && Set(keys).count == keys.count)
        func text(_ keys: [[UInt8]]) -> [UInt8] {
            var text = utf8("{")
            for (index, key) in keys.enumerated() {
                if index > 0 { text += utf8(",\n") }
                text.append(UInt8(ascii: "\""))
                for byte in key { text += utf8("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)) }
                text += utf8("\":0")
            }
            return text + utf8("}")
        }
        #expect(failure(text(keys)) == nil)
        var doubled = keys
        (doubled[3_990], doubled[3_000]) = (doubled[17], doubled[2_000])
        let error = failure(text(doubled))
        #expect(error?.line == 3_001)
        #expect(error?.message.contains("(first at 2001:1)") == true)
    }

    /// ASCII keys of eight bytes, found by running the hash backwards from states that end in the same 32 bits.
    private func collidingKeys(_ count: Int) -> [[UInt8]] {
        let factor: UInt64 = 0xD6E8_FEB8_6659_FD93
        var inverse = factor
        for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
        var keys: [[UInt8]] = []
        for high in UInt64(0)..<10_000_000 where keys.count < count {
            let last = (high << 32 | (high ^ 0x1234_5678)) &* inverse
            let word = ((last ^ (last >> 32)) &* inverse) ^ 0x9E37_79B9_7F4A_7C15 ^ 8
            guard word & 0x8080_8080_8080_8080 == 0 else { continue }
            keys.append((0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) })
        }
        return keys
    }
}
