/// The id of one connection for the life of the process. Never reused.
package struct ConnectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    package var description: String { "#\(rawValue)" }
}

/// The purpose of a TLS connection: the protocol that was negotiated for it (ALPN, RFC 7301).
package enum LinkPurpose: String, Hashable, Sendable, CaseIterable {
    /// Sync between members of one household; the peer's key is pinned.
    case sync = "hearth/1"
    /// Pairing; accepted while a pairing window is open.
    case pairing = "hearth-pair/1"
}

/// An event that the transport reports to the agent.
package enum TransportEvent: Sendable {
    /// TLS 1.3 is up, both certificates were shown, and the peer proved the private key for `peerKey` (the DER of its
    /// SubjectPublicKeyInfo). Not one application byte has been read. The agent answers with
    /// ``TransportAction/admit(_:)`` or ``TransportAction/close(_:)``. `isHere`: the connection does not leave this machine.
    case opened(
        ConnectionID, purpose: LinkPurpose, peerKey: [UInt8], remote: PeerAddress, dialled: Bool, isHere: Bool = false)
    /// Application bytes in stream order, in any slices. Only after `admit`.
    case received(ConnectionID, [UInt8])
    /// So many bytes were delivered that no more are read before ``TransportAction/resume(_:)``. The agent has taken
    /// all of them when it handles this event, so a peer that sends faster than the agent works does not fill memory.
    case paused(ConnectionID)
    /// The connection is gone. Sent exactly once for every connection that was `opened`.
    case closed(ConnectionID, reason: String)
    /// A dial did not reach `opened`. Sent exactly once for such a dial.
    case dialFailed(ConnectionID, reason: String)
    /// Incoming connections ended before `opened`: no TLS, garbage, wrong ALPN, time-out. Sent for the first one at
    /// once, then at most once a minute, however many there are: with the last one's address and reason, and how many
    /// there were since the event before.
    case refused(remote: PeerAddress, reason: String, count: Int)
}

/// The commonest reasons why a dial fails, in the words in which a transport gives them with
/// ``TransportEvent/dialFailed(_:reason:)``. Any other reason has other words.
package enum DialFault: String, Hashable, Sendable, CaseIterable {
    /// The machine answered that no program listens on the port.
    case refused = "nothing listens there"
    /// Nothing came back: the machine is off or asleep, or a firewall drops what is sent to it.
    case noAnswer = "no answer in time"
    /// A router, or this machine's own look for its neighbours, says that the machine is not there.
    case unreachable = "the device cannot be reached"
    /// This machine has no network that leads there.
    case noNetwork = "no network of this device leads there"
    /// The same, for one family of addresses.
    case noAddress = "this device has no address to reach it from"
    /// The TLS handshake found no protocol that both speak: one of the two is of another version.
    case otherProtocol = "the peer speaks no protocol of ours"
}

/// An action that the agent asks of the transport.
package enum TransportAction: Hashable, Sendable {
    /// Connect to an address. The agent chooses the `ConnectionID`.
    case dial(ConnectionID, PeerAddress, LinkPurpose)
    /// Begin to deliver the peer's bytes.
    case admit(ConnectionID)
    /// Read on after ``TransportEvent/paused(_:)``.
    case resume(ConnectionID)
    /// Queue bytes to be sent in order.
    case send(ConnectionID, [UInt8])
    /// Send what is queued, then close.
    case close(ConnectionID)
}
