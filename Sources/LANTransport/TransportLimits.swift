/// Every bound the transport keeps against slow, broken or hostile peers.
///
/// The defaults are the ones for real use; tests pass shorter times.
package struct TransportLimits: Sendable {
    /// How long a dial waits for TCP (and for the name, where a name was dialled).
    package var connectTimeout: Duration = .seconds(5)
    /// How long TLS may take, counted from accept or from the moment TCP is up.
    package var handshakeTimeout: Duration = .seconds(5)
    /// How long an opened connection waits for the agent to admit it.
    package var admissionTimeout: Duration = .seconds(5)
    /// Incoming connections that are not admitted yet. One more makes a random one of them go, so that whoever fills
    /// the table cannot keep an honest peer out for long.
    package var pendingIncoming = 32
    /// Bytes that wait to be sent on one connection; beyond them it is closed, for its peer does not read.
    package var unsentBytes = 64 << 20
    /// Most bytes in one ``TransportEvent/received(_:_:)``, and about as many are read from a socket at a time.
    package var chunkBytes = 64 << 10
    /// Decrypted bytes kept for a connection that is not admitted yet. They exist only where a peer's first bytes came
    /// in one read with the end of its handshake, or where it half-closed.
    package var heldBytes = 256 << 10
    /// How long a closing connection may take to send what is queued.
    package var drainTimeout: Duration = .seconds(10)
    /// How long a closing connection waits for the peer's `close_notify`.
    package var farewellTimeout: Duration = .seconds(1)
    /// How long ``LANTransport/shutdown()`` lets connections end in order before it breaks them off.
    package var shutdownTimeout: Duration = .seconds(1)
    /// Largest certificate that is looked at, in bytes of DER. Ours has about 280.
    package var certificateBytes = 8 << 10

    package init() {}
}
