import HouseholdAgent

extension CommandFailure {
    /// The agent answered something else than was asked.
    static func unexpected(_ reply: AgentReply) -> CommandFailure {
        CommandFailure(
            "the agent's answer does not fit the question",
            "restart the agent, so that it is as new as this command"
        )
    }
}
