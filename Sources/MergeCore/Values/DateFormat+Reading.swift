extension DateFormat {
    /// Most bytes a spelled date may have.
    private static let textLimit = 256

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The instant that a text spells in this format; `nil` where it spells none. The whole text must match.
    func instant(_ text: [UInt8]) -> DateValue? {
        guard text.count <= Self.textLimit else { return nil }
        var reader = DateReader(text)
        var found = Found()
        for part in parts {
            switch part {
            case .byte(let byte): guard reader.skip(byte: byte) else { return nil }
            case .field(let field): guard read(field, &reader, &found) else { return nil }
            }
        }
        return reader.isAtEnd ? found.instant : nil
    }

    private func read(_ field: Field, _ reader: inout DateReader, _ found: inout Found) -> Bool {
        func take(_ place: WritableKeyPath<Found, Int64>, _ count: ClosedRange<Int>) -> Bool {
            guard let value = reader.digits(count) else { return false }
            found[keyPath: place] = value
            return true
        }
        switch field {
        case .year: return take(\.fields.year, 4...4)
        case .shortYear:
            guard let year = reader.digits(2) else { return false }
            found.fields.year = year < 69 ? 2_000 + year : 1_900 + year
        case .month: return take(\.fields.month, 1...2)
        case .monthName, .longMonthName:
            let short = Self.months.map { String($0.prefix(3)) }
            guard let month = reader.word(Self.months) ?? reader.word(short) else { return false }
            found.fields.month = Int64(month) + 1
        case .day: return take(\.fields.day, 1...2)
        case .paddedDay: return reader.skip(" ") ? take(\.fields.day, 1...1) : take(\.fields.day, 1...2)
        case .dayOfYear:
            guard let day = reader.digits(1...3) else { return false }
            found.dayOfYear = day
        case .hour: return take(\.fields.hour, 1...2)
        case .hourOfHalf:
            guard let hour = reader.digits(1...2), (1...12).contains(hour) else { return false }
            found.fields.hour = hour % 12
        case .half:
            guard let half = reader.word(["am", "pm"]) else { return false }
            found.isAfternoon = half == 1
        case .minute: return take(\.fields.minute, 1...2)
        case .second: return take(\.fields.second, 1...2)
        case .fraction:
            found.fields.fraction = reader.allDigits()
            return !found.fields.fraction.isEmpty
        case .zone:
            guard let offset = reader.zone() else { return false }
            found.fields.offset = offset
        case .unixSeconds:
            found.isNegative = reader.skip("-")
            found.unixSeconds = reader.digits(1...18)
            return found.unixSeconds != nil
        }
        return true
    }

    /// The fields that have been read so far.
    private struct Found {
        var fields = DateValue.CivilFields()
        var isAfternoon = false
        var dayOfYear: Int64?
        var unixSeconds: Int64?
        var isNegative = false

        var instant: DateValue? {
            if let unixSeconds { return unix(unixSeconds) }
            var fields = fields
            if isAfternoon { fields.hour += 12 }
            if var day = dayOfYear {
                guard (1...(DateValue.isLeap(fields.year) ? 366 : 365)).contains(day) else { return nil }
                while day > DateValue.days(in: fields.month, of: fields.year) {
                    day -= DateValue.days(in: fields.month, of: fields.year)
                    fields.month += 1
                }
                fields.day = day
            }
            return DateValue(fields)
        }

        /// The instant for seconds since 1970 that may be negative. `-1.25` lies a quarter of a second before -1, so
        /// its whole seconds are -2 and its fraction is .75.
        private func unix(_ seconds: Int64) -> DateValue? {
            guard isNegative else { return DateValue(seconds: seconds, fraction: fields.fraction) }
            guard let last = fields.fraction.lastIndex(where: { $0 != 0x30 }) else {
                return DateValue(seconds: -seconds)
            }
            var digits = fields.fraction[...last].map { 0x39 - ($0 - 0x30) }
            digits[last] += 1
            return DateValue(seconds: -seconds - 1, fraction: digits)
        }
    }
}
