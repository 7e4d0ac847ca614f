import HouseholdAgent
import LosslessJSON

/// A whole answer.
struct WebAnswer: Sendable {
    var status: Int
    var type: String
    var body: [UInt8]
    /// Headers of this answer alone.
    var headers: [(name: String, value: String)] = []

    init(_ status: Int = 200, _ type: String, _ body: [UInt8]) {
        (self.status, self.type, self.body) = (status, type, body)
    }

    static func json(_ bytes: [UInt8]) -> WebAnswer { WebAnswer(200, JSONType.whole, bytes) }

    static func text(_ text: String) -> WebAnswer { WebAnswer(200, "text/plain; charset=utf-8", Array(text.utf8)) }

    init(_ refusal: Refusal) {
        let failure = AgentFailure(.usage, refusal.message)
        self.init(refusal.status, JSONType.whole, failure.json)
    }

    init(_ failure: AgentFailure) { self.init(failure.status, JSONType.whole, failure.json) }
}

/// The content types of JSON.
enum JSONType {
    /// One value.
    static let whole = "application/json"
    /// Lines with one object each (newline-delimited JSON).
    static let lines = "application/x-ndjson"
}

extension AgentFailure {
    /// `{"error":{"code":1,"message":"…","hint":"…"}}`, as commands print it with `--json`.
    var json: [UInt8] {
        var members = [
            JSONMember(key: "code", value: .number(JSONNumber(code.rawValue))),
            JSONMember(key: "message", value: .string(JSONString(message))),
        ]
        if let hint { members.append(JSONMember(key: "hint", value: .string(JSONString(hint)))) }
        return JSONValue.object([JSONMember(key: "error", value: .object(members))]).jsonBytes
    }

    /// The HTTP status of an answer that is a failure.
    var status: Int {
        switch code {
        case .usage: 400
        case .needsDecision, .tooOld: 409
        case .agentNotRunning: 503
        case .failed: 422
        }
    }
}
