/// Whose household two devices have after pairing.
struct PairingHousehold {
    let host: PairingMachine.Role
    let id: HouseholdID
    /// Whether both were in it already.
    let isShared: Bool

    /// The household that has other members; the shower's where neither has. `nil` where both have and differ.
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
