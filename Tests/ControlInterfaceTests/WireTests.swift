import AgentClients
import Testing

@testable import ControlInterface
@testable import HouseholdAgent

/// What a client of any make sees on the socket.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
    @Test func anAnswerIsLinesOfJSON() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted { _, replies in
                replies.yield(.event(PairingCodeMessage(code: "K", expires: 1)))
                replies.yield(.response(DeviceList(devices: [])))
            }
            try await serving(at: path, agent) { _ in
                // The server ends the connection though this side stays open.
                let answer = try await RawClient(path: path).post("pair")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.lowercased().contains("content-type: application/x-ndjson\r\n"))
                #expect(answer.contains(#"{"event":"code","code":"K","expires":1}"# + "\n"))
                #expect(answer.contains(#"{"event":"devices","devices":[]}"# + "\n"))
            }
            #expect(agent.requests.count == 1 && agent.requests.first is PairRequest)
        }
    }

    @Test(arguments: [
        (
            "POST /v2/requests/status",
            "This agent speaks version v1 of the control interface, not \\\"v2\\\"; update Hearth"
        ),
        ("POST /v1/request", "Nothing is at \\\"/v1/request\\\"; requests are sent like: POST /v1/requests/status."),
        ("GET /v1/requests/status", "Nothing is at"), ("GET /v1", "Nothing is at"),
    ])
    func anotherVersionAndOtherPathsAreRefusedInOneSentence(_ line: String, _ sentence: String) async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted()
            try await serving(at: path, agent) { _ in
                let answer = try await RawClient(path: path).exchange(
                    "\(line) HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
                #expect(answer.contains(#"{"event":"error","code":2,"message":""# + sentence), "\(answer)")
            }
            #expect(agent.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ("status", "{", "The request is no JSON: "), ("status", "\u{0}\u{1}", "The request is no JSON: "),
        ("dance", "{}", "The agent knows no request \\\"dance\\\"."),
    ])
    func garbageIsABadRequest(_ name: String, _ body: String, _ sentence: String) async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted()
            try await serving(at: path, agent) { _ in
                let answer = try await RawClient(path: path).post(name, body, headers: "connection: close\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
                #expect(answer.contains(#"{"event":"error","code":2,"message":""# + sentence), "\(answer)")
            }
            #expect(agent.requests.isEmpty)
        }
    }

    @Test func whatIsNoHTTPEndsTheConnection() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted()
            try await serving(at: path, agent) { _ in
                let answer = try await RawClient(path: path).exchange("\u{1}\u{2}garbage\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 400 "))
            }
            #expect(agent.requests.isEmpty)
        }
    }

    @Test func anOversizedBodyIsRefused() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted()
            let head = "POST /v1/requests/remove HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
            try await serving(at: path, agent) { _ in
                // Refused by its announced length, before it was sent.
                let announced = try await RawClient(path: path).exchange(head + "content-length: 99999999999\r\n\r\n")
                #expect(announced.hasPrefix("HTTP/1.1 413 "), "\(announced.prefix(200))")
                #expect(announced.contains("more than \(ControlCoding.requestLimit) bytes"))
                // Refused while it comes, because its length was not announced.
                let piece = String(repeating: " ", count: 0x10000)
                let pieces = ControlCoding.requestLimit / piece.utf8.count + 1
                let chunked = String(repeating: "10000\r\n\(piece)\r\n", count: pieces) + "0\r\n\r\n"
                let unannounced = try await RawClient(path: path).exchange(
                    head + "transfer-encoding: chunked\r\n\r\n" + chunked
                )
                #expect(unannounced.hasPrefix("HTTP/1.1 413 "), "\(unannounced.prefix(200))")
                // And the client does not even try.
                let name = String(repeating: "x", count: ControlCoding.requestLimit)
                await #expect(throws: ControlClientError.self) {
                    try await ControlClient(socketPath: path).send(RemoveRequest(profile: name))
                }
            }
            #expect(agent.requests.isEmpty)
        }
    }

    @Test func withoutAnAgentTheClientSaysSo() async throws {
        try await withFolder { folder in
            let path = folder + "/none/control.sock"
            let error = await #expect(throws: ControlClientError.self) {
                try await ControlClient(socketPath: path).send(StatusRequest())
            }
            #expect(error == .agentNotRunning(socketPath: path))
            #expect(error?.code == .agentNotRunning)
        }
    }

    @Test(arguments: [
        ("", "ended the connection"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "ended the connection"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{\"ev\r\n", "ended the connection"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}\n", "\"event\" is missing"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", "ended the connection"),
        ("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", "404"),
        ("SSH-2.0-OpenSSH\r\n", "ended the connection"),
    ])
    func aBrokenAnswerIsOneSentence(_ answer: String, _ expected: String) async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try await saying(answer, at: path) {
                let error = await #expect(throws: ControlClientError.self) {
                    try await ControlClient(socketPath: path).send(StatusRequest())
                }
                #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
                #expect(error?.code == .failed)
            }
        }
    }
}
