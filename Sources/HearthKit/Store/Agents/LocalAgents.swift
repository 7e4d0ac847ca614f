#if Agent
    import AgentRuntime
    import HouseholdAgent
    import LANDiscovery

    extension LocalAgents: AgentSource {}

    extension StoreOptions {
        /// The agent of this machine or one inside this process, as these options allow; `nil` for none.
        func localAgents() throws(StoreError) -> (any AgentSource)? { try LocalAgents(self) }
    }

    extension LocalAgents {
        /// The agents that a store's options allow; `nil` for none.
        init?(_ options: StoreOptions) throws(StoreError) {
            let choice: Choice
            switch options.agent {
            case .automatic: choice = .automatic
            case .running: choice = .running
            case .embedded: choice = .embedded
            case .none: return nil
            }
            let home: HearthHome
            do throws(HomeFault) {
                home = try HearthHome.resolve(option: options.home, environment: StorePlace.environment)
            } catch {
                throw StoreError(.name, error.description)
            }
            var configuration = AgentConfiguration(home: home)
            configuration.usesNetwork = options.network
            configuration.deviceName = options.deviceName
            configuration.sharesBackups = options.sharesBackups
            configuration.keepsBackupsOfOthers = options.keepsBackupsOfOthers
            configuration.port = options.port
            configuration.interfaces = options.interfaces
            configuration.peers = try options.peers.map(PeerAddress.init(named:))
            if options.isLoopbackOnly {
                (configuration.host, configuration.interfaces) = (
                    OwnAddresses.loopback, OwnAddresses.loopbackInterfaces
                )
            }
            if let host = options.embedding.host { configuration.host = host }
            if !options.embedding.discovers { configuration.discovery = .off }
            self.init(configuration, choice, logger: options.logger)
        }

        func addresses(port: UInt16) -> [String] {
            let hosts = host.map { [$0] } ?? OwnAddresses.read()
            return hosts.map { PeerAddress(host: $0, port: port).description }
        }
    }
#endif
