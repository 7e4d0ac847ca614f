package import HouseholdAgent
package import Logging
package import ServiceLifecycle

/// The page of an agent: what serves it, beside the control socket. The program that runs the agent brings it; an agent
/// inside a game has none.
package struct AgentPage: Sendable {
    /// Answers one who asks for a link to the page, now or later.
    package typealias Opener = @Sendable (@escaping @Sendable (AgentReply) -> Void) -> Void

    /// The agent that the page belongs to.
    package struct Agent: Sendable {
        package let home: HearthHome
        package let logger: Logger
        package let counters: @Sendable () -> [AgentCounter]
        /// Gives a request to the agent. A cancelled stream cancels the request.
        package let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    }

    /// Runs as long as the agent does.
    package let service: any Service
    package let open: Opener
    /// Whether somebody has the page before them.
    package let isSeen: @Sendable () -> Bool

    package init(service: any Service, open: @escaping Opener, isSeen: @escaping @Sendable () -> Bool) {
        (self.service, self.open, self.isSeen) = (service, open, isSeen)
    }

    static let absence = "this agent is part of a game and has no page; one that 'hearth agent' runs has one"
}
