import LosslessJSON

extension Ordinal {
    /// A value as atoms of a kind hold it.
    init?(_ value: JSONValue, of kind: AtomKind) {
        guard kind.holdsDatePairs else {
            self.init(value, as: kind.reading)
            return
        }
        guard case .array(let pair) = value, pair.count == 2 else { return nil }
        self.init(pair[0], as: .date)
    }

    /// The value as an atom of a kind holds it.
    func held(_ value: JSONValue, as kind: AtomKind) -> JSONValue {
        guard kind.holdsDatePairs else { return value }
        // A number counts among dates as it is, see ``Ordinal``.
        guard case .instant(let instant) = self else { return .array([value, value]) }
        return .array([.string(JSONString(instant.text)), value])
    }
}

extension AtomKind {
    /// The value as a save spells it.
    func spelled(_ value: JSONValue) -> JSONValue {
        guard holdsDatePairs, case .array(let pair) = value, pair.count == 2 else { return value }
        return pair[1]
    }
}
