package import HouseholdAgent
import ControlPage
import DiskStore
import LANTransport
import MergeCore
import ProfileKeeping

/// The way from a command to an installation: through the running agent, or, where none runs, straight to the record.
package enum HearthDoor {
    /// Asks, hands every reply on as it comes, and returns the last.
    ///
    /// Without an agent, what needs nobody else is done at once (`add`, `restore` of a profile that is known here,
    /// `remove`, `status`, `devices`, `show`); the rest fails with ``FailureCode/agentNotRunning``.
    package static func ask(
        _ request: AgentRequest, home: HearthHome, each: (AgentReply) async throws -> Void = { _ in }
    ) async throws -> AgentReply {
        do {
            return try await ControlClient(socketPath: home.socketHere).send(request, each: each)
        } catch ControlClientError.agentNotRunning {
            let reply = try await alone(request, home)
            try await each(reply)
            return reply
        }
    }

    /// How a command should say that it failed.
    package static func failureCode(of error: any Error) -> FailureCode {
        (error as? StorageFault)?.reason == .tooNew ? .tooOld : .failed
    }

    /// Milliseconds an answer may take without an agent.
    private static let patience: Int64 = 10_000

    private static func alone(_ request: AgentRequest, _ home: HearthHome) async throws -> AgentReply {
        switch request {
        case .add, .restore, .move, .remove, .forget, .status, .devices, .show, .reset, .explain, .conflicts, .resolve,
            .backups, .restoreBackup, .pinBackup, .pause, .resume, .export, .importTransfer,
            .importDocument, .history, .undo, .accept, .keep, .preview, .summary, .migrate:
            break
        case .pair, .join, .unpair, .sync, .play, .endPlay, .attach, .bring, .taken:
            return .failure(.agentNotRunning, "no agent runs for \(home.path); start one with 'hearth agent'")
        }
        try HomeFolder.create(home.path)
        let lock = try HomeLock(home: home.path)
        defer { withExtendedLifetime(lock) {} }
        let credentials = try DeviceCredentials.loadOrCreate(in: home.path)
        defer { RecordIncarnation.end(home: home.path) }
        var machine = try AgentHost.machine(AgentConfiguration(home: home), credentials)
        var clock = SteadyClock()
        let id = RequestID(rawValue: 0)
        _ = machine.handle(.started(port: nil), now: clock.now())
        if request.needsSettledFiles { try await settle(&machine, &clock) }
        var actions = machine.handle(.request(id, request), now: clock.now())
        // Some answers take a moment: a file has to settle first.
        let end = clock.now() + patience
        while true {
            for case .reply(id, let reply) in actions { return reply }
            let now = clock.now()
            guard let deadline = machine.deadline, now < end else { break }
            try await Task.sleep(for: .milliseconds(max(1, min(deadline, end) - now)))
            actions = machine.handle(.timer, now: clock.now())
        }
        return .failure(.failed, "the request could not be answered without a running agent")
    }

    /// Lets the files settle, so that what a game saved last is taken up first, and what is done then reaches them.
    private static func settle(
        _ machine: inout HouseholdAgent<DiskFiles, SQLiteRecord>, _ clock: inout SteadyClock
    ) async throws {
        let end = clock.now() + 1_000
        for _ in 0..<100 {
            let now = clock.now()
            guard let next = machine.deadline, next <= end else { return }
            try await Task.sleep(for: .milliseconds(max(1, next - now)))
            _ = machine.handle(.timer, now: clock.now())
        }
    }
}

extension AgentRequest {
    /// Whether it changes what every device has, or asks what that would change.
    fileprivate var needsSettledFiles: Bool {
        switch self {
        case .reset, .restoreBackup, .undo, .accept, .keep, .preview, .resolve: true
        default: false
        }
    }
}
