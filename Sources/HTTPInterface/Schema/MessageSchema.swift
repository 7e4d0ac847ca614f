import HouseholdAgent

/// The schemas of requests and of what the agent says about them.
enum MessageSchema {
    /// The parameters of a request.
    static func parameters<Request: AgentRequest>(of type: Request.Type) throws -> Schema {
        try SchemaReader.read(type).schema
    }

    /// Whether the agent says more about such a request than its response, so that the answer is a stream.
    static func streams<Request: AgentRequest>(_ type: Request.Type) -> Bool { Request.Event.self != Never.self }

    /// One line of an answer, or the whole of it: the response, an event, or an error.
    static func answer<Request: AgentRequest>(to type: Request.Type) throws -> Schema {
        let response = try message(Request.Response.self)
        return streams(type) ? .oneOf([try message(Request.Event.self), response, failure]) : response
    }

    static func message<Message: AgentMessage>(_ type: Message.Type) throws -> Schema {
        if type == SubscriptionEvent.self { return try subscription() }
        return try SchemaReader.read(type).schema.tagged("event", Message.event)
    }

    /// `{"error":{"code":…,"message":…}}`, and a `hint` where there is one.
    static let failure = Schema.object([
        Schema.Property(
            name: "error",
            schema: .object([
                Schema.Property(name: "code", schema: .integer, isRequired: true),
                Schema.Property(name: "message", schema: .text, isRequired: true),
                Schema.Property(name: "hint", schema: .text, isRequired: false),
            ]), isRequired: true)
    ])

    /// An enumeration is written as a member with the name of its case, which nobody can ask a type for.
    private static func subscription() throws -> Schema {
        let report = Schema.object([
            Schema.Property(
                name: "report", schema: try SchemaReader.read(SubscriptionReport.self).schema, isRequired: true)
        ])
        let cases = [("subscribed", report), ("changed", .object([])), ("status", report)]
        return .oneOf(
            cases.map { name, schema in
                Schema.object([Schema.Property(name: name, schema: schema, isRequired: true)])
                    .tagged("event", SubscriptionEvent.event)
            })
    }
}
