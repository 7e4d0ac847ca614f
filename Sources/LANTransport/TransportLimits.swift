/// The limits by which the transport defends itself against slow, broken or hostile peers.
///
/// The defaults are for real use; tests pass shorter times.
package struct TransportLimits: Sendable {
    /// How long a dial waits for TCP (and for the name, where a name was dialled).
    package var connectTimeout: Duration = .seconds(5)
    /// How long TLS may take, counted from accept or from the moment TCP is up.
    package var handshakeTimeout: Duration = .seconds(5)
    /// How long an opened connection waits for the agent to admit it.
    package var admissionTimeout: Duration = .seconds(5)
    /// The largest number of incoming connections that are not admitted yet. One more closes a random one of them, so
    /// that an attacker who fills the table cannot keep an honest peer out for long.
    package var pendingIncoming = 32
    /// The largest number of bytes that wait to be sent on one connection. Beyond that it is closed, because its peer
    /// does not read.
    package var unsentBytes = 64 << 20
    /// The largest number of bytes in one ``TransportEvent/received(_:_:)``; about as many are read from a socket at a
    /// time.
    package var chunkBytes = 64 << 10
    /// The largest number of decrypted bytes that are kept for a connection that is not admitted yet. There are such
    /// bytes only where a peer's first bytes came in one read with the end of its handshake, or where it half-closed
    /// the connection.
    package var heldBytes = 256 << 10
    /// How long a closing connection may take to send what is queued.
    package var drainTimeout: Duration = .seconds(10)
    /// How long a closing connection waits for the peer's `close_notify`.
    package var farewellTimeout: Duration = .seconds(1)
    /// How long ``LANTransport/shutdown()`` lets connections end in order before it aborts them.
    package var shutdownTimeout: Duration = .seconds(1)
    /// The largest accepted certificate, in bytes of DER. Hearth's own has about 280.
    package var certificateBytes = 8 << 10

    package init() {}
}
