import LosslessJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date: PlainValue {
    func coded() throws(PlainFault) -> JSONValue {
        guard let text = DateText.text(self) else {
            throw PlainFault("is a date outside of the years 0 to 9999, which no save can hold")
        }
        return .string(JSONString(text))
    }

    static func read(_ value: JSONValue) throws(PlainFault) -> Date {
        guard case .string(let text) = value, let date = DateText.date(text.string) else {
            throw .kind(value, self, needs: "a date such as \"2026-01-31T10:20:30Z\"")
        }
        return date
    }
}

extension UUID: PlainValue {
    func coded() -> JSONValue { .string(JSONString(uuidString)) }

    static func read(_ value: JSONValue) throws(PlainFault) -> UUID {
        guard case .string(let text) = value, let id = UUID(uuidString: text.string) else {
            throw .kind(value, self, needs: "a UUID")
        }
        return id
    }
}

extension URL: PlainValue {
    func coded() -> JSONValue { .string(JSONString(absoluteString)) }

    static func read(_ value: JSONValue) throws(PlainFault) -> URL {
        guard case .string(let text) = value, let url = URL(string: text.string) else {
            throw .kind(value, self, needs: "a URL")
        }
        return url
    }
}

extension Data: PlainValue {
    func coded() -> JSONValue { .string(JSONString(base64EncodedString())) }

    static func read(_ value: JSONValue) throws(PlainFault) -> Data {
        guard case .string(let text) = value, let data = Data(base64Encoded: text.string) else {
            throw .kind(value, self, needs: "Base64 text")
        }
        return data
    }
}

extension Decimal: PlainValue {
    func coded() throws(PlainFault) -> JSONValue {
        guard let number = JSONNumber(text: description) else {
            throw PlainFault("is \(description), which no save can hold; set a finite number")
        }
        return .number(number)
    }

    static func read(_ value: JSONValue) throws(PlainFault) -> Decimal {
        guard case .number(let number) = value else { throw .kind(value, self, needs: "a number") }
        // Decimal silently rounds numbers of more than 38 digits, so the result is compared with the number in the
        // save.
        guard let text = number.decimal?.text, let result = Decimal(string: text),
            JSONNumber(text: result.description) == number
        else { throw PlainFault("is \(PlainFault.shown(value)) in the save, which is more than Decimal holds") }
        return result
    }
}
