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

    mutating func waitForOthers(now: Int64) {
        until = now + Self.patience
        contactUntil = now + Self.contact
    }

    var deadline: Int64? {
        if case .running = phase { return nil }
        return min(until, contactUntil ?? until)
    }
}

/// The programs that play profiles, by the device's configuration, and which of them run.
struct GameProcesses {
    /// Milliseconds between two looks.
    static let interval: Int64 = 2_000
    /// Milliseconds before a process's start in which a projection may not have been done yet when it read the file: a
    /// projection is dated by its beginning, and slow disks take their time.
    static let margin: Int64 = 2_000

    /// The program's name, by profile name or id.
    var lines: [String: String]
    /// Since when the programs of lines run.
    var running: [String: Int64] = [:]
    var next: Int64?

    init(lines: [String: String]) { self.lines = lines }

    /// What a process that started at a time has read: this, or what came later.
    static func readAfter(start: Int64) -> Int64 {
        let (time, overflow) = start.subtractingReportingOverflow(margin)
        return overflow ? .min : time
    }
}
