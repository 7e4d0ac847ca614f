extension JSONValue {
    /// The canonical text: equal values share one text, and different values never do.
    ///
    /// Members are sorted by the bytes of their keys, numbers are in the canonical spelling of ``ExactDecimal`` (as
    /// they are written when the exponent has more than 15 digits), strings have no more escapes than they need, and
    /// there is no white space. The idea is that of RFC 8785, without its detour through Double.
    public var canonicalBytes: [UInt8] {
        var writer = JSONWriter(layout: .compact, isCanonical: true)
        writer.write(self)
        return writer.output
    }

    /// Compact JSON text: order of members and spelling of numbers kept, no white space.
    public var jsonBytes: [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.write(self)
        return writer.output
    }

    /// JSON text with every member and element on a line of its own; no line end after the last.
    ///
    /// - Parameter indent: The white space that each level of nesting adds. It must be JSON white space.
    public func jsonBytes(indent: String) -> [UInt8] {
        var layout = JSONLayout.compact
        layout.colon = Array(": ".utf8)
        layout.lines = JSONLayout.Lines(newline: [0x0A], unit: Array(indent.utf8))
        var writer = JSONWriter(layout: layout)
        writer.write(self)
        return writer.output
    }
}
