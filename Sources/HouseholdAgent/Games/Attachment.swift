import MergeCore
import ProfileKeeping

/// A game that holds its profile open: it writes the file by itself, and asks for what came in.
struct Attachment {
    /// Tries of one projection, where the file is changed by somebody else meanwhile.
    static let projectionTries = 3
    /// Most steps of the history one report tells.
    static let stepLimit = 64

    let path: String
    let name: String
    /// What the game is called.
    let game: String
    /// `nil` while there is nothing to keep in step: no file yet, or the player has to say whose it is.
    var profile: ProfileID?
    /// What stood in the file then, or came later, is what the game has read.
    var readAfter: Int64
    /// When the file was last written for the game, where it did not say yet that it has read that.
    var brought: Int64?
    /// How much of the history was told.
    var told: Int64 = 0
    /// Of another profile with this name.
    var offered: ProfileID?
    /// How many choices were told.
    var choices = 0
    /// What the profile covered when its choices were counted last: counting takes a walk.
    var counted: VersionVector?
    /// Somebody else wrote the file: another game that holds it, or this agent for that one.
    var isBehind = false
    /// The game knows that there is something to be brought.
    var isNewsSent = false
    /// The file could not be written: when to try again.
    var quietUntil: Int64?
    /// How things were when they were reported last.
    var reported = Standing()
    /// How many reports there were.
    var reports = 0
    /// Why the game's rules are not in force, where they are not.
    var rulesTrouble: String?

    init(_ attaching: Attaching, now: Int64) {
        (path, name, game) = (attaching.path, attaching.name, attaching.game)
        readAfter = now
    }

    /// What a game shows of its profile's sync, and that changes without anything to be brought.
    struct Standing: Hashable {
        var isPaused = false
        var lastSync: Int64?
        var trouble: String?
        /// What the offered profile covers.
        var offer: VersionVector?
    }
}
