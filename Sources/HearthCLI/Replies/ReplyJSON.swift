import ControlInterface
import HouseholdAgent
import LosslessJSON

/// The output of `--json`: the objects of the control interface, and some of the command's own.
enum ReplyJSON {
    static func line(_ message: some AgentMessage) -> [UInt8] { ControlCoding.bytes(message) + [UInt8(ascii: "\n")] }

    /// A failure as one line, the same for every verb: `{"error":{"code":1,"message":"…","hint":"…"}}`.
    ///
    /// - Parameters:
    ///   - code: The exit code.
    ///   - message: What is wrong, and where.
    ///   - hint: What to do, where there is something; else the member is left out.
    static func error(code: Int32, message: String, hint: String?) -> [UInt8] {
        var members = [
            JSONMember(key: "code", value: .number(JSONNumber(Int(code)))),
            JSONMember(key: "message", value: .text(message)),
        ]
        if let hint { members.append(JSONMember(key: "hint", value: .text(hint))) }
        return JSONValue.object([JSONMember(key: "error", value: .object(members))]).jsonBytes + [UInt8(ascii: "\n")]
    }

    /// An event of the command itself as one line; members that are `nil` are left out.
    static func line(event: String, _ members: KeyValuePairs<JSONString, JSONValue?> = [:]) -> [UInt8] {
        let all =
            [JSONMember(key: "event", value: .string(JSONString(event)))]
            + members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } }
        return JSONValue.object(all).jsonBytes + [UInt8(ascii: "\n")]
    }
}

extension JSONValue {
    static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }
}
