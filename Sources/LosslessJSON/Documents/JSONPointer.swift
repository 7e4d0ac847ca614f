/// A path to a value in a document (RFC 6901), such as `/levels/3/stars`; the empty path is the whole document.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// Keys and array indices from the root down, unescaped.
    public var tokens: [JSONString]

    /// The whole document.
    public static let root = JSONPointer(tokens: [])

    /// A pointer from its tokens, which are unescaped; none for the whole document.
    public init(tokens: [JSONString]) {
        self.tokens = tokens
    }

    /// Parses the string form: empty, or `/` before every token, with `~0` for `~` and `~1` for `/`.
    ///
    /// - Throws: ``JSONPointerError`` when the text does not begin with `/`, or has a `~` that neither `0` nor `1`
    ///   follows.
    public init(parsing text: String) throws(JSONPointerError) {
        tokens = []
        var token: [UInt8] = []
        var escape = false
        for (offset, byte) in text.utf8.enumerated() {
            if offset == 0 {
                guard byte == UInt8(ascii: "/") else {
                    throw JSONPointerError(message: "path '\(text)' must be empty or begin with '/'")
                }
            } else if escape {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { break }
                token.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                escape = false
            } else if byte == UInt8(ascii: "~") {
                escape = true
            } else if byte == UInt8(ascii: "/") {
                tokens.append(JSONString(bytes: token))
                token = []
            } else {
                token.append(byte)
            }
        }
        if escape {
            throw JSONPointerError(message: "path '\(text)' has a '~' that neither '0' nor '1' follows")
        }
        if !text.isEmpty { tokens.append(JSONString(bytes: token)) }
    }

    /// The string form; lone surrogates in a key are shown as U+FFFD.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.bytes {
                switch byte {
                case UInt8(ascii: "~"): bytes += "~0".utf8
                case UInt8(ascii: "/"): bytes += "~1".utf8
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path one token further down.
    public func appending(_ token: JSONString) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }
}

/// The error for a text that is not a JSON Pointer.
public struct JSONPointerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as one sentence.
    public var message: String
    /// The sentence, for people.
    public var description: String { message }
}
