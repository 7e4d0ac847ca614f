import HouseholdAgent
import LosslessJSON

/// A session that has begun. The cookie comes with it; this is the half that the page keeps.
struct OpenedSession: AgentMessage, Hashable {
    static let event = "session"

    var proof: String
}

extension Keys {
    /// The most bytes of a request that begins a session. Whoever sends it has shown no key yet.
    static let bodyLimit = 1_024

    /// The code in the body of a request that begins a session.
    ///
    /// - Throws: ``Refusal`` for anything but an object with a code.
    static func code(in body: [UInt8]) throws(Refusal) -> String {
        guard let document = try? JSONDocument(parsing: body, limits: JSONLimits(bytes: bodyLimit)),
            case .string(let code)? = document.value(document.root)["code"]
        else { throw Refusal(400, "A session begins with the code of a link, as {\"code\": \"…\"}.") }
        return code.string
    }
}
