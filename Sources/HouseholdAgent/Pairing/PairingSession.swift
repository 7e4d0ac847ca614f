import SyncProtocol

/// One pairing connection. It is a class so that the noncopyable machine can be held in a dictionary; it never leaves
/// ``Pairing``.
final class PairingSession {
    /// Which request the connection belongs to.
    enum Side {
        case shownBy(RequestID)
        case typedBy(RequestID)
    }

    let remote: PeerAddress
    let side: Side
    var machine: PairingMachine
    /// The other device, from the moment when the result is stored here until that device has confirmed that it stored
    /// its own.
    var unconfirmed: DeviceReport?

    /// The request that shows the code; `nil` where the code was typed here.
    var shownBy: RequestID? { if case .shownBy(let request) = side { request } else { nil } }

    init(remote: PeerAddress, _ side: Side, machine: consuming PairingMachine) {
        self.remote = remote
        self.side = side
        self.machine = machine
    }
}
