package import MergeCore

/// A request of a person or program to the agent. Its members are the parameters; the agent answers with a
/// ``Response`` or a failure.
///
/// A new request is a type of its own in this folder, one line in ``RequestTable``, and the code that sends it. Its
/// members decide how it is written on the control socket: a member that is added later must be optional, so that
/// requests of earlier clients can still be read.
package protocol AgentRequest: Codable, Hashable, Sendable {
    associatedtype Response: AgentMessage
    /// The events that the agent sends while the request stays open.
    associatedtype Event: AgentMessage = Never

    /// The name at the control interface. Each request has another one.
    static var name: String { get }
    /// Whether the request needs a running agent: it needs other devices, or stays open while a game runs. Other
    /// requests can be answered from the record when no agent runs.
    static var needsRunningAgent: Bool { get }
    /// Whether the games' last saves have to be read first: the request changes the data of every device, or asks what
    /// would change.
    static var needsSettledFiles: Bool { get }

    /// The first parameter that is wrong though it is of the right type; `nil` where all are right.
    var fault: MemberFault? { get }

    /// The path of a save that is kept from now on by the request; `nil` where it keeps none, or where the player wants that
    /// even in a folder that another tool syncs.
    var keptPath: String? { get }

    /// Carries the request out, or begins to: the agent answers the call now or later.
    func run<Files, Store>(_ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment)
}

extension AgentRequest {
    package static var needsRunningAgent: Bool { false }
    package static var needsSettledFiles: Bool { false }
    package var fault: MemberFault? { nil }
    package var keptPath: String? { nil }
}

/// A parameter of a request that cannot be used.
package struct MemberFault: Error, Hashable, Sendable {
    /// The parameter's name.
    package var member: String
    /// What is wrong, to be read after the name: "is no absolute path".
    package var message: String

    package init(member: String, message: String) { (self.member, self.message) = (member, message) }

    /// The path must be absolute: a relative one would name another file for the agent than for its client.
    package static func unlessAbsolute(_ path: String, _ member: String) -> MemberFault? {
        path.hasPrefix("/") ? nil : MemberFault(member: member, message: "is no absolute path")
    }
}

/// The id of an open request, until its last reply.
package struct RequestID: RawRepresentable, Codable, Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// An open request: its id, together with its type, so that it can only be answered with the right type.
package struct Call<Request: AgentRequest>: Hashable, Sendable {
    package let id: RequestID
    package init(_ id: RequestID) { self.id = id }
}

/// The kind of failure of a request; the raw values are the command's exit codes.
package enum FailureCode: Int, Codable, Sendable {
    case failed = 1
    case usage = 2
    /// The player has to choose first (one of two profiles of one name, or a device).
    case needsDecision = 3
    case agentNotRunning = 4
    /// A newer version of Hearth is needed.
    case tooOld = 5

    /// Reads a code. A code that only a newer agent knows is a plain failure here.
    package init(from decoder: any Decoder) throws {
        self = FailureCode(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .failed
    }
}

/// The agent's reason for not doing what a request asked for.
package struct AgentFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    package var code: FailureCode
    /// One sentence: what failed and what to do.
    package var message: String

    package init(_ code: FailureCode, _ message: String) { (self.code, self.message) = (code, message) }

    package var description: String { message }

    /// The remedy in the message, as a text of its own for programs, such as `to forget it on every machine: hearth forget game`:
    /// what follows the first semicolon behind which a command stands, so all of several remedies; else `nil`.
    package var hint: String? {
        let parts = message.split(separator: "; ")
        guard let last = parts.last, last.contains("hearth "),
            let first = parts.dropFirst().firstIndex(where: { $0.contains("hearth ") })
        else { return nil }
        return parts[first...].joined(separator: "; ")
    }
}

/// A message of the agent to the client of a request: events first, then a response or a failure, which ends the
/// request.
package enum AgentReply: Sendable {
    case event(any AgentMessage)
    case response(any AgentMessage)
    case failure(FailureCode, String)

    package var isFinal: Bool { if case .event = self { false } else { true } }

    package func message<Message: AgentMessage>(_ type: Message.Type) -> Message? {
        switch self {
        case .event(let message), .response(let message): message as? Message
        case .failure: nil
        }
    }
}
