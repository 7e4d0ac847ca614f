package import HouseholdAgent
import LosslessJSON
import MergeCore

extension ControlCoding {
    /// The most bytes of a request: 1 MiB, and four times the limit of a rule file, because quoting it as a text inside
    /// a text may make it four times as long.
    package static let requestLimit = 1 << 20 + 4 * RuleSet.byteLimit

    /// Writes the parameters of a request as a JSON object.
    package static func bytes(_ request: some AgentRequest) throws(ControlCodingError) -> [UInt8] {
        try json(request).jsonBytes
    }

    /// Reads a request from its name and its parameters. No bytes mean no parameters.
    ///
    /// Requests are read strictly: a misspelt parameter must not be taken for one that was left out.
    ///
    /// - Throws: ``ControlCodingError`` for an unknown name, and for anything but one JSON object of at most
    ///   ``requestLimit`` bytes that holds what the request needs and nothing else.
    package static func request(_ name: String, _ bytes: [UInt8]) throws(ControlCodingError) -> any AgentRequest {
        guard let type = RequestTable.type(named: name) else {
            throw ControlCodingError("The agent knows no request \"\(name.prefix(100))\".")
        }
        let body = try value(bytes.isEmpty ? Array("{}".utf8) : bytes, limit: requestLimit, what: "The request")
        guard case .object = body else { throw ControlCodingError("The request is no JSON object.") }
        return try read(type, from: body)
    }

    private static func read<Request: AgentRequest>(
        _ type: Request.Type, from body: JSONValue
    ) throws(ControlCodingError) -> any AgentRequest {
        let what = "The request \"\(type.name)\""
        if let fault = textFault(in: body) { throw ControlCodingError("\(what): \(sentence(fault)).") }
        let request = try read(type, from: body, what: what)
        // Write the request again: a member that is missing then is unknown to this version.
        let known = try json(request)
        if let fault = request.fault ?? unknownMember(in: body, beside: known) {
            throw ControlCodingError("\(what): \(sentence(fault)).")
        }
        return request
    }

    /// The first member that the other object does not have. A `null` counts as absent.
    private static func unknownMember(in body: JSONValue, beside known: JSONValue, path: String = "") -> MemberFault? {
        guard case .object(let members) = body, case .object(let knownMembers) = known else { return nil }
        for member in members where member.value != .null {
            let place = path + member.key.string
            guard let other = knownMembers.first(where: { $0.key == member.key }) else {
                return MemberFault(member: place, message: "is unknown to this version")
            }
            if let fault = unknownMember(in: member.value, beside: other.value, path: place + ".") { return fault }
        }
        return nil
    }

    /// The first text that cannot be used: it has half of a surrogate pair, or a NUL, which C code would take for the
    /// end of a path or a name.
    private static func textFault(in value: JSONValue, path: String = "") -> MemberFault? {
        switch value {
        case .string(let string):
            guard let text = String(validating: string.bytes, as: UTF8.self) else {
                return MemberFault(member: path, message: "holds half of a surrogate pair")
            }
            return text.utf8.contains(0) ? MemberFault(member: path, message: "holds a NUL") : nil
        case .array(let elements):
            return elements.lazy.compactMap { textFault(in: $0, path: path) }.first
        case .object(let members):
            let prefix = path.isEmpty ? "" : path + "."
            return members.lazy.compactMap { textFault(in: $0.value, path: prefix + $0.key.string) }.first
        default: return nil
        }
    }
}
