import MergeCore
import ProfileKeeping
import SyncProtocol

/// Games that `hearth play` runs: changes come in before the game, wait during it, and go out after it.
extension HouseholdAgent {
    /// Begins a play.
    ///
    /// If the game runs already, Hearth stops writing to its file at once, without a sync before.
    mutating func play(_ call: Call<PlayRequest>, _ request: PlayRequest, now: Moment) {
        guard let profile = one(named: request.profile, for: call.id), let held = engine.profiles[profile] else {
            return
        }
        guard held.file.path != nil else {
            let sentence =
                "\(held.name) has no file on this device; this puts one where the game looks: hearth restore "
                + "\(engine.word(profile)) --to FILE"
            return fail(call.id, .failed, sentence)
        }
        let play = Play(profile, request.game, request.mark, start: held.vector, now: now.monotonic)
        if let since = request.since {
            let start = now.monotonic(at: since)
            return perform(games.foundRunning(call.id, play, start: start, now: now), now: now)
        }
        games.prepare(call.id, play)
        lookAgain(profile, now: now)
        plan.hurryAll(now: now.monotonic)
    }

    /// Ends a play: the game is over, and the client waits for the result.
    mutating func endPlay(_ call: Call<EndPlayRequest>, _ number: RequestID, now: Moment) {
        guard let effects = games.ended(number, answer: call, now: now.monotonic) else {
            return fail(call.id, .failed, "the agent knows no such game; the agent was restarted")
        }
        perform(effects, now: now)
        plan.hurryAll(now: now.monotonic)
    }

    mutating func tickPlays(now: Moment) {
        for (id, play) in games.waitingPlays(now: now.monotonic)
        where play.until <= now.monotonic || isReady(play, now: now) {
            switch play.phase {
            case .preparing: begin(id, play, now: now)
            case .running: break
            case .ending: perform(games.sentOut(id), now: now)
            }
        }
    }

    private mutating func begin(_ id: RequestID, _ play: Play, now: Moment) {
        let profile = canonicalID(play.profile)
        // The game does not run yet, so no program can be in the middle of replacing the file.
        if engine.profiles[profile]?.file.status == .missing { watches.mayWriteAtOnce(profile, now: now.monotonic) }
        // The game reads the file when it starts, so what there is to write is written before.
        afterSettling { agent in
            let waits = !agent.watches.isSettled(profile) || agent.firstFiles.isAsking(profile)
            if waits, now.monotonic < play.until { return }
            let vector = agent.engine.profiles[profile]?.vector
            agent.perform(agent.games.started(id, from: vector, now: now), now: now)
        }
    }

    /// Whether the file was read, and every device that can be reached is in step.
    private func isReady(_ play: Play, now: Moment) -> Bool {
        let profile = canonicalID(play.profile)
        guard watches.isSettled(profile) else { return false }
        guard household.roster.members.count > 1, port != nil else { return true }
        let report = syncReport([profile])
        if report.behind.isEmpty {
            // Before the game it does not matter what the other files show. After it, a file that takes what was played
            // needs a moment; a game that runs there is not waited for.
            guard case .ending = play.phase else { return true }
            return report.filesBehind == nil || play.contactUntil == nil
        }
        if links.all.contains(where: { !$0.live.isUp || !$0.live.link.isSettled(profile) }) { return false }
        guard play.contactUntil != nil else { return true }
        // No device is being dialled, and discovery had the time to find every device.
        return !plan.isDialling() && started + Play.contact <= now.monotonic
    }

    // MARK: Reports

    func playReport(_ id: RequestID, _ profile: ProfileID) -> PlayReport {
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

    func playedReport(_ play: Play) -> PlayedReport {
        let profile = canonicalID(play.profile)
        let changed = engine.profiles[profile].map { held in
            let own = held.state.delta(beyond: play.start).filter { $0.atom.dot.replica == held.replica }
            return held.state.places(of: own.map(\.key))
        }
        // Of a paused profile nothing is compared, so nothing is said of any device.
        let isPaused = paused.contains(profile)
        let sync = isPaused ? SyncReport(inStep: [], behind: []) : syncReport([profile])
        // No device counts as in step while the file here differs from the household, or the save was set aside.
        let obstacle = obstacle(profile)
        let remarks =
            engine.profiles[profile].map { RemarkWords.sentences($0.notices, word: engine.word(profile)) } ?? []
        // The commands are those of status.
        let said = remarks.map { String($0.prefix { $0 != "\n" }) } + (remarks.isEmpty ? [] : ["see: hearth status"])
        return PlayedReport(
            changed: changed?.count ?? 0, inStep: obstacle == nil ? sync.inStep : [], behind: sync.behind,
            filesBehind: obstacle == nil ? sync.filesBehind : nil,
            held: isPaused ? nil : Self.some(heldBack([profile])),
            trouble: obstacle?.words ?? Self.some(said)?.joined(separator: "; "),
            isPaused: isPaused ? true : nil)
    }
}
