import NIOCore

/// What bounds the server; tests take smaller times.
struct PageLimits: Sendable {
    /// The most connections at once; further ones are closed.
    var connections = 64
    /// How long a request may take to come, and an answer to somebody who has shown no key to be taken.
    var patience = TimeAmount.seconds(20)
    /// How long a connection is kept for a further request.
    var pause = TimeAmount.seconds(5)
    /// How long a client may take to close the connection once it has its answer.
    var goodbye = TimeAmount.seconds(5)
    /// How long the server goes on listening unused.
    var idle = Duration.seconds(600)
}
