/// The reason why a text is not a valid pairing code, in one sentence.
package struct PairingCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// A one-time code that one device shows and a person types at another: `K7QM-2XWD-9TRB-H4FG`.
///
/// 15 characters of 5 random bits each, then a check character. The alphabet is Crockford's base 32, without I, L, O
/// and U. The check is a polynomial over GF(32), so every single wrong character and every swap of two is noticed.
package struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// The 15 random values, each below 32.
    let values: [UInt8]

    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let count = 15

    /// Makes a code from 10 random bytes, of which 75 bits are used.
    package init(random bytes: [UInt8]) {
        precondition(bytes.count == 10, "a pairing code is made of 10 random bytes")
        var values: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 5, values.count < Self.count {
                held -= 5
                values.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)) & 31)
            }
        }
        self.values = values
    }

    /// Reads what a person typed: any case, with or without hyphens and spaces, O for 0 and I or L for 1.
    package init(_ text: String) throws(PairingCodeError) {
        var values: [UInt8] = []
        for byte in text.utf8.prefix(256) {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                continue
            default: break
            }
            guard let value = Self.value(of: byte) else {
                throw PairingCodeError(
                    description:
                        "The pairing code holds a character that no code has: type it as shown, like "
                        + "K7QM-2XWD-9TRB-H4FG."
                )
            }
            values.append(value)
        }
        guard text.utf8.count <= 256, values.count == Self.count + 1 else {
            throw PairingCodeError(
                description:
                    "The pairing code has \(values.count) characters instead of \(Self.count + 1): type it as shown."
            )
        }
        guard values.removeLast() == Self.check(values) else {
            throw PairingCodeError(
                description: "The pairing code has a typing mistake: compare it with the other device."
            )
        }
        self.values = values
    }

    package var description: String {
        let letters = (values + [Self.check(values)]).map { Character(UnicodeScalar(Self.alphabet[Int($0)])) }
        return stride(from: 0, to: 16, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
        }
    }

    /// Σ αⁱ·xᵢ in GF(32), i from 15 down to 1, with α a root of x⁵ + x² + 1, by Horner's rule. α has order 31 and the
    /// check itself weighs α⁰, so all 16 places weigh differently.
    private static func check(_ values: [UInt8]) -> UInt8 {
        values.reduce(0) { sum, value in
            let shifted = (sum ^ value) << 1
            return shifted & 32 == 0 ? shifted : shifted ^ 0b10_0101
        }
    }
}
