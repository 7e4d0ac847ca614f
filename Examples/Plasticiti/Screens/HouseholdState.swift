/// What the player can do with the household.
enum HouseholdAct: Sendable {
    case reset, signOut, signIn, sync
    /// The player is back, so look for the other devices again.
    case recheck
    /// Pairing: shows a code, or uses another device's code, with its address where the devices cannot find each other.
    case showCode
    case pair(code: String, address: String?)
    /// The answers to an offer.
    case bringIn, startFresh, decideLater
}

/// The state of the household, as the screens show it.
struct HouseholdState: Equatable, Sendable {
    /// Progress on another device.
    struct Offer: Equatable, Sendable {
        var device: String
        var lines: [String]
        var hasOwnProgress: Bool
    }

    var device = ""
    var isPaused = false
    /// One sentence: whether the profile is synced, and since when.
    var line = ""
    /// What is wrong; `nil` where all is well.
    var trouble: String?
    var offer: Offer?
}
