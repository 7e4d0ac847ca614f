/// The limits that protect the transport from slow, broken or hostile peers.
///
/// The defaults are for real use; tests set shorter times.
package struct TransportLimits: Sendable {
    /// How long a dial waits for TCP (and for the name lookup, where a name was dialled).
    package var connectTimeout: Duration = .seconds(5)
    /// How long the TLS handshake may take, from accept or from the established TCP connection.
    package var handshakeTimeout: Duration = .seconds(5)
    /// How long an opened connection waits to be admitted.
    package var admissionTimeout: Duration = .seconds(5)
    /// The most incoming connections that wait to be admitted. One more closes a random one of them, so an attacker who
    /// fills the table cannot keep an honest peer out for long.
    package var pendingIncoming = 32
    /// The most bytes that wait to be sent on one connection. Beyond that the connection is closed, because its peer
    /// does not read.
    package var unsentBytes = 64 << 20
    /// The most bytes in one ``TransportEvent/received(_:_:)``. About as many are read from a socket at once.
    package var chunkBytes = 64 << 10
    /// The most decrypted bytes that are held for a connection that is not admitted yet. There are such bytes only
    /// where the peer's first bytes arrived together with the end of its handshake, or where it half-closed the
    /// connection.
    package var heldBytes = 256 << 10
    /// The number of bytes after whose delivery a connection is not read until the agent has taken them.
    package var undeliveredBytes = 64 << 10
    /// The time between two reports of refused connections. A flood of them costs the agent nothing.
    package var refusalInterval: Duration = .seconds(60)
    /// How long a closing connection may take to send its queued bytes.
    package var drainTimeout: Duration = .seconds(10)
    /// How long a closing connection waits for the peer's `close_notify`.
    package var farewellTimeout: Duration = .seconds(1)
    /// How long ``LANTransport/shutdown()`` waits for connections to end properly before it aborts them.
    package var shutdownTimeout: Duration = .seconds(1)
    /// The largest accepted certificate, in bytes of DER. Hearth's own has about 280.
    package var certificateBytes = 8 << 10

    package init() {}
}
