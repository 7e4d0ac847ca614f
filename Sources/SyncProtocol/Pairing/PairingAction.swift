/// What a pairing asks its owner to do. Actions are to be carried out in order.
package enum PairingAction: Sendable {
    case send([UInt8])
    /// At the shower: a wrong code was typed. A close follows, with nothing in it that helps guessing.
    case wrongProof
    /// The other side knows the code. Store the result, at the shower together with consuming the code; then call
    /// ``PairingMachine/confirm()``.
    case paired(PairingResult)
    /// At the shower: the other side has stored its result, too. Its statements, to be merged into the roster.
    case finished([RosterStatement])
    /// Send what is queued, then close the connection. The last action.
    case close(LinkClosure)
}

/// What a pairing comes to, on one side.
package struct PairingResult: Sendable {
    package let peer: DeviceKey
    package let peerName: String
    /// The household both belong to from now on.
    package let household: HouseholdID
    /// 32 bytes that the members of that household share.
    package let secret: [UInt8]
    /// The roster from now on. It replaces the former one.
    package let roster: Roster

    /// All statements of ``roster``.
    package var statements: [RosterStatement] { roster.statements }
}
