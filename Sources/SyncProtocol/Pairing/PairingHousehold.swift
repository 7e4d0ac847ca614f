/// The household that two devices share after pairing, and which of the two brings it.
struct PairingHousehold {
    let host: PairingMachine.Role
    let id: HouseholdID
    /// Whether both devices were members of this household before the pairing.
    let isShared: Bool

    /// Chooses the household of the device that has other members; the responder's if neither device has any. `nil` if
    /// both have other members and the households differ.
    init?(responder: PairingHello, initiator: PairingHello) {
        isShared = responder.household == initiator.household
        switch (responder.hasOthers, initiator.hasOthers) {
        case (true, true) where !isShared: return nil
        case (false, true): host = .initiator
        default: host = .responder
        }
        id = host == .responder ? responder.household : initiator.household
    }
}
