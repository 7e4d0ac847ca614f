import HouseholdAgent
import LosslessJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The coding of the control interface: each request and each message is one JSON object on one line.
///
/// The members follow from the types, which are `Codable`. Messages have the member `event` before their own members.
/// Commands print the same objects with `--json`.
package enum ControlCoding {
    /// The version of the control interface, part of every request's path. It changes where an older client or agent
    /// could misread the other; a new member alone does not change it.
    package static let version = 1

    /// Parses one line of limited length.
    static func value(_ bytes: [UInt8], limit: Int, what: String) throws(ControlCodingError) -> JSONValue {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(parsing: bytes, limits: JSONLimits(bytes: limit))
            return document.value(document.root)
        } catch {
            throw ControlCodingError("\(what) is no JSON: \(error).")
        }
    }

    /// Writes a value of one of our types, with its members sorted by name.
    static func json(_ value: some Encodable) throws(ControlCodingError) -> JSONValue {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            bytes = Array(try encoder.encode(value))
        } catch {
            throw ControlCodingError("This cannot be written as JSON: \(error).")
        }
        guard bytes.count <= messageLimit else {
            throw ControlCodingError("This has \(bytes.count) bytes; the most is \(messageLimit).")
        }
        return try self.value(bytes, limit: messageLimit, what: "This")
    }

    /// Reads a value of one of our types. Members that the type does not have are skipped.
    ///
    /// - Parameter what: The object's name in errors: `The request "add"`.
    static func read<Value: Decodable>(
        _ type: Value.Type, from json: JSONValue, what: String
    ) throws(ControlCodingError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json.jsonBytes))
        } catch {
            throw ControlCodingError("\(what): \(fault(error)).")
        }
    }

    private static func fault(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error {
        case let fault as MemberFault: sentence(fault)
        case DecodingError.keyNotFound(let key, let context):
            "the member \"\(place(context.codingPath + [key]))\" is missing"
        case DecodingError.valueNotFound(_, let context):
            "the member \"\(place(context.codingPath))\" is missing"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            "a number in it is out of range"
        case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
            "the member \"\(place(context.codingPath))\" is of the wrong kind"
        default: "it cannot be read: \(error)"
        }
    }

    static func sentence(_ fault: MemberFault) -> String {
        "the member \"\(fault.member.prefix(100))\" \(fault.message)"
    }
}
