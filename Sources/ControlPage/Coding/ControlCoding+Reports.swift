import LosslessJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Reports are Codable, so Foundation's coders turn them into objects; LosslessJSON puts these into answers.
extension ControlCoding {
    static func json(report: some Encodable) throws(ControlCodingError) -> JSONValue {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try JSONValue(parsing: Array(encoder.encode(report)))
        } catch {
            throw ControlCodingError("The agent's report cannot be written as JSON: \(error).")
        }
    }

    /// The members of a report beside the event's name.
    static func tagged(_ event: JSONString, _ report: some Encodable) throws(ControlCodingError) -> JSONValue {
        let json = try json(report: report)
        guard case .object(let members) = json else { return json }
        return .object([JSONMember(key: "event", value: .string(event))] + members)
    }

    /// Reads the report that a member holds.
    static func report<Report: Decodable>(
        _ reader: MemberReader,
        _ key: JSONString
    ) throws(ControlCodingError) -> Report {
        try report(reader.required(key), in: reader)
    }

    /// Reads a report out of an object; other members beside its own are passed over.
    static func report<Report: Decodable>(
        _ value: JSONValue,
        in reader: MemberReader
    ) throws(ControlCodingError) -> Report {
        do {
            return try JSONDecoder().decode(Report.self, from: Data(value.jsonBytes))
        } catch {
            throw ControlCodingError("In \(reader.what) \(fault(error)).")
        }
    }

    private static func fault(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error {
        case DecodingError.keyNotFound(let key, let context):
            "the member \"\(place(context.codingPath + [key]))\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "the member \"\(place(context.codingPath))\" is of the wrong kind"
        default: "the report cannot be read: \(error)"
        }
    }
}
