import MergeCore
import ProfileKeeping

/// An attachment: a game that holds its profile open. It writes the file itself, and asks for what other devices
/// changed.
struct Attachment {
    /// The number of tries of one projection, where somebody else keeps changing the file.
    static let projectionTries = 3
    /// The largest number of history steps in one report.
    static let stepLimit = 64

    let path: String
    let name: String
    /// The name of the game.
    let game: String
    /// The profile of the game; `nil` while there is nothing to keep in step: no file yet, or the player has to say
    /// whose file it is.
    var profile: ProfileID?
    /// The game has read what stood in the file at this time, or a later content.
    var readAfter: MonotonicTime
    /// When the file was last written for the game; `nil` once the game has said that it has read that.
    var pulledAt: MonotonicTime?
    /// The number of the last history step that was reported.
    var told: Int64 = 0
    /// Another profile with this name that was offered to the game.
    var offered: ProfileID?
    /// The number of waiting choices that was reported.
    var choices = 0
    /// The vector of the profile when its choices were counted last, because counting walks through the whole profile.
    var counted: VersionVector?
    /// Whether somebody else has written the file since: another game that holds it, or this agent for that game.
    var isBehind = false
    /// Whether the game was told that there is something to pull.
    var isChangeTold = false
    /// When to try again, after the file could not be written.
    var quietUntil: MonotonicTime?
    /// The state that was reported last.
    var reported = Standing()
    /// The number of reports so far.
    var reports = 0
    /// The reason why the game's rules are not in force; `nil` where they are.
    var rulesTrouble: String?

    init(_ attaching: AttachRequest, now: MonotonicTime) {
        (path, name, game) = (attaching.path, attaching.name, attaching.game)
        readAfter = now
    }

    /// The state of a profile's sync that a game shows; it can change without anything to pull.
    struct Standing: Hashable {
        var isPaused = false
        var lastSync: WallTime?
        var trouble: String?
        /// The vector of the offered profile.
        var offer: VersionVector?
    }
}
