#if Agent
    import AgentRuntime
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
            configuration.host = options.embedding.host
            if !options.embedding.discovers { configuration.discovery = .off }
            self.init(configuration, choice)
        }
    }
#endif
