import AgentClients

#if !Store
    #error("HearthKit takes the trait Store or Agent of the package hearth: traits: [\"Store\"], or none named at all")
#endif

/// The agents to which a store can subscribe.
protocol AgentSource: Sendable {
    /// Hearth's home folder. Files for the agent are put there, because it may not be able to read other places.
    var home: String { get }

    /// The addresses at which other devices reach an agent that listens on this port, the likeliest first.
    func addresses(port: UInt16) -> [String]

    /// Calls the body with an agent, and keeps that agent until the body returns.
    ///
    /// - Parameter mayEmbed: Whether an agent may be started inside this process if none runs on the machine. An agent
    ///   that ran a moment ago may be about to come back.
    /// - Throws: The reason why no agent could be reached; the body's error.
    func withAgent(mayEmbed: Bool, _ body: (any AgentClient) async throws -> Void) async throws
}

extension StoreOptions {
    /// The agents that these options allow; `nil` for none. Without the package's trait `Agent` there are none.
    ///
    /// - Throws: ``StoreError`` where Hearth's home cannot be found.
    func agents() throws(StoreError) -> (any AgentSource)? {
        #if Agent
            return try localAgents()
        #else
            return nil
        #endif
    }

    /// Why a store with these options has no agent.
    var whyNoAgent: String {
        #if Agent
            "this store has no agent (StoreOptions.agent is .none), and this takes one"
        #else
            "this game was built without the trait Agent of the package hearth, and this takes an agent"
        #endif
    }
}
