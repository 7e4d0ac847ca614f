import AgentClients
import AgentRuntime
import HouseholdAgent
import LANDiscovery
import TestSupport
import Testing

@testable import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One machine of a test: a folder for saves and a home for Hearth. Both are removed at the end.
final class Desk: Sendable {
    let folder: String

    init(_ name: String = "desk") {
        let random = String(UInt32.random(in: 0 ... .max), radix: 36)
        folder = "/tmp/hk-\(random)-\(name)"
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var saves: String { folder + "/saves" }

    var home: HearthHome { HearthHome(path: folder + "/home") }

    /// Store options. An embedded agent can be reached only by devices that know its port.
    func options(_ agent: StoreOptions.AgentChoice = .none, network: Bool = false) -> StoreOptions {
        var options = StoreOptions()
        options.folder = saves
        options.home = home.path
        options.agent = agent
        options.network = network
        options.deviceName = String(folder.split(separator: "-").last ?? "")
        options.embedding.host = "127.0.0.1"
        options.embedding.discovers = false
        return options
    }

    func open(_ options: StoreOptions? = nil, slot: String = "player") async throws -> ProfileStore<Hero> {
        try await ProfileStore<Hero>.open(game: "rpg", slot: slot, options ?? self.options())
    }

    /// The configuration with which stores start their embedded agent.
    var configuration: AgentConfiguration {
        var configuration = AgentConfiguration(home: home)
        (configuration.host, configuration.discovery) = ("127.0.0.1", .off)
        configuration.deviceName = options().deviceName
        return configuration
    }

    /// Runs the body while this machine's agent runs.
    func withAgent<Result>(_ body: (EmbeddedAgent) async throws -> Result) async throws -> Result {
        let agent = try await EmbeddedAgents.shared.acquire(configuration)
        do {
            let result = try await body(agent)
            await EmbeddedAgents.shared.release(home)
            return result
        } catch {
            await EmbeddedAgents.shared.release(home)
            throw error
        }
    }

    func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    func write(_ text: String, to path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// Two paired machines, over loopback.
enum Household {
    /// Pairs two machines by code, and runs the body while both agents run.
    static func paired(_ body: (Desk, Desk) async throws -> Void) async throws {
        let (a, b) = (Desk("laptop"), Desk("deck"))
        try await a.withAgent { first in
            try await b.withAgent { second in
                try await pair(first, second)
                try await body(a, b)
            }
        }
    }

    static func pair(_ first: EmbeddedAgent, _ second: EmbeddedAgent) async throws {
        let port = try await port(of: first)
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await first.send(PairRequest()) { code.yield($0.code) }
            }
            for await text in codes {
                _ = try await second.send(JoinRequest(code: text, address: PeerAddress(host: "127.0.0.1", port: port)))
                break
            }
            try await group.waitForAll()
        }
    }

    static func port(of agent: EmbeddedAgent) async throws -> UInt16 {
        guard let port = try await agent.send(StatusRequest()).port else { throw Failure("no port") }
        return UInt16(port)
    }
}

/// Deletes a file. False where that fails.
func remove(_ path: String) -> Bool { (try? FileManager.default.removeItem(atPath: path)) != nil }
