import LosslessJSON
import TestSupport
import Testing

@testable import HTTPInterface
@testable import HouseholdAgent

/// Names that somebody chose to do harm: of a device, a save, an unlock, a rule, a field. They come out as the text that
/// they are, in answers and in the event stream, and reach the agent as they are.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileNamesTests {
    static let names = [
        "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</script><script>alert(1)</script>",
        "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "javascript:alert(1)", "<iframe srcdoc='<b>'>",
        "<!--", "]]>", "&lt;b&gt;", "&#60;b&#62;", "{{constructor.constructor('alert(1)')()}}", "${alert(1)}",
        "\\u003cb\\u003e", "a\nid: t-99", "a\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello", "a\n\ndata: {}\n\n",
        "\u{2028}\u{2029}",
        "\u{202E}gnp.exe", "\u{200B}\u{FEFF}", "../../../../etc/passwd", "/proc/self/environ", "C:\\con\\nul",
        "%2e%2e%2f",
        "__proto__", "constructor", "'; DROP TABLE saves; --", "$(reboot)", "`reboot`",
        String(repeating: "\u{1F468}\u{200D}", count: 200), String(repeating: "A", count: 10_000),
        "e\u{301}\u{301}\u{301}",
    ]

    /// An answer that has the name in every place that somebody else can choose.
    private static func status(_ name: String) -> StatusReport {
        let device = DeviceReport(
            id: "d1", name: name, isThisDevice: false, connected: false, address: name, reason: name, pairedAs: name)
        let profile = ProfileReport(
            id: "p1", name: name, file: "/" + name, state: "good", reason: name, remark: name, unreadable: [name],
            pending: false, held: name, lastSync: 1, ruleFindings: [name], decisions: [name], behind: [name])
        return StatusReport(
            device: device, port: 1, discovery: name, household: [device], profiles: [profile], troubles: [name])
    }

    @Test(arguments: names) func itComesOutAsText(_ name: String) async throws {
        let agent = Scripted { request, replies in
            guard request is FollowRequest else { return _ = replies.yield(.response(Self.status(name))) }
            replies.yield(.event(FollowReport(status: Self.status(name), moved: [name])))
        }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, "status")
            #expect(reply.headers["content-type"] == "application/json")
            #expect(reply.headers["x-content-type-options"] == "nosniff")
            let json = try JSONValue(parsing: Array(reply.body.utf8))
            #expect(json["household"]?.first?["name"] == .string(JSONString(name)))
            #expect(json["profiles"]?.first?["decisions"]?.first == .string(JSONString(name)))
            // One event is one line of data, whatever is in it.
            let wire = try Wire(port)
            wire.write(Text.get("/api/v1/events", port, Text.bearer(try served.token())))
            let text = try await blocking { wire.read(until: "]}}\n\n") }
            let event = try #require(try? WireReply(text))
            let lines = event.body.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count { $0.hasPrefix("data: ") } == 1 && lines.count { $0.hasPrefix("id: ") } == 1)
            let data = try #require(lines.first { $0.hasPrefix("data: ") }).dropFirst(6)
            let told = try JSONValue(parsing: Array(data.utf8))
            #expect(told["status"]?["profiles"]?.first?["name"] == .string(JSONString(name)))
        }
    }

    @Test(arguments: names) func itReachesTheAgentAsItIs(_ name: String) async throws {
        let agent = Scripted { _, replies in replies.yield(.failure(.failed, "no save is called \(name) here")) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let request = UndoRequest(profile: name, step: 1)
            let reply = try await ask(
                served, port, "undo", String(decoding: try Coding.bytes(request), as: UTF8.self))
            #expect(reply.status == 422)
            let error = try JSONValue(parsing: Array(reply.body.utf8))["error"]
            #expect(error?["message"] == .string(JSONString("no save is called \(name) here")))
            #expect(agent.requests.first as? UndoRequest == request)
        }
    }

    /// As the name of a request or a file it names nothing, and is no header of the answer.
    @Test(arguments: names.filter { !$0.contains("\r") && !$0.contains("\n") })
    func asAPathItIsNothing(_ name: String) async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let encoded = name.utf8.map { byte in
                let digits = String(byte, radix: 16)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
            for path in ["/\(encoded)", "/api/v1/requests/\(encoded)"] {
                let reply = try await exchange(port, Text.get(path, port, Text.bearer(try served.token())))
                #expect([400, 404, 405].contains(reply.status), "\(reply.status)")
                // A request whose head is too long is refused before anybody reads what it is about.
                let isRead = encoded.utf8.count < 4_096
                #expect(!isRead || reply.headers["content-type"] == "application/json")
            }
        }
        #expect(agent.requests.isEmpty)
    }
}

extension JSONValue {
    fileprivate var first: JSONValue? {
        guard case .array(let elements) = self else { return nil }
        return elements.first
    }
}
