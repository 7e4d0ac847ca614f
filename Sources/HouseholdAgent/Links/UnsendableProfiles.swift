import MergeCore

/// The profiles that a link could not send, since something in them is beyond what a link takes, each with the reason.
struct UnsendableProfiles {
    private var reasons: [ProfileID: String] = [:]

    /// One sentence for the player about a profile, without a full stop; `nil` where it can be sent.
    func sentence(_ profile: ProfileID) -> String? {
        reasons[profile].map { "the other machines do not get it: \($0); what the game saves is kept here alone" }
    }

    mutating func note(_ profile: ProfileID, _ reason: String) { reasons[profile] = reason }

    /// Notes that another device has all of a profile.
    mutating func wasSent(_ profile: ProfileID) { reasons[profile] = nil }
}
