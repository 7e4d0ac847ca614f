/// Replies to requests. All of them are made once everything is settled, in the order in which they were asked for.
extension HouseholdAgent {
    /// Ends a request with its response.
    ///
    /// - Parameter response: Makes the response once the request is settled, so that it reports the state that results:
    ///   what it says about the agent, it reads from the agent that it is given.
    mutating func answer<Request>(
        _ call: Call<Request>, _ response: @escaping (borrowing HouseholdAgent) -> Request.Response
    ) {
        reply(call.id) { .response(response($0)) }
    }

    /// Sends an event to the client of a request; the request stays open.
    ///
    /// - Parameter event: Makes the event once everything is settled.
    mutating func tell<Request>(
        _ call: Call<Request>, _ event: @escaping (borrowing HouseholdAgent) -> Request.Event
    ) {
        reply(call.id) { .event(event($0)) }
    }

    /// Ends a request with the reason why it failed.
    mutating func fail(_ id: RequestID, _ code: FailureCode, _ message: String) {
        reply(id) { _ in .failure(code, message) }
    }

    mutating func reply(_ id: RequestID, _ reply: @escaping (borrowing HouseholdAgent) -> AgentReply) {
        afterSettling { $0.act(.reply(id, reply($0))) }
    }
}
