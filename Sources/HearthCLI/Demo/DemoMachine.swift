import AgentClients
import AgentRuntime
import HouseholdAgent
import LocalFiles
import LosslessJSON

/// One of the demo's two machines: a home and a save of its own.
struct DemoMachine: Sendable {
    let machine: DemoStory.Machine
    /// The folder with all files of this machine.
    let folder: String

    var name: String { machine.rawValue }
    var home: HearthHome { HearthHome(path: folder + "/home") }
    var save: String { folder + "/save.json" }
    var log: String { folder + "/agent.log" }

    init(_ machine: DemoStory.Machine, in folder: String) {
        self.machine = machine
        self.folder = folder + "/" + machine.folder
    }

    /// The arguments of its agent. Everything stays on the loopback interface, so the demo needs no network and
    /// disturbs none.
    var agentArguments: [String] {
        #if canImport(Darwin)
            let (discovery, interface) = ("system", "lo0")
        #else
            let (discovery, interface) = ("embedded", "lo")
        #endif
        return [
            "agent", "--json", "--until-input-ends", "--home", home.path, "--name", name, "--host", "127.0.0.1",
            "--discovery", discovery, "--interface", interface,
        ]
    }

    /// Asks its agent. Throws a refusal as a ``CommandFailure`` that names the machine.
    @discardableResult
    func ask<Request: AgentRequest>(
        _ request: Request,
        onEvent: @escaping @Sendable (Request.Event) async throws -> Void = { _ in }
    ) async throws -> Request.Response {
        do {
            return try await HomeClient(home: home).send(request, onEvent: onEvent)
        } catch let failure as AgentFailure {
            throw CommandFailure("\(name): \(failure.message)", code: failure.code)
        }
    }

    /// The save as any other program would read it; `nil` while there is none.
    func document() -> JSONDocument? {
        guard let file = try? BoundedFile.read(save, limit: 1 << 20) else { return nil }
        return try? JSONDocument(parsing: file.bytes)
    }

    /// What its agent has trouble with, in the agent's words.
    func troubles() async -> [String] {
        guard let report = try? await HomeClient(home: home).send(StatusRequest()) else {
            return lastLogLine.map { ["\(name)'s agent does not answer; its last words: \($0)"] } ?? []
        }
        return report.troubles
            + report.household.filter { !$0.connected }.map {
                "\(name) does not reach \($0.name): \($0.reason ?? "not seen")"
            }
    }

    var lastLogLine: String? {
        guard let file = try? BoundedFile.read(log, limit: 4 << 20) else { return nil }
        return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").last.map {
            PlainText.line(String($0))
        }
    }
}
