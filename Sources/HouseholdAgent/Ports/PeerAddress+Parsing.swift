extension PeerAddress {
    /// The longest name of the DNS in text (RFC 1035, section 2.3.4).
    private static let maximumHostBytes = 253
    /// The longest name of an interface: Linux allows 15 bytes, macOS as many.
    private static let maximumScopeBytes = 15

    /// Reads `host:port`, or `[address]:port` for IPv6, with a scope where the address needs one
    /// (`[fe80::1%eth0]:4000`); nil for anything else.
    ///
    /// The host is a name, a dotted IPv4 address, or in brackets an IPv6 address (RFC 3986, section 3.2.2; scopes as in
    /// RFC 4007, section 11). An IPv6 address without brackets is refused, because it is not clear where its port
    /// begins. The text of ``description`` is read back as the same address.
    package init?(parsing text: String) {
        guard text.utf8.count <= Self.maximumHostBytes + 8, let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            guard Self.isScopedIPv6(inner) else { return nil }
            self.init(host: String(inner), port: port)
        } else {
            guard Self.isName(host) || Self.isIPv4(host) else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    /// 1 to 65535, written without sign or leading zeros.
    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return UInt16(text)
    }

    /// Whether a text is a host name: labels with dots between them. The last label must not be a number, because that
    /// would be an IPv4 address in a spelling that resolvers read in different ways.
    private static func isName(_ host: Substring) -> Bool {
        guard !host.isEmpty, host.utf8.count <= maximumHostBytes else { return false }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        guard let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.unicodeScalars.allSatisfy(isOfName)
        }
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": return true
        case "\u{80}"...:
            // The resolver judges names in other scripts. Invisible characters are no part of a name.
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .privateUse, .spaceSeparator, .lineSeparator,
                .paragraphSeparator:
                return false
            default: return true
            }
        default: return false
        }
    }

    private static func isIPv4(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit) && UInt8(part) != nil
                    && (part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"))
            }
    }

    private static func isScopedIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, isIPv6(address) else { return false }
        guard parts.count == 2 else { return true }
        return (1...maximumScopeBytes).contains(parts[1].utf8.count)
            && parts[1].utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"%[]/\"\\".utf8.contains(byte)
            }
    }

    /// Eight groups of up to four hexadecimal digits, one run of zero groups as `::`, and IPv4 at the end (RFC 4291,
    /// section 2.2).
    private static func isIPv6(_ text: Substring) -> Bool {
        var head = text
        var tail: Substring?
        if let gap = firstGap(text) {
            head = text[..<gap]
            tail = text[text.utf8.index(gap, offsetBy: 2)...]
        }
        guard let before = groups(head, mayEndInIPv4: tail == nil) else { return false }
        guard let tail else { return before == 8 }
        guard let after = groups(tail, mayEndInIPv4: true) else { return false }
        return before + after <= 7
    }

    private static func firstGap(_ text: Substring) -> Substring.Index? {
        text.utf8.indices.first { index in text.utf8[index...].starts(with: "::".utf8) }
    }

    /// The number of 16-bit groups in a text; 0 for an empty text, nil for a text that is malformed.
    private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> Int? {
        guard !text.isEmpty else { return 0 }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = parts.last, isIPv4(last) {
            parts.removeLast()
            count = 2
        }
        for part in parts {
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit) else { return nil }
        }
        return count + parts.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
