import AgentClients
import AgentRuntime
import HearthKit
import HouseholdAgent
import LANDiscovery
import Logging
import Synchronization
import TestSupport
import Testing

/// How an agent inside the game listens, is reached and logs, by the store's options.
@Suite struct AgentOptionsTests {
    private let desk = Desk("options")

    /// Options as a game sets them, without what tests alone can set.
    private func options(_ port: UInt16 = 0) -> StoreOptions {
        var options = StoreOptions()
        (options.folder, options.home, options.agent) = (desk.saves, desk.home.path, .embedded)
        (options.isLoopbackOnly, options.port) = (true, port)
        return options
    }

    @Test(.timeLimit(.minutes(5))) func onLoopbackItTellsTheAddressItListensOn() async throws {
        let saves = try await desk.open(options())
        try #require(await saves.subscribed(within: .seconds(60)))
        let address = try #require(try await saves.pairingAddresses().first)
        #expect(try await saves.pairingAddresses().count == 1)
        let port = try #require(UInt16(address.dropFirst("127.0.0.1:".count)))
        #expect(address == "127.0.0.1:\(port)" && port != 0)
        try await saves.close()
        // The port that the system chose is free now, and a game may ask for it.
        let again = try await desk.open(options(port))
        #expect(try await again.pairingAddresses() == [address])
        try await again.close()
    }

    @Test func withoutANetworkThereIsNoAddress() async throws {
        var options = options()
        options.network = false
        let saves = try await desk.open(options)
        try #require(await saves.subscribed(within: .seconds(60)))
        #expect(try await saves.pairingAddresses() == [])
        try await saves.close()
    }

    /// Pairs a device with another one. That one dials, so the first one is told no address of it.
    ///
    /// - Parameter isFound: Whether the other one looks for the first, and is told no address either.
    private func pair(
        _ first: ProfileStore<Hero>, _ second: ProfileStore<Hero>, isFound: Bool = false
    ) async throws {
        let known: String = try #require(try await first.pairingAddresses().first)
        let address = isFound ? nil : known
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        async let shown = first.pair { code.yield($0) }
        for await text in codes {
            try await second.pair(with: text, address: address)
            break
        }
        _ = try await shown
    }

    /// A device whose address is an option is reached without any discovery.
    @Test(.timeLimit(.minutes(5))) func peersAreReachedByTheirAddress() async throws {
        let other = Desk("peer")
        let second = try await other.open(other.options(.embedded, network: true))
        var options = options()
        options.embedding.discovers = false
        let first = try await desk.open(options)
        try await pair(first, second)
        try await first.close()
        // It listens on another port from now on, where the second one does not look for it.
        options.peers = try await second.pairingAddresses()
        let again = try await desk.open(options)
        #expect(await eventually { (try? await again.devices().last?.isConnected) == true })
        try await again.close()
        try await second.close()
    }

    /// Devices that listen on every address of theirs find each other on the interface that is named, and there alone.
    @Test(.timeLimit(.minutes(5))) func devicesAreFoundOnTheInterfacesThatAreNamed() async throws {
        let (other, names) = (Desk("neighbour"), OwnAddresses.loopbackInterfaces)
        var options = options()
        (options.isLoopbackOnly, options.interfaces, options.deviceName) = (false, names, "options")
        let first = try await desk.open(options)
        (options.folder, options.home, options.deviceName) = (other.saves, other.home.path, "neighbour")
        let second = try await other.open(options)
        try await pair(first, second, isFound: true)
        for device in [desk, other] {
            let report = try await device.withAgent { try await $0.send(StatusRequest()) }
            #expect(report.discovery.hasSuffix(" on \(names.joined(separator: ", "))"), "\(report.discovery)")
            let address = try #require(report.household.first { !$0.isThisDevice }?.address)
            #expect(address.hasPrefix("\(OwnAddresses.loopback):"), "\(address)")
        }
        try await first.close()
        try await second.close()
    }

    @Test func anAddressThatCannotBeReadIsRefused() async throws {
        var options = options()
        options.peers = ["the other machine"]
        do {
            _ = try await desk.open(options)
            Issue.record("that is no address")
        } catch let error as StoreError {
            #expect(error.code == .value && error.message.contains("\"the other machine\" is no address"))
        }
    }

    /// Where the game gives no logger, the agent logs into its home; else to that logger.
    @Test(.timeLimit(.minutes(5))) func itLogsIntoItsHomeOrToTheGame() async throws {
        let (other, heard) = (Desk("talker"), Heard())
        var theirs = other.options(.embedded, network: true)
        theirs.logger = Logger(label: "game") { _ in heard }
        let (first, second) = (try await desk.open(options()), try await other.open(theirs))
        try await pair(first, second)
        try await first.close()
        try await second.close()
        let log = try desk.text(of: desk.home.path + "/agent.log")
        let lines = log.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("notice: paired device=talker") }, "\(log)")
        #expect(lines.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [a-z]+: .+/) != nil }, "\(log)")
        #expect(heard.lines.withLock { $0.contains("paired") })
        #expect(!other.exists(other.home.path + "/agent.log"))
    }

    /// A log handler that keeps what it gets.
    private struct Heard: LogHandler {
        final class Lines: Sendable {
            let all = Mutex<[String]>([])
            func withLock<Result>(_ body: (inout [String]) -> Result) -> Result { all.withLock { body(&$0) } }
        }
        let lines = Lines()
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
    }
}
