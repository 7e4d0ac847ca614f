import LosslessJSON

extension Ordinal {
    /// Reads a value in the form in which atoms of a kind hold it; `nil` when it is not of that form.
    init?(_ value: JSONValue, of kind: AtomKind) {
        guard kind.holdsDatePairs else {
            self.init(value, as: kind.reading)
            return
        }
        guard case .array(let pair) = value, pair.count == 2 else { return nil }
        self.init(pair[0], as: .date)
    }

    /// The form in which atoms of a kind hold this value: for a kind that holds pairs, an ISO 8601 date and the
    /// spelling of the save; else the value itself.
    func held(_ value: JSONValue, as kind: AtomKind) -> JSONValue {
        guard kind.holdsDatePairs else { return value }
        // A number counts among dates as it is, see ``Ordinal``.
        guard case .instant(let instant) = self else { return .array([value, value]) }
        return .array([.string(JSONString(instant.text)), value])
    }
}

extension AtomKind {
    /// The value in the spelling of the save: the second part of a pair, else the value itself.
    func spelled(_ value: JSONValue) -> JSONValue {
        guard holdsDatePairs, case .array(let pair) = value, pair.count == 2 else { return value }
        return pair[1]
    }
}
