import AgentClients
import AgentRuntime
import ControlInterface
import HearthKit
import HouseholdAgent
import LANDiscovery
import Logging
import TestSupport

/// A device of a test: a folder with its saves and its Hearth, removed at the end.
final class Device: Sendable {
    let name: String
    let folder: String

    init(_ name: String = "laptop") throws {
        self.name = name
        folder = "/tmp/hx-\(String(UInt32.random(in: 0 ... .max), radix: 36))-\(name)"
        try Disk.makeFolder(folder)
    }

    deinit { Disk.remove(folder) }

    var home: String { folder + "/hearth" }
    var saves: String { folder + "/saves" }

    /// The path of the only save on this device.
    func save() throws -> String {
        let names = Disk.names(in: saves).filter { $0.hasSuffix(".json") && $0 != "profiles.json" }
        guard let name = names.first, names.count == 1 else { throw Failure("the saves of \(self.name): \(names)") }
        return saves + "/" + name
    }

    /// The text of the save.
    func text() throws -> String { Disk.text(try save()) }

    /// Starts an example on this device. It uses the device's agent where one runs, else an embedded one without a
    /// network.
    func start(_ program: String, _ words: [String], input: String = "") throws -> Program {
        try Program(program, words + ["--on", folder, "--alone"], in: folder, input: input)
    }

    /// Runs an example until it ends.
    func run(_ program: String, _ words: String..., input: String = "") async throws -> Program.Outcome {
        try await start(program, words, input: input).outcome()
    }

    // MARK: The agent

    private var client: ControlClient { ControlClient(socketPath: home + "/run/control.sock") }

    /// Runs the body while this device's agent runs. Only devices that know its port can reach it.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - peers: The ports of other devices.
    func withAgent<Result>(
        port: UInt16 = 0, peers: [UInt16] = [], _ body: (UInt16) async throws -> Result
    ) async throws -> Result {
        var configuration = AgentConfiguration(home: HearthHome(path: home))
        (configuration.host, configuration.port, configuration.discovery) = ("127.0.0.1", port, .off)
        configuration.deviceName = name
        configuration.peers = peers.map { PeerAddress(host: "127.0.0.1", port: $0) }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (ups, up) = AsyncStream.makeStream(of: AgentReady.self)
        return try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
            group.addTask {
                defer { up.finish() }
                let silent = Logger(label: "hearth") { _ in SwiftLogNoOpLogHandler() }
                try await HearthAgent.run(configuration, logger: silent, until: { for await _ in ends {} }) {
                    up.yield($0)
                }
            }
            defer { end.finish() }
            var ready = ups.makeAsyncIterator()
            guard let ready = await ready.next() else { throw Failure("\(name)'s agent did not start") }
            let result = try await body(UInt16(ready.port))
            end.finish()
            try await group.waitForAll()
            return result
        }
    }

    /// Sends a request to this device's agent, as a command does.
    @discardableResult
    func ask<Request: AgentRequest>(_ request: Request) async throws -> Request.Response {
        try await client.send(request)
    }

    /// The backups of a profile on this device.
    func backups(of profile: String) async throws -> [BackupReport] {
        try await ask(BackupsRequest(profile: profile)).backups
    }

    /// Pairs two devices with the code that this one shows.
    func pair(with other: Device, port: UInt16) async throws {
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [client] in
                try await client.send(PairRequest()) { code.yield($0.code) }
            }
            for await text in codes {
                try await other.client.send(
                    JoinRequest(code: text, address: PeerAddress(host: "127.0.0.1", port: port)))
                break
            }
            try await group.waitForAll()
        }
    }
}
