import MergeCore
import ProfileKeeping
import SyncProtocol

/// Games that `hearth play` runs: changes come in before the game, wait during it, and go out after it.
extension HouseholdAgent {
    /// Begins a play.
    ///
    /// If the game runs already, its file is held at once, without a sync before.
    mutating func play(_ call: Call<PlayRequest>, _ request: PlayRequest, now: Moment) {
        let (name, mark) = (request.profile, request.mark)
        guard !profiles(named: name).isEmpty else {
            return fail(call.id, .usage, "no profile \(name) is known here; 'hearth status' lists them")
        }
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile] else { return }
        guard held.file.path != nil else {
            let sentence =
                "\(held.name) has no file on this device; this puts one where the game looks: hearth restore "
                + "\(engine.word(profile)) --to FILE"
            return fail(call.id, .failed, sentence)
        }
        var play = Play(profile, request.game, mark, .preparing, start: held.state.vector, now: now.monotonic)
        if let since = request.since {
            // A note of the game tells more exactly what it has read.
            let noted = mark.flatMap { games.noted(profile, $0) }
            let readAfter = noted ?? GameProcesses.readAfter(start: min(now.monotonic(at: since), now.monotonic))
            play.phase = .running(readAfter: readAfter)
            noteGame(play, readAfter: readAfter, now: now)
            games.set(play, for: call.id)
            return tell(call, playReport(call.id, profile))
        }
        games.set(play, for: call.id)
        lookAgain(profile, now: now)
        plan.hurryAll(now: now.monotonic)
    }

    /// Ends a play: the game is over, and the client waits for the result.
    mutating func endPlay(_ call: Call<EndPlayRequest>, _ number: RequestID, now: Moment) {
        guard var play = games.plays[number], case .running(let readAfter) = play.phase else {
            return fail(call.id, .failed, "the agent knows no such game; it was started anew meanwhile")
        }
        play.phase = .ending(answer: call)
        play.waitForOthers(now: now.monotonic)
        games.set(play, for: number)
        finishGame(play, readAfter: readAfter, now: now)
        plan.hurryAll(now: now.monotonic)
    }

    /// Handles a client that is gone, for whatever reason.
    mutating func abandonPlay(_ id: RequestID, now: Moment) {
        guard let play = games.plays[id] else { return }
        games.set(nil as Play?, for: id)
        switch play.phase {
        case .preparing: break
        case .running(let readAfter): leave(play, readAfter: readAfter, now: now)
        case .ending(let answer): fail(answer.id, .failed, "whoever played is gone")
        }
    }

    mutating func tickPlays(now: Moment) {
        for (id, var play) in games.plays.sorted(by: { $0.key < $1.key }) {
            if let time = play.contactUntil, time <= now.monotonic { play.contactUntil = nil }
            games.set(play, for: id)
            switch play.phase {
            case .running: continue
            case .preparing where play.until <= now.monotonic || isReady(play, now: now): begin(id, &play, now: now)
            case .ending(let end) where play.until <= now.monotonic || isReady(play, now: now):
                games.set(nil as Play?, for: id)
                let report = playedReport(play)
                answer(Call<PlayRequest>(id), report)
                answer(end, report)
            case .preparing, .ending: continue
            }
        }
    }

    private mutating func begin(_ id: RequestID, _ play: inout Play, now: Moment) {
        let profile = canonicalID(play.profile)
        // The game does not run yet, so nobody can be in the middle of replacing the file.
        if engine.profiles[profile]?.file.status == .missing { watches.mayWriteAtOnce(profile, now: now.monotonic) }
        projectIfDue(profile, now: now)
        if !watches.isSettled(profile) || firstFiles.isAsking(profile), now.monotonic < play.until { return }
        play.start = engine.profiles[profile]?.state.vector ?? play.start
        play.phase = .running(readAfter: now.monotonic)
        noteGame(play, readAfter: now.monotonic, now: now)
        games.set(play, for: id)
        tell(Call<PlayRequest>(id), playReport(id, profile))
    }

    /// Whether the file is taken up, and every device that can be reached is in step.
    private func isReady(_ play: Play, now: Moment) -> Bool {
        let profile = canonicalID(play.profile)
        guard watches.isSettled(profile) else { return false }
        guard household.roster.members.count > 1, port != nil else { return true }
        if syncReport([profile]).behind.isEmpty { return true }
        if links.all.contains(where: { !$0.live.isUp || !$0.live.link.isSettled(profile) }) { return false }
        guard play.contactUntil != nil else { return true }
        // No device is being dialled, and every device that could be discovered by now has been.
        return !plan.isDialling() && started + Play.contact <= now.monotonic
    }

    // MARK: Reports

    private func playReport(_ id: RequestID, _ profile: ProfileID) -> PlayReport {
        let sync = syncReport([profile])
        let obstacle = obstacle(profile)
        var trouble = obstacle?.words
        if paused.contains(profile), let name = engine.profiles[profile]?.name {
            let word = engine.word(profile)
            trouble =
                "sync of \(name) is paused, so nothing is brought in before the game and nothing goes out after it; go "
                + "on with: hearth resume \(word)"
        }
        return PlayReport(
            play: Int(truncatingIfNeeded: id.rawValue), inStep: obstacle == nil ? sync.inStep : [],
            behind: sync.behind, trouble: trouble)
    }

    private func playedReport(_ play: Play) -> PlayedReport {
        let profile = canonicalID(play.profile)
        var changed: Set<DocumentPath> = []
        if let held = engine.profiles[profile] {
            for atom in held.state.delta(beyond: play.start) where atom.atom.dot.replica == held.replica {
                if !atom.key.path.isReserved { changed.insert(atom.key.path) }
            }
        }
        let sync = syncReport([profile])
        // Nobody "has it" while the file here holds something else than the household, or the save was set aside.
        let obstacle = obstacle(profile)
        return PlayedReport(
            changed: changed.count, inStep: obstacle == nil ? sync.inStep : [], behind: sync.behind,
            trouble: obstacle?.words ?? engine.profiles[profile]?.remark,
            isPaused: paused.contains(profile) ? true : nil)
    }
}
