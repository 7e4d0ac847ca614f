import ControlInterface
import HouseholdAgent
import LosslessJSON

/// The OpenAPI document (3.1) of the interface. It is made from the types of the requests and of their answers, by the
/// same table that the agent reads requests with.
enum APIDescription {
    static func json() throws -> [UInt8] {
        var paths: [JSONMember] = []
        for type in RequestTable.all.sorted(by: { $0.name < $1.name }) {
            paths.append(JSONMember(key: JSONString(Route.base + "requests/" + type.name), value: try request(type)))
        }
        paths += try others()
        let document: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Hearth", "version": .string(JSONString("\(ControlCoding.version)")),
                "description":
                    "The agent of this machine. What each request means is said by 'hearth COMMAND --help'; its type has the same name in Sources/HouseholdAgent/Requests. Times are milliseconds since 1970, values of a save are JSON text, and absent members have no value.",
            ],
            "security": [["token": []], ["cookie": [], "proof": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "cookie": ["type": "apiKey", "in": "cookie", "name": "hearth-PORT"],
                    "proof": ["type": "apiKey", "in": "header", "name": "x-hearth-proof"],
                ],
                "schemas": ["error": MessageSchema.failure.json],
            ],
        ]
        return document.jsonBytes
    }

    private static func request<Request: AgentRequest>(_ type: Request.Type) throws -> JSONValue {
        let streams = MessageSchema.streams(type)
        let body: JSONValue = ["required": true, "content": content(try MessageSchema.parameters(of: type).json)]
        let answer = content(
            try MessageSchema.answer(to: type).json, as: streams ? JSONType.lines : JSONType.whole)
        return ["post": operation(Request.name, answer, body: body)]
    }

    /// What is there beside the requests.
    private static func others() throws -> [JSONMember] {
        let code = Schema.object([Schema.Property(name: "code", schema: .text, isRequired: true)])
        let session = content(try MessageSchema.message(OpenedSession.self).json)
        let file: JSONValue = ["required": true, "content": content(FileWithPassphrase.schema.json)]
        let sealed = content(try MessageSchema.message(SealedFile.self).json)
        let unsealed = content(try MessageSchema.message(UnsealedFile.self).json)
        let text: JSONValue = ["type": "string"]
        let event: JSONValue = ["name": "last-event-id", "in": "header", "schema": text]
        return [
            JSONMember(
                key: JSONString(Route.base + "session"),
                value: [
                    "post": operation(
                        "openSession", session, body: ["required": true, "content": content(code.json)], isOpen: true)
                ]
            ),
            JSONMember(key: JSONString(Route.base + "seal"), value: ["post": operation("seal", sealed, body: file)]),
            JSONMember(
                key: JSONString(Route.base + "unseal"), value: ["post": operation("unseal", unsealed, body: file)]),
            JSONMember(
                key: JSONString(Route.base + "events"),
                value: [
                    "get": operation(
                        "events", content(text, as: "text/event-stream"), parameters: [event], saying: Self.events)
                ]),
            JSONMember(
                key: JSONString(Route.base + "openapi.json"),
                value: ["get": operation("describe", content(["type": "object"]), isOpen: true)]),
            JSONMember(
                key: "/healthz",
                value: [
                    "get": operation(
                        "health", content(text, as: "text/plain"), isOpen: true,
                        saying:
                            "'ok' while the server answers. It asks nothing of the agent, since nobody has to show a key."
                    )
                ]),
            JSONMember(key: "/metrics", value: ["get": operation("metrics", content(text, as: "text/plain"))]),
        ]
    }

    private static let events =
        "Server-sent events. The data of each is the object 'changed' of the request 'follow', whose schema is there: how "
        + "everything is, and the ids of the saves that hold something else than before. The id of the last event goes back in "
        + "'last-event-id', and the stream goes on behind it. Its event is 'changed', or 'reset' where what the client has "
        + "missed is gone, so that all saves may hold something else."

    /// - Parameters:
    ///   - isOpen: Whether a client has to show no key.
    ///   - words: What the operation means, where its name and its types do not say it.
    private static func operation(
        _ name: String, _ answer: JSONValue, body: JSONValue? = nil, parameters: [JSONValue] = [], isOpen: Bool = false,
        saying words: String? = nil
    ) -> JSONValue {
        var members = [JSONMember(key: "operationId", value: .string(JSONString(name)))]
        if let words { members.append(JSONMember(key: "description", value: .string(JSONString(words)))) }
        if isOpen { members.append(JSONMember(key: "security", value: .array([]))) }
        if !parameters.isEmpty { members.append(JSONMember(key: "parameters", value: .array(parameters))) }
        if let body { members.append(JSONMember(key: "requestBody", value: body)) }
        let failure: JSONValue = ["$ref": "#/components/schemas/error"]
        let responses: JSONValue = [
            "200": ["description": "done", "content": answer],
            "default": ["description": "not done, and why", "content": content(failure)],
        ]
        return .object(members + [JSONMember(key: "responses", value: responses)])
    }

    private static func content(_ schema: JSONValue, as type: String = JSONType.whole) -> JSONValue {
        .object([JSONMember(key: JSONString(type), value: ["schema": schema])])
    }
}
