import MergeCore
import ProfileKeeping

/// A subscription: a game that holds its profile open. It writes the file itself, and asks for the changes of other
/// devices. This type keeps what the game has read and which changes it was told of; only its events change that.
struct Subscription {
    /// The number of tries of one projection, if another program keeps changing the file.
    static let projectionTries = 3
    /// The largest number of history steps in one report.
    static let stepLimit = 64

    let path: String
    let name: String
    /// The name of the game.
    let game: String
    /// The reason why the game's rules are not in force; `nil` where they are.
    let rulesTrouble: String?
    /// The profile of the game; `nil` while there is nothing to keep in step: there is no file yet, or the player has
    /// to choose whose file it is.
    private(set) var profile: ProfileID?
    /// The game has read the content that was in the file at this time, or a later content.
    private(set) var readAfter: MonotonicTime
    /// When the file was last written for the game; `nil` once the game has acknowledged that it read the file.
    private var pulledAt: MonotonicTime?
    /// The number of the last history step that was reported.
    private(set) var announced: Int64
    /// Another profile with this name that was offered to the game.
    private var offered: ProfileID?
    /// The number of waiting choices that was reported.
    private(set) var choices = 0
    /// The vector of the profile when its choices were counted last, because counting walks through the whole profile.
    private var counted: VersionVector?
    /// Whether the file was written since for another reader: by another game that holds it, or by this agent for that
    /// game.
    private(set) var isBehind = false
    /// Whether it was announced to the game that there is something to pull.
    private var isChangeAnnounced = false
    /// When to try again, after the file could not be written.
    private(set) var quietUntil: MonotonicTime?
    /// The state that was reported last.
    private var reported = Report()
    /// The number of reports so far.
    private(set) var reports = 0

    init(
        _ request: SubscribeRequest, to profile: ProfileID?, rulesTrouble: String? = nil, announced: Int64 = 0,
        now: MonotonicTime
    ) {
        (path, name, game) = (request.path, request.name, request.game)
        (self.profile, self.rulesTrouble, self.announced) = (profile, rulesTrouble, announced)
        readAfter = now
    }

    /// The state of a profile's sync that a game shows. It can change without anything to pull.
    struct Report: Hashable {
        var isPaused = false
        var lastSync: WallTime?
        var trouble: String?
        /// The vector of the offered profile.
        var offer: VersionVector?
    }

    /// The present facts about a profile that the game may have to be told.
    struct Update {
        /// Another profile with this name that the game may join.
        var offered: ProfileID?
        /// Whether something waits to be written into the file.
        var isToBeWritten = false
        /// The profile's vector; `nil` where the game has no profile.
        var vector: VersionVector?
        var report = Report()
    }

    /// The changes that the game is told.
    struct Changes: Hashable {
        var isChanged = false
        var isOtherReport = false
    }

    // MARK: Events

    /// The game asks for all changes. It has read the changes that it got before.
    mutating func asked(as profile: ProfileID?) {
        read()
        self.profile = profile
        (isChangeAnnounced, quietUntil, isBehind) = (false, nil, false)
    }

    /// The game has read what was written for it.
    mutating func read() {
        if let time = pulledAt { readAfter = max(readAfter, time) }
        pulledAt = nil
    }

    /// The file was written for the game.
    mutating func written(at time: MonotonicTime) { pulledAt = time }

    /// The file could not be written for the game.
    mutating func notWritten(retryAt time: MonotonicTime) { quietUntil = time }

    /// Another program or the agent has written the file.
    mutating func fellBehind() { isBehind = true }

    /// The game gets all changes.
    ///
    /// - Parameter historyNumber: The number of the newest step of its profile's history; `nil` if that has not
    ///   changed.
    mutating func caughtUp(offered: ProfileID?, choices: Int, historyNumber: Int64?) {
        (self.offered, self.choices, isBehind) = (offered, choices, false)
        if let historyNumber { announced = historyNumber }
    }

    /// The game gets a report.
    mutating func reported(_ report: Report) {
        reported = report
        reports += 1
    }

    /// Time has passed, and there may be changes. The game is told once that there is something to pull, until
    /// it asks.
    ///
    /// - Parameter choices: Counts the waiting choices. Called only if the profile has changed.
    mutating func updated(_ update: Update, now: MonotonicTime, choices: () -> Int) -> Changes {
        if let time = quietUntil, time <= now { quietUntil = nil }
        var changes = Changes(isOtherReport: update.report != reported)
        if !isChangeAnnounced, quietUntil == nil, isChange(update, choices) {
            isChangeAnnounced = true
            changes.isChanged = true
        }
        return changes
    }

    private mutating func isChange(_ update: Update, _ choices: () -> Int) -> Bool {
        if isBehind || update.offered != offered || update.isToBeWritten { return true }
        guard let vector = update.vector, vector != counted else { return false }
        counted = vector
        return choices() != self.choices
    }
}
