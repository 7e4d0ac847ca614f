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
            let reply = try alone(request, home)
            try await each(reply)
            return reply
        }
    }

    /// How a command should say that it failed.
    package static func failureCode(of error: any Error) -> FailureCode {
        (error as? StorageFault)?.reason == .tooNew ? .tooOld : .failed
    }

    private static func alone(_ request: AgentRequest, _ home: HearthHome) throws -> AgentReply {
        switch request {
        case .add, .restore, .remove, .status, .devices, .show, .reset, .explain, .conflicts, .resolve,
            .backups, .restoreBackup:
            break
        case .pair, .join, .unpair, .sync:
            return .failure(.agentNotRunning, "no agent runs for \(home.path); start one with 'hearth agent'")
        }
        try HomeFolder.create(home.path)
        let lock = try HomeLock(home: home.path)
        defer { withExtendedLifetime(lock) {} }
        let credentials = try DeviceCredentials.loadOrCreate(in: home.path)
        var machine = try AgentHost.machine(AgentConfiguration(home: home), credentials)
        var clock = SteadyClock()
        let id = RequestID(rawValue: 0)
        _ = machine.handle(.started(port: nil), now: clock.now())
        let actions = machine.handle(.request(id, request), now: clock.now())
        for case .reply(id, let reply) in actions { return reply }
        return .failure(.failed, "the request could not be answered without a running agent")
    }
}
