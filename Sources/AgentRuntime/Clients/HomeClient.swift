import AgentClients
import ControlInterface
import DiskStore
package import HouseholdAgent
import LANTransport
import MergeCore
import ProfileKeeping

/// The way from a command to an installation: through the running agent or, where none runs, directly to the record.
package struct HomeClient: AgentClient {
    private let home: HearthHome

    package init(home: HearthHome) { self.home = home }

    /// Sends a request. Where no agent runs, it is done at once if it needs no other device.
    ///
    /// - Throws: ``AgentFailure``, with ``FailureCode/agentNotRunning`` for a request that needs a running agent;
    ///   ``SilentAgent`` where the agent answers nothing at all any more.
    package func send<Request: AgentRequest>(
        _ request: Request, onEvent: @escaping @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response {
        let client = ControlClient(socketPath: home.socketHere)
        return try await answer(to: request, onEvent: onEvent) {
            try await watched { try await client.send(request, onEvent: onEvent) }
        }
    }

    /// Asks the running agent or, where none runs, does the request at once.
    private func answer<Request: AgentRequest>(
        to request: Request, onEvent: @Sendable (Request.Event) async throws -> Void = { _ in },
        ask: () async throws -> Request.Response
    ) async throws -> Request.Response {
        let end = ContinuousClock.now + Self.startTime
        do {
            return try await onceStarted(until: end, ask)
        } catch let error as ControlClientError {
            guard case .agentNotRunning = error else { throw error }
        }
        guard !Request.needsRunningAgent else {
            throw AgentFailure(.agentNotRunning, "no agent runs for \(home.path); start one with 'hearth agent'")
        }
        try HomeFolder.create(home.path)
        let lock: HomeLock
        do {
            lock = try await HomeLock.take(home.path, as: .command)
        } catch let fault as StorageFault where HomeLock.holder(of: home.path) == .agent {
            // One has started meanwhile. Where it has its socket elsewhere, it cannot be asked.
            do { return try await onceStarted(until: end, ask) } catch is ControlClientError { throw fault }
        }
        return try await alone(request, lock, onEvent: onEvent)
    }

    /// How long an agent may take to have its socket, once it has the home.
    private static let startTime = Duration.seconds(5)

    /// Asks an agent. One that is just starting has the home, and no socket yet: it is asked again until it has one.
    private func onceStarted<Answer>(
        until end: ContinuousClock.Instant, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        while true {
            do {
                return try await ask()
            } catch let error as ControlClientError {
                guard case .agentNotRunning = error, HomeLock.holder(of: home.path) == .agent, .now < end else {
                    throw error
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// The time after a request, and after each sign of life, until the agent is asked for the next one.
    private static let watchInterval = Duration.seconds(5)
    /// The time that a sign of life may take. Many saves at once may keep an agent busy.
    private static let watchPatience = Duration.seconds(25)

    /// Waits for an answer however long it takes, as long as the agent answers another question meanwhile.
    private func watched<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let client = ControlClient(socketPath: home.socketHere)
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await ask() }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: Self.watchInterval)
                    let isThere = await Limited.run(Self.watchPatience) { () async -> Bool in
                        // An error of this question says nothing of the request, which ends by itself.
                        (try? await client.send(DevicesRequest())) != nil || !Task.isCancelled
                    }
                    if isThere == nil { throw SilentAgent(process: HomeLock.owner(of: home.path)) }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() { if let answer { return answer } }
            throw CancellationError()
        }
    }

    /// A running agent has not answered in time. It may be busy, or it hangs.
    package struct SilentAgent: Error, Hashable, Sendable, CustomStringConvertible {
        /// The agent's process, as people write it: `pid 4711`.
        package let process: String

        package var description: String { "the agent (\(process)) runs, but does not answer" }
    }

    /// Sends a request, and waits no longer for the answer of a running agent than it may take. Where none runs, it is
    /// done at once, however long that takes.
    ///
    /// - Throws: ``SilentAgent`` where the agent does not answer in time; else as ``send(_:onEvent:)``.
    package func send<Request: AgentRequest>(
        _ request: Request, within patience: Duration
    ) async throws -> Request.Response {
        let client = ControlClient(socketPath: home.socketHere)
        return try await answer(to: request) {
            let response = try await Limited.run(patience) { () async throws -> Request.Response in
                try await client.send(request)
            }
            guard let response else { throw SilentAgent(process: HomeLock.owner(of: home.path)) }
            return response
        }
    }

    /// The exit code of a command for this error.
    package static func failureCode(of error: any Error) -> FailureCode {
        (error as? StorageFault)?.reason == .tooNew ? .tooOld : .failed
    }

    /// How long an answer may take without an agent.
    private static let patience = Duration.seconds(10)

    private func alone<Request: AgentRequest>(
        _ request: Request, _ lock: HomeLock, onEvent: @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response {
        defer { withExtendedLifetime(lock) {} }
        let credentials = try DeviceCredentials.loadOrCreate(in: home.path)
        let opened = try OpenedRecord(home: home.path)
        defer { RecordIncarnation.close(opened.record, home: home.path) }
        var machine = try AgentHost.machine(AgentConfiguration(home: home), credentials, opened)
        let id = RequestID(rawValue: 0)
        _ = machine.handle(.started(port: nil), now: .now)
        if Request.needsSettledFiles { try await Self.settle(&machine) }
        var actions = machine.handle(.request(id, request), now: .now)
        // Some answers take a moment: a file has to settle first.
        var end = MonotonicTime.now + Self.patience
        while true {
            for case .reply(id, let reply) in actions {
                if let event = reply.message(Request.Event.self) {
                    end = .now + Self.patience
                    try await onEvent(event)
                }
                if case .failure(let code, let sentence) = reply { throw AgentFailure(code, sentence) }
                if let response = reply.message(Request.Response.self) { return response }
            }
            let now = MonotonicTime.now
            guard let deadline = machine.deadline, now < end else { break }
            try await Task.sleep(for: max(.milliseconds(1), min(deadline, end) - now))
            actions = machine.handle(.timer, now: .now)
        }
        throw AgentFailure(.failed, "this could not be answered without an agent; start one with 'hearth agent'")
    }

    /// Lets the files settle, so that what a game saved last is taken up first, and what is done then reaches them.
    private static func settle(_ machine: inout HouseholdAgent<DiskFiles, SQLiteRecord>) async throws {
        let end = MonotonicTime.now + .seconds(1)
        for _ in 0..<100 {
            let now = MonotonicTime.now
            guard let next = machine.deadline, next <= end else { return }
            try await Task.sleep(for: max(.milliseconds(1), next - now))
            _ = machine.handle(.timer, now: .now)
        }
    }
}
