import LosslessJSON

/// A type that a save holds as one JSON number, text or truth value: the leaves of a profile.
protocol PlainValue: Codable, Sendable {
    /// The value as JSON.
    ///
    /// - Throws: ``PlainFault`` for a value that JSON cannot hold, such as `Double.nan`.
    func coded() throws(PlainFault) -> JSONValue
    /// The value that JSON stands for.
    ///
    /// - Throws: ``PlainFault`` for JSON of another kind, or a number outside the range of the type.
    static func read(_ value: JSONValue) throws(PlainFault) -> Self
}

/// Why a plain value cannot be saved or read. The message is half a sentence that follows the name of the field.
struct PlainFault: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// The fault for JSON of a wrong kind.
    static func kind(_ value: JSONValue, _ type: Any.Type, needs what: String) -> PlainFault {
        PlainFault("is \(shown(value)) in the save, and \(type) needs \(what)")
    }

    /// A value for messages: the kind of a container, else JSON text, cut after 60 characters.
    static func shown(_ value: JSONValue) -> String {
        switch value {
        case .object: return "an object"
        case .array: return "a list"
        default:
            let text = String(decoding: value.jsonBytes, as: UTF8.self)
            return text.count > 60 ? text.prefix(60) + "…" : text
        }
    }
}

extension PlainValue where Self: FixedWidthInteger {
    func coded() -> JSONValue {
        guard let number = JSONNumber(text: String(self)) else {
            preconditionFailure("an integer spells itself as a number")
        }
        return .number(number)
    }

    /// Reads whole numbers of any size exactly, also `1e3` and `5.0`.
    static func read(_ value: JSONValue) throws(PlainFault) -> Self {
        guard case .number(let number) = value else { throw .kind(value, Self.self, needs: "a whole number") }
        guard let text = number.decimal?.text, let integer = Self(text) else {
            throw PlainFault(
                "is \(PlainFault.shown(value)) in the save, and \(Self.self) holds whole numbers from \(min) "
                    + "to \(max); "
                    + "declare a type that holds it"
            )
        }
        return integer
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension Int128: PlainValue {}
extension UInt128: PlainValue {}

extension PlainValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// A whole number up to 2^53 is written without a fraction (`5`, not `5.0`), as most JSON writers do.
    func coded() throws(PlainFault) -> JSONValue {
        if let whole = Int64(exactly: self), whole.magnitude < 1 << 53 { return .number(JSONNumber(Int(whole))) }
        guard let number = JSONNumber(text: description) else {
            throw PlainFault("is \(description), which no save can hold; set a finite number")
        }
        return .number(number)
    }

    static func read(_ value: JSONValue) throws(PlainFault) -> Self {
        guard case .number(let number) = value else { throw .kind(value, Self.self, needs: "a number") }
        guard let result = Self(number.text), result.isFinite else {
            throw PlainFault("is \(PlainFault.shown(value)) in the save, which is more than \(Self.self) holds")
        }
        return result
    }
}

extension Double: PlainValue {}
extension Float: PlainValue {}

extension Bool: PlainValue {
    func coded() -> JSONValue { .bool(self) }

    static func read(_ value: JSONValue) throws(PlainFault) -> Bool {
        guard case .bool(let truth) = value else { throw .kind(value, self, needs: "true or false") }
        return truth
    }
}

extension String: PlainValue {
    func coded() -> JSONValue { .string(JSONString(self)) }

    static func read(_ value: JSONValue) throws(PlainFault) -> String {
        guard case .string(let text) = value else { throw .kind(value, self, needs: "a text") }
        return text.string
    }
}
