/// What the player can ask of the household.
enum HouseholdAct: Sendable {
    case reset, signOut, signIn, sync
    /// The player is back: look for the others again.
    case recheck
    /// Pairing: shows a code, or takes that of another device, at an address where devices do not find each other.
    case showCode
    case pair(code: String, address: String?)
    /// Answers to an offer.
    case bringIn, startFresh, decideLater
}

/// How things are with the other devices, as the screens show it.
struct HouseholdState: Equatable, Sendable {
    /// Progress that another device has.
    struct Offer: Equatable, Sendable {
        var device: String
        var lines: [String]
        var hasOwnProgress: Bool
    }

    var device = ""
    var isPaused = false
    /// One sentence: in step or not, and since when.
    var line = ""
    /// What is wrong, where something is.
    var trouble: String?
    var offer: Offer?
}
