import MergeCore
import ProfileKeeping

/// Games that run and end, whoever started them.
extension HouseholdAgent {
    /// The game that a profile's file is left alone for.
    func holder(of id: ProfileID) -> String? { games.holder(of: id, in: keeper.profiles) }

    /// A joined profile stands for the one that survived.
    func survivor(_ id: ProfileID) -> ProfileID { keeper.profiles.survivor(id) }

    /// A game has ended; its last save may still have to be taken up.
    mutating func gameEnded(_ profile: ProfileID, _ readAfter: Int64, now: Int64) {
        let id = survivor(profile)
        lookAgain(id, now: now)
        guard !watches.isSettled(id) else { return }
        games.awaitsLastSave(id, readAfter: readAfter)
    }

    /// Looks at a file in case an event is still under way.
    mutating func lookAgain(_ id: ProfileID, now: Int64) {
        guard differs(id), watches.isSettled(id) else { return }
        watches.look(at: id, now: now)
    }

    // MARK: Processes

    /// The device's configuration was read anew.
    mutating func configured(_ lines: [String: String], now: Int64) {
        take(games.configure(lines), now: now)
        lookAtProcesses(now: now)
    }

    /// Finds out which of the configured games run.
    mutating func lookAtProcesses(now: Int64) { take(games.lookAtProcesses(processTable, now: now), now: now) }

    /// The same of all games, where it is time.
    mutating func tickGames(now: Int64) {
        take(games.lookIfDue(processTable, now: now), now: now)
        take(games.lookAtLeft(processTable, isDueOnly: true, now: now), now: now)
    }

    private mutating func take(_ changes: [GameProcesses.Change], now: Int64) {
        for change in changes {
            switch change {
            case .runs(let line, let program):
                log(.info, "a game runs", ["profile": line, "process": program])
            case .ended(let line, let program, let readAfter):
                log(.info, "a game has ended", ["profile": line, "process": program])
                for id in profiles(named: line) { gameEnded(id, readAfter, now: now) }
            }
        }
    }

    // MARK: Games that outlive whoever held their file

    /// A game is about to start, or was found running: from now on a start of the agent finds its note.
    mutating func noteGame(_ play: Play, readAfter: Int64) {
        guard let note = play.note(readAfter: readAfter) else { return }
        games.held(note)
        commit(notes: [note.key: note.bytes])
    }

    /// Whoever held the file for a game is gone, and the game may be running.
    mutating func leave(_ play: Play, readAfter: Int64, now: Int64) {
        guard let note = play.note(readAfter: readAfter), !processTable.running([note.mark]).isEmpty else {
            return finishGame(play, readAfter: readAfter, now: now)
        }
        games.left(note, now: now)
        log(.notice, "a game runs on though the command that played it is gone", ["game": play.game])
    }

    /// A game has ended, and all it had started.
    mutating func finishGame(_ play: Play, readAfter: Int64, now: Int64) {
        gameEnded(play.profile, readAfter, now: now)
        guard let note = play.note(readAfter: readAfter) else { return }
        commit(notes: games.ended(note.key, of: survivor(play.profile)))
    }

    /// Finds out which of the games that nobody holds still run.
    mutating func lookAtLeftGames(now: Int64) { take(games.lookAtLeft(processTable, now: now), now: now) }

    private mutating func take(_ gone: [GameNote], now: Int64) {
        for note in gone {
            log(.info, "a game has ended", ["game": note.game])
            gameEnded(note.profile, note.readAfter, now: now)
            commit(notes: games.ended(note.key, of: survivor(note.profile)))
        }
    }
}
