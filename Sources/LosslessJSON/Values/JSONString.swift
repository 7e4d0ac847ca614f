/// A JSON string after unescaping, as WTF-8 bytes.
///
/// Valid text is plain UTF-8. A lone surrogate escape such as `\ud800` becomes its three-byte WTF-8 form; raw bytes
/// like that are refused in input, so the two cannot be mixed up. Equality, hashing and order are by bytes: two
/// spellings of one character in different Unicode normal forms are different strings.
/// The idea of WTF-8 is from https://simonsapin.github.io/wtf-8/.
public struct JSONString: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The unescaped text as WTF-8.
    public var bytes: [UInt8]

    /// Makes a string of bytes that are already WTF-8; bytes that are not are written as U+FFFD.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes a string of foreign bytes, or nil when they are not well-formed WTF-8.
    public init?(validating bytes: [UInt8]) {
        guard bytes.withUnsafeBufferPointer(UTF8Check.isWTF8) else { return nil }
        self.bytes = bytes
    }

    /// Makes a string of Unicode text, keeping its normal form.
    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    /// The string as the source spells it.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text as a Swift string; lone surrogates become U+FFFD.
    public var string: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The text, without quotes and escapes.
    public var description: String { string }

    /// Compares bytes: two spellings that Unicode calls equivalent differ.
    public static func == (left: JSONString, right: JSONString) -> Bool {
        left.bytes.withUnsafeBufferPointer { leftBytes in
            right.bytes.withUnsafeBufferPointer { ByteRuns.equal(leftBytes, $0) }
        }
    }

    /// Compares byte by byte.
    public static func < (left: JSONString, right: JSONString) -> Bool {
        left.bytes.withUnsafeBufferPointer { leftBytes in
            right.bytes.withUnsafeBufferPointer { ByteRuns.precedes(leftBytes, $0) }
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(bytes.count)
    }
}
