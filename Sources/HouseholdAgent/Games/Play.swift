import MergeCore
import ProfileKeeping

/// A game that `hearth play` started, or is about to start.
struct Play {
    /// Milliseconds the others may take to be in step, before the game starts and again after it.
    static let patience: Int64 = 5_000
    /// Milliseconds in which a device that can be reached at all is reached; nobody waits longer for one that is away.
    static let contact: Int64 = 2_000

    enum Phase {
        /// What the others have comes in first.
        case preparing
        /// The game runs. It has read what stood in the file at that time, or was put there later.
        case running(readAfter: Int64)
        /// The game is over, and what it saved goes out; another request asks how that went.
        case ending(answer: RequestID)
    }

    let profile: ProfileID
    /// What the game is called.
    let game: String
    /// How its processes are known; `nil` where whoever plays did not say.
    let mark: PlayMark?
    var phase: Phase
    /// What our state covered when the game started.
    var start: VersionVector
    /// When the phase is over, whoever is behind.
    var until: Int64
    /// Until when devices that are not connected are waited for.
    var contactUntil: Int64?

    init(
        _ profile: ProfileID, _ game: String, _ mark: PlayMark?, _ phase: Phase, start: VersionVector, now: Int64
    ) {
        (self.profile, self.game, self.mark, self.phase, self.start) = (profile, game, mark, phase, start)
        until = now
        waitForOthers(now: now)
    }

    /// What the record is to remember of the game; `nil` where its processes cannot be known again.
    func note(readAfter: Int64) -> GameNote? {
        mark.map { GameNote(profile: profile, game: game, readAfter: readAfter, mark: $0) }
    }

    mutating func waitForOthers(now: Int64) {
        until = now + Self.patience
        contactUntil = now + Self.contact
    }

    var deadline: Int64? {
        if case .running = phase { return nil }
        return min(until, contactUntil ?? until)
    }
}
