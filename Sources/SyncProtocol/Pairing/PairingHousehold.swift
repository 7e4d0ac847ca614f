/// The household that two devices share after pairing, and which of the two brings it.
struct PairingHousehold {
    let host: PairingMachine.Role
    let id: HouseholdID
    /// Whether both devices were members of this household before the pairing.
    let isShared: Bool

    /// Chooses the household of the device that has other members; the shower's where neither device has any. `nil`
    /// where both have other members and the households differ.
    init?(shower: PairingHello, typer: PairingHello) {
        isShared = shower.household == typer.household
        switch (shower.hasOthers, typer.hasOthers) {
        case (true, true) where !isShared: return nil
        case (false, true): host = .typer
        default: host = .shower
        }
        id = host == .shower ? shower.household : typer.household
    }
}
