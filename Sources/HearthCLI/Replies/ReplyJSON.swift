import ControlInterface
import HouseholdAgent
import LosslessJSON

/// The output of `--json`: the objects of the control interface, and some of the command's own.
enum ReplyJSON {
    static func line(_ message: some AgentMessage) -> [UInt8] { ControlCoding.bytes(message) + [UInt8(ascii: "\n")] }

    static func line(_ failure: AgentFailure) -> [UInt8] { ControlCoding.bytes(failure) + [UInt8(ascii: "\n")] }

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
