import LosslessJSON

/// What a file shows at one place.
enum ShownLeaf: Equatable {
    /// A value, and the stamp of its write if its rule has one.
    case value(JSONValue, Stamp?)
    /// Elements of a set, in the order that the devices agreed on or in the rule's order.
    case elements([JSONValue])
    /// A counter as a file shows it: 0 if devices overspent it concurrently.
    case amount(ExactDecimal, JSONValueForm)
    /// Values written concurrently, the newest first. A file keeps its own value if that is among them.
    case open([JSONValue], Stamp)
    /// Nothing, because the value was removed; with the stamp of the removal where there is one.
    case absent(Stamp?)

    /// Whether an amount is written as a number or as a string.
    enum JSONValueForm: Equatable {
        case number, string
        /// The value as its writer spelled it.
        case spelled(JSONValue)
    }

    var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// This leaf, as the value of an array's element that is one whole value: only objects with that element's key count.
    /// `nil` where there is none.
    ///
    /// - Parameters:
    ///   - name: The canonical bytes of the element's key.
    ///   - key: The member that tells the elements of the array apart.
    func element(named name: [UInt8], by key: JSONString?) -> ShownLeaf? {
        func isElement(_ value: JSONValue) -> Bool {
            guard case .object(let members) = value else { return false }
            return members.contains { $0.key == key && $0.value.canonicalBytes == name }
        }
        switch self {
        case .value(let value, _): return isElement(value) ? self : nil
        case .open(let candidates, let stamp):
            let elements = candidates.filter(isElement)
            return elements.isEmpty ? nil : .open(elements, stamp)
        case .elements, .amount, .absent: return nil
        }
    }

    /// The value to write into a file that has none at the place yet; `nil` for none.
    var json: JSONValue? {
        switch self {
        case .value(let value, _): value
        case .elements(let elements): .array(elements)
        case .amount(let amount, let form): Self.json(amount, form)
        case .open(let candidates, _): candidates.first
        case .absent: JSONValue?.none
        }
    }

    static func json(_ amount: ExactDecimal, _ form: JSONValueForm) -> JSONValue {
        switch form {
        case .number: .number(JSONNumber(text: amount.text)!)
        case .string: .string(JSONString(amount.text))
        case .spelled(let value): value
        }
    }
}
