import LosslessJSON
import TestSupport
import Testing

@testable import HTTPInterface
@testable import HouseholdAgent

/// The stream of changes over a real connection.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EventStreamTests {
    private static func report(_ name: String) -> FollowReport {
        let device = DeviceReport(id: "d1", name: name, isThisDevice: true, connected: true)
        let status = StatusReport(
            device: device, port: 1, discovery: "off", household: [], profiles: [], troubles: [])
        return FollowReport(status: status, moved: [])
    }

    /// An agent that is followed, and what gives it something to tell.
    private func following() -> (agent: Scripted, follower: AsyncStream<AsyncStream<AgentReply>.Continuation>) {
        let (stream, opened) = AsyncStream<AsyncStream<AgentReply>.Continuation>.makeStream()
        let agent = Scripted { request, replies in
            guard request is FollowRequest else { return }
            replies.yield(.event(Self.report("first")))
            opened.yield(replies)
        }
        return (agent, stream)
    }

    @Test func changesComeAsTheyHappenAndGoOnWhereTheClientWas() async throws {
        let (agent, followers) = following()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let token = Text.bearer(try served.token())
            // While one client stays, the agent is followed.
            let other = try Wire(port)
            other.write(Text.get("/api/v1/events", port, token))
            _ = try await blocking { other.read(until: "first") }
            let wire = try Wire(port)
            wire.write(Text.get("/api/v1/events", port, token))
            let start = try await blocking { wire.read(until: "first") }
            #expect(start.lowercased().contains("content-type: text/event-stream\r\n"))
            let follower = await followers.first { _ in true }
            follower?.yield(.event(Self.report("second")))
            // "\r\n" is one character, and each chunk begins after one.
            let second = try await blocking { wire.read(until: "second").replacing("\r\n", with: "\n") }
            let id = try #require(second.split(separator: "\n").first { $0.hasPrefix("id: ") }?.dropFirst(4))
            wire.end()
            follower?.yield(.event(Self.report("third")))
            follower?.yield(.event(Self.report("fourth")))
            // The client was away for two changes, and gets both.
            let back = try Wire(port)
            back.write(Text.get("/api/v1/events", port, token + "last-event-id: \(id.filter { $0 != "\r" })\r\n"))
            let missed = try await blocking { back.read(until: "fourth") }
            #expect(missed.contains("third") && !missed.contains("second") && !missed.contains("event: reset"))
            // One from another life begins again.
            let lost = try Wire(port)
            lost.write(Text.get("/api/v1/events", port, token + "last-event-id: 12345678-2\r\n"))
            let all = try await blocking { lost.read(until: "fourth") }
            #expect(all.contains("event: reset") && !all.contains("third"))
            // All clients together follow the agent once.
            #expect(agent.requests.count == 1)
        }
    }

    @Test func nobodyIsFollowedWithoutAClient() async throws {
        let (agent, _) = following()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            #expect(try await exchange(port, Text.get("/", port)).status == 200)
            #expect(try await exchange(port, Text.get("/api/v1/events", port)).status == 401)
        }
        #expect(agent.requests.isEmpty)
    }

    @Test func tooManyClientsAreRefused() async throws {
        let (agent, _) = following()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let text = Text.get("/api/v1/events", port, Text.bearer(try served.token()))
            var wires: [Wire] = []
            for _ in 0..<EventFeed.clientLimit {
                let wire = try Wire(port)
                wire.write(text)
                _ = try await blocking { wire.read(until: "first") }
                wires.append(wire)
            }
            #expect(try await exchange(port, text).status == 503)
            #expect(wires.count == EventFeed.clientLimit)
        }
    }
}
