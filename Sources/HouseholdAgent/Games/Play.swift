import MergeCore
import ProfileKeeping

/// A game that `hearth play` started, or is about to start.
struct Play {
    /// The time that the other devices may take to be in step, before the game starts and again after it.
    static let patience = Duration.seconds(5)
    /// The time within which a device that can be reached at all is reached. Nobody waits longer for one that is
    /// away.
    static let contact = Duration.seconds(2)

    enum Phase {
        /// The changes of the other devices come in first.
        case preparing
        /// The game runs. It has read what stood in the file at `readAfter`, or a later content.
        case running(readAfter: MonotonicTime)
        /// The game is over, and its save is sent out. Another request waits for the result.
        case ending(answer: Call<EndPlayRequest>)
    }

    let profile: ProfileID
    /// The name of the game.
    let game: String
    /// The mark by which its processes are found; `nil` where the client gave none.
    let mark: PlayMark?
    var phase: Phase
    /// The profile's vector when the game started.
    var start: VersionVector
    /// The time at which the phase ends, even if some device is behind.
    var until: MonotonicTime
    /// The time until which devices that are not connected are waited for.
    var contactUntil: MonotonicTime?

    init(
        _ profile: ProfileID, _ game: String, _ mark: PlayMark?, _ phase: Phase, start: VersionVector,
        now: MonotonicTime
    ) {
        (self.profile, self.game, self.mark, self.phase, self.start) = (profile, game, mark, phase, start)
        until = now
        waitForOthers(now: now)
    }

    /// The note of the game for the record; `nil` where its processes could not be found again.
    func note(readAfter: MonotonicTime) -> GameNote? {
        mark.map { GameNote(profile: profile, game: game, readAfter: readAfter, mark: $0) }
    }

    mutating func waitForOthers(now: MonotonicTime) {
        until = now + Self.patience
        contactUntil = now + Self.contact
    }

    var deadline: MonotonicTime? {
        if case .running = phase { return nil }
        return min(until, contactUntil ?? until)
    }
}
