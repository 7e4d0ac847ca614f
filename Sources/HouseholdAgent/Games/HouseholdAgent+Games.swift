import MergeCore
import ProfileKeeping

/// Games that start and end, however they were started.
extension HouseholdAgent {
    /// The running game for which a profile's file is left alone.
    func holder(of id: ProfileID) -> String? { games.holder(of: id, in: engine.profiles) }

    /// The profile into which a profile was joined, or the profile itself.
    func canonicalID(_ id: ProfileID) -> ProfileID { engine.profiles.canonicalID(id) }

    mutating func perform(_ effects: [GameSessions.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .mayStart(let id, let profile):
                tell(Call<PlayRequest>(id)) { $0.playReport(id, $0.canonicalID(profile)) }
            case .finish(let game): finish(game, now: now)
            case .runsOn(let game):
                log(.notice, "a game runs on though the command that played it is gone", ["game": game])
            case .played(let id, let play, let end):
                answer(Call<PlayRequest>(id)) { $0.playedReport(play) }
                answer(end) { $0.playedReport(play) }
            case .isGone(let end): fail(end.id, .failed, "the command that started the game has ended")
            case .changed(let id): tell(Call<SubscribeRequest>(id)) { _ in .changed }
            case .status(let id):
                afterSettling { agent in
                    guard let report = agent.report(id) else { return }
                    agent.tell(Call<SubscribeRequest>(id)) { _ in .status(report: report) }
                }
            }
        }
    }

    /// Handles the end of a game and of all processes that it had started.
    private mutating func finish(_ game: EndedGame, now: Moment) {
        gameEnded(game.profile, game.readAfter, now: now)
        guard let key = game.noteKey else { return }
        games.ended(key, of: canonicalID(game.profile))
    }

    /// Handles the end of a game: its last save may still have to be read.
    private mutating func gameEnded(_ profile: ProfileID, _ readAfter: MonotonicTime, now: Moment) {
        let id = canonicalID(profile)
        lookAgain(id, now: now)
        guard !watches.isSettled(id) else { return }
        games.awaitsLastSave(id, readAfter: readAfter)
    }

    /// Looks at a file whose change may not have been reported yet.
    mutating func lookAgain(_ id: ProfileID, now: Moment) {
        guard differs(id), watches.isSettled(id) else { return }
        watches.look(at: id, now: now.monotonic)
    }

    // MARK: Processes

    /// Takes the changed configuration.
    mutating func configured(_ lines: [String: String], now: Moment) {
        take(games.configure(lines), now: now)
        lookAtProcesses(now: now)
    }

    /// Checks which of the configured games run.
    mutating func lookAtProcesses(now: Moment) {
        take(games.lookAtProcesses(processTable, now: now.monotonic), now: now)
    }

    /// Checks all games, if it is time.
    mutating func tickGames(now: Moment) {
        take(games.lookIfDue(processTable, now: now.monotonic), now: now)
        take(games.lookAtOrphaned(processTable, isDueOnly: true, now: now.monotonic), now: now)
    }

    private mutating func take(_ changes: [GameProcesses.Change], now: Moment) {
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

    /// Checks which of the games without a holder still run.
    mutating func lookAtOrphanedGames(now: Moment) {
        take(games.lookAtOrphaned(processTable, now: now.monotonic), now: now)
    }

    private mutating func take(_ gone: [GameNote], now: Moment) {
        for note in gone {
            log(.info, "a game has ended", ["game": note.game])
            finish(EndedGame(profile: note.profile, readAfter: note.readAfter, noteKey: note.key), now: now)
        }
    }
}
