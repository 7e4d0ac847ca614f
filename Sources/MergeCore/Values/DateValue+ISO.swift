extension DateValue {
    /// Most bytes a date in ISO 8601 may have.
    private static let byteLimit = 128

    /// Reads `YYYY-MM-DD`, then optionally `T` or a space and `HH:MM[:SS[.fraction]]`, then optionally a zone (`Z`,
    /// `±HH:MM`, `±HHMM`, `±HH`, a space before it allowed). Without a zone the time counts as UTC.
    package init?(_ text: [UInt8]) {
        guard text.count <= Self.byteLimit else { return nil }
        var reader = DateReader(text)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2)
        else { return nil }
        var fields = CivilFields(year: year, month: month, day: day)
        if reader.skip("T") || reader.skip("t") || reader.skip(" ") {
            guard let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2) else { return nil }
            (fields.hour, fields.minute) = (hour, minute)
            if reader.skip(":") {
                guard let second = reader.digits(2) else { return nil }
                fields.second = second
                if reader.skip(".") || reader.skip(",") {
                    fields.fraction = reader.allDigits()
                    guard !fields.fraction.isEmpty else { return nil }
                }
            }
            if !reader.isAtEnd {
                _ = reader.skip(" ")
                guard let offset = reader.zone() else { return nil }
                fields.offset = offset
            }
        }
        guard reader.isAtEnd else { return nil }
        self.init(fields)
    }
}
