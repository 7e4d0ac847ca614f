import MergeCore
import ProfileKeeping

/// A game that `hearth play` started, or is about to start. It goes from one phase to the next by its events alone.
struct Play {
    /// The time that the other devices may take to be in step, before the game starts and again after it.
    static let patience = Duration.seconds(5)
    /// The time within which a device that can be reached at all is reached. A play does not wait longer for other
    /// devices.
    static let contact = Duration.seconds(2)

    enum Phase {
        /// The changes of the other devices come in first.
        case preparing
        /// The game runs. It has read the content that was in the file at `readAfter`, or a later content.
        case running(readAfter: MonotonicTime)
        /// The game has ended, and its save is sent out. Another request waits for the result.
        case ending(answer: Call<EndPlayRequest>)
    }

    let profile: ProfileID
    /// The name of the game.
    let game: String
    /// The mark by which its processes are found; `nil` where the client gave none.
    let mark: PlayMark?
    private(set) var phase = Phase.preparing
    /// The profile's vector when the game started.
    private(set) var start: VersionVector
    /// The time at which the phase ends, even if some device is behind.
    private(set) var until: MonotonicTime
    /// The time until which a play waits for devices that are not connected; `nil` once it has passed.
    private(set) var contactUntil: MonotonicTime?

    init(_ profile: ProfileID, _ game: String, _ mark: PlayMark?, start: VersionVector, now: MonotonicTime) {
        (self.profile, self.game, self.mark, self.start) = (profile, game, mark, start)
        until = now
        waitForOthers(now: now)
    }

    private mutating func waitForOthers(now: MonotonicTime) {
        until = now + Self.patience
        contactUntil = now + Self.contact
    }

    // MARK: What is known

    /// The time since which the running game has read the file; `nil` if it does not run.
    var readAfter: MonotonicTime? {
        if case .running(let time) = phase { time } else { nil }
    }

    /// The note of the running game for the record; `nil` if its processes could not be found again.
    var note: GameNote? {
        guard let mark, let readAfter else { return nil }
        return GameNote(profile: profile, game: game, readAfter: readAfter, mark: mark)
    }

    var deadline: MonotonicTime? { readAfter == nil ? min(until, contactUntil ?? until) : nil }

    // MARK: Events

    /// Time has passed.
    mutating func tick(now: MonotonicTime) {
        if let time = contactUntil, time <= now { contactUntil = nil }
    }

    /// The game runs.
    mutating func started(from vector: VersionVector, readAfter: MonotonicTime) {
        (phase, start) = (.running(readAfter: readAfter), vector)
    }

    /// The game has ended. Returns a description of the ended game; `nil` if it did not run.
    mutating func ended(answer: Call<EndPlayRequest>, now: MonotonicTime) -> EndedGame? {
        guard let readAfter else { return nil }
        let game = EndedGame(profile: profile, readAfter: readAfter, noteKey: note?.key)
        phase = .ending(answer: answer)
        waitForOthers(now: now)
        return game
    }
}
