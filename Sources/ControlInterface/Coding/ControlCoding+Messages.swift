package import HouseholdAgent
import LosslessJSON

/// A message of the agent, as the client of a request reads it.
package enum ControlReply<Request: AgentRequest>: Sendable {
    case event(Request.Event)
    case response(Request.Response)
    case failure(AgentFailure)
}

extension ControlCoding {
    /// The most bytes of a message, without its `event` member: a document of 64 MiB, which may double when it is
    /// quoted as a JSON text, and 1 MiB for the rest.
    package static let messageLimit = 129 << 20
    /// The most bytes of a line: a message with its `event` member.
    static let lineLimit = messageLimit + 100

    /// Writes a reply as one JSON object, without a line end. A message that cannot be written, such as one with a too
    /// large document, becomes a failure that says so.
    package static func bytes(_ reply: AgentReply) -> [UInt8] {
        switch reply {
        case .event(let message), .response(let message): bytes(message)
        case .failure(let code, let message): bytes(AgentFailure(code, message))
        }
    }

    package static func bytes(_ message: some AgentMessage) -> [UInt8] {
        do throws(ControlCodingError) {
            guard case .object(let members) = try json(message) else {
                throw ControlCodingError("The message is no JSON object.")
            }
            let event = JSONMember(key: "event", value: .string(JSONString(type(of: message).event)))
            return JSONValue.object([event] + members).jsonBytes
        } catch {
            return bytes(AgentFailure(.failed, error.message))
        }
    }

    package static func bytes(_ failure: AgentFailure) -> [UInt8] {
        JSONValue.object([
            JSONMember(key: "event", value: .string("error")),
            JSONMember(key: "code", value: .number(JSONNumber(failure.code.rawValue))),
            JSONMember(key: "message", value: .string(JSONString(failure.message))),
        ]).jsonBytes
    }

    /// Reads a message about a request. Members that this version does not know are skipped.
    ///
    /// - Throws: ``ControlCodingError`` for anything but one JSON object of at most ``lineLimit`` bytes that belongs to
    ///   such a request.
    package static func reply<Request: AgentRequest>(
        _ bytes: [UInt8], to type: Request.Type
    ) throws(ControlCodingError) -> ControlReply<Request> {
        let json = try value(bytes, limit: lineLimit, what: "The agent's answer")
        let event = try read(EventName.self, from: json, what: "The agent's answer").event
        let what = "The agent's answer \"\(event.prefix(100))\""
        switch event {
        case "error": return .failure(try read(AgentFailure.self, from: json, what: what))
        case Request.Response.event: return .response(try read(Request.Response.self, from: json, what: what))
        case Request.Event.event: return .event(try read(Request.Event.self, from: json, what: what))
        default:
            throw ControlCodingError(
                "The agent answered \"\(event.prefix(100))\", which this version does not expect; is the agent newer?"
            )
        }
    }

    private struct EventName: Decodable { var event: String }
}
