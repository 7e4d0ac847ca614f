import LosslessJSON
import MergeCore
import TestSupport
import Testing

@testable import HTTPInterface
@testable import HouseholdAgent

/// The OpenAPI document is held against the running server: every path answers, and every answer has the shape that the
/// document gives it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DescriptionTests {
    @Test func everyRequestOfTheTableIsDescribed() throws {
        let document = try JSONValue(parsing: APIDescription.json())
        for type in RequestTable.all {
            let path = document["paths"]?[JSONString("/api/v1/requests/" + type.name)]
            #expect(path?["post"]?["operationId"] == .string(JSONString(type.name)), "\(type.name)")
        }
        #expect(document["openapi"] == "3.1.0")
    }

    /// Some value of each type of request is written and read again, so the described members are those that are read.
    @Test func whatIsDescribedCanBeSent() throws {
        for type in RequestTable.all { try check(type) }
    }

    /// The document shows how rules are written, and they are read as shown.
    @Test func rulesAreTakenAsTheDocumentShowsThem() throws {
        let rules = try RuleSet(json: try JSONValue(parsing: Array(KnownSchemas.rules.utf8)))
        #expect(rules.entries.map(\.pattern.description) == ["/coins", "/best"])
        let text = String(decoding: try APIDescription.json(), as: UTF8.self)
        #expect(text.contains("holds rules as JSON, and not as YAML"))
    }

    private func check<Request: AgentRequest>(_ type: Request.Type) throws {
        let (schema, value) = try SchemaReader.read(type)
        let json = try JSONValue(parsing: Array(try Coding.bytes(value)))
        #expect(ShapeCheck.fault(json, schema.json) == nil, "\(type)")
    }

    @Test func everyPathAnswersInTheDescribedShape() async throws {
        // The agent answers each request with some value of its response, after one of its events.
        let agent = Scripted { request, replies in Self.answer(request, replies) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let reply = try await exchange(port, Text.get("/api/v1/openapi.json", port))
            #expect(reply.status == 200 && reply.headers["content-type"] == "application/json")
            let document = try JSONValue(parsing: Array(reply.body.utf8))
            let listed = try #require(document["paths"])
            guard case .object(let paths) = listed else { throw Failure("no paths: \(listed)") }
            var asked = 0
            for path in paths where path.key.string.contains("/requests/") {
                try await check(path, served, port)
                asked += 1
            }
            #expect(asked == RequestTable.all.count)
            for path in paths { try await checkAccess(to: path, port) }
            for path in ["/healthz", "/metrics"] {
                let reply = try await exchange(port, Text.get(path, port, Text.bearer(try served.token())))
                #expect(reply.status == 200 && reply.headers["content-type"]?.hasPrefix("text/plain") == true)
            }
        }
    }

    /// What is described as open answers whoever asks, and nothing else does.
    private func checkAccess(to path: JSONMember, _ port: Int) async throws {
        let name = path.key.string
        let isRead = path.value["get"] != nil
        let operation = path.value["get"] ?? path.value["post"]
        let text = isRead ? Text.get(name, port) : Text.post(String(name.dropFirst("/api/v1/".count)), "{}", port)
        let status = try await exchange(port, text).status
        if operation?["security"] == .array([]) {
            // A session asks for a code, and for no key.
            #expect(status == (name.hasSuffix("/session") ? 403 : 200), "\(name)")
        } else {
            #expect(status == 401, "\(name)")
        }
    }

    private func check(_ path: JSONMember, _ served: Served, _ port: Int) async throws {
        let operation = path.value["post"]
        let name = try #require(path.key.string.split(separator: "/").last)
        let type = try #require(RequestTable.type(named: String(name)))
        let reply = try await ask(served, port, String(name), String(decoding: try Self.sample(type), as: UTF8.self))
        #expect(reply.status == 200, "\(name): \(reply.body)")
        let kind = try #require(reply.headers["content-type"])
        let schema = try #require(operation?["responses"]?["200"]?["content"]?[JSONString(kind)]?["schema"], "\(name)")
        let lines = reply.body.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let json = try JSONValue(parsing: Array(line.utf8))
            #expect(ShapeCheck.fault(json, schema) == nil, "\(name): \(line)")
        }
        // A member that no such request has is refused, and so is the shape of that.
        let refused = try await ask(served, port, String(name), #"{"surely not":1}"#)
        let error = try JSONValue(parsing: Array(refused.body.utf8))
        #expect(refused.status == 400)
        #expect(ShapeCheck.fault(error, document(error: operation)) == nil)
    }

    private func document(error operation: JSONValue?) -> JSONValue { MessageSchema.failure.json }

    private static func sample<Request: AgentRequest>(_ type: Request.Type) throws -> [UInt8] {
        try Coding.bytes(try Coding.valid(SchemaReader.read(type).value))
    }

    private static func answer(_ request: any AgentRequest, _ replies: AsyncStream<AgentReply>.Continuation) {
        func answer<Request: AgentRequest>(_ request: Request) throws {
            if Request.Event.self != Never.self, !(Request.self == SubscribeRequest.self) {
                replies.yield(.event(try SchemaReader.read(Request.Event.self).value))
            }
            if Request.self == SubscribeRequest.self { replies.yield(.event(SubscriptionEvent.changed)) }
            replies.yield(.response(try SchemaReader.read(Request.Response.self).value))
        }
        do { try answer(request) } catch { replies.yield(.failure(.failed, "\(error)")) }
    }

    /// What to do is a member of its own, for programs, where the message ends with a command.
    @Test(arguments: [
        (
            "game has no file on this device; to forget it on every device: hearth forget game",
            "to forget it on every device: hearth forget game"
        ),
        (
            "two saves are called game; for the one: hearth restore 1 --to x; for the other: hearth restore 2 --to x",
            "for the one: hearth restore 1 --to x; for the other: hearth restore 2 --to x"
        ),
        ("nothing is there; look again", nil), ("hearth is busy", nil), ("hearth is busy; look again", nil),
    ]) func aFailureSaysWhatToDo(message: String, hint: String?) async throws {
        let agent = Scripted { _, replies in replies.yield(.failure(.failed, message)) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let error = try JSONValue(parsing: Array(try await ask(served, port, "devices", "{}").body.utf8))
            #expect(ShapeCheck.fault(error, MessageSchema.failure.json) == nil)
            #expect(error["error"]?["hint"] == hint.map { .string(JSONString($0)) })
        }
    }

    /// The shape check itself notices what it is for.
    @Test func aShapeThatIsWrongIsNoticed() throws {
        let schema = try MessageSchema.message(PairedDevice.self).json
        func fault(_ text: String) throws -> String? {
            ShapeCheck.fault(try JSONValue(parsing: Array(text.utf8)), schema)
        }
        let device = #"{"id":"d","name":"n","isThisDevice":false,"connected":true"#
        #expect(try fault(#"{"event":"paired","device":\#(device)}}"#) == nil)
        #expect(try fault(#"{"event":"paired"}"#) != nil)
        #expect(try fault(#"{"event":"removed","device":\#(device)}}"#) != nil)
        #expect(try fault(#"{"event":"paired","device":\#(device),"more":1}}"#) != nil)
        #expect(
            try fault(#"{"event":"paired","device":{"id":1,"name":"n","isThisDevice":false,"connected":true}}"#) != nil)
    }
}
