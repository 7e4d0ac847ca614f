#if Agent
    import AgentRuntime
    import ControlInterface
    import HouseholdAgent
    import LANDiscovery

    /// The agent that runs on this machine, or one inside this process.
    struct LocalAgents: AgentSource {
        private let choice: StoreOptions.AgentChoice
        private let configuration: AgentConfiguration

        init(_ options: StoreOptions) throws(StoreError) {
            do throws(HomeFault) {
                let home = try HearthHome.resolve(option: options.home, environment: StorePlace.environment)
                configuration = Self.configuration(options, home)
            } catch {
                throw StoreError(.name, error.description)
            }
            choice = options.agent
        }

        var home: String { configuration.home.path }

        func withAgent(mayEmbed: Bool, _ body: (any AgentClient) async throws -> Void) async throws {
            // Use the embedded agent of another store in this process, where there is one.
            let isHere = choice == .automatic ? await EmbeddedAgents.shared.has(configuration.home) : false
            if choice != .embedded, !isHere {
                do {
                    return try await body(ControlClient(socketPath: configuration.home.socketHere))
                } catch let error as ControlClientError {
                    guard case .agentNotRunning = error, choice == .automatic, mayEmbed else { throw error }
                }
            }
            let agent = try await EmbeddedAgents.shared.acquire(configuration)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(agent)) } catch { outcome = .failure(error) }
            // Also when cancelled: only one agent can use the home, and the next one needs it free.
            await EmbeddedAgents.shared.release(configuration.home)
            try outcome.get()
        }

        /// The settings of an embedded agent.
        private static func configuration(_ options: StoreOptions, _ home: HearthHome) -> AgentConfiguration {
            var configuration = AgentConfiguration(home: home)
            configuration.usesNetwork = options.network
            configuration.deviceName = options.deviceName
            configuration.sharesBackups = options.sharesBackups
            configuration.keepsBackupsOfOthers = options.keepsBackupsOfOthers
            configuration.host = options.embedding.host
            if !options.embedding.discovers { configuration.discovery = .off }
            return configuration
        }
    }
#endif
