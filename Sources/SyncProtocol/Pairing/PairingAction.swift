/// An action that a pairing asks its owner to carry out. Actions are carried out in order.
package enum PairingAction: Sendable {
    case send([UInt8])
    /// Only at the responder (the device that shows the code): a wrong code was typed. A ``close(_:)`` follows; the
    /// message to the other device holds nothing that helps guessing.
    case wrongProof
    /// The other device has proved that it knows the code. The owner stores the result (at the responder in the same
    /// step that consumes the code), then calls ``PairingMachine/confirm()``.
    case paired(PairingResult)
    /// Only at the responder: the other device has stored its result, too. The statements are those that this device
    /// lacked; they are to be merged into the roster.
    case finished([RosterStatement])
    /// Send what is queued, then close the connection. The last action.
    case close(LinkClosure)
}

/// The result of a pairing on one device: the peer, and the household that both devices belong to from now on.
package struct PairingResult: Sendable {
    package let peer: DeviceKey
    package let peerName: String
    /// The household both belong to from now on.
    package let household: HouseholdID
    /// 32 bytes that the members of that household share.
    package let secret: [UInt8]
    /// How often that secret was renewed.
    package var secretSerial: UInt64 = 0
    /// The roster from now on. It replaces the former one.
    package let roster: Roster

    /// All statements of ``roster``.
    package var statements: [RosterStatement] { roster.statements }
}
