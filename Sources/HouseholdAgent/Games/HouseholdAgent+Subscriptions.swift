import MergeCore
import ProfileKeeping

/// Subscriptions: games that hold their profile open, such as those built with the library.
///
/// Such a game always works on the content of its file, so no base has to be guessed. Hearth writes to its file only
/// while the game waits for that. The game is told that there are changes, and asks for them when it is ready.
extension HouseholdAgent {
    mutating func subscribe(_ call: Call<SubscribeRequest>, _ request: SubscribeRequest, now: Moment) {
        let isKnown = engine.profile(at: request.path) != nil
        let profile: ProfileID?
        do {
            profile = try self.profile(for: request, now: now)
        } catch {
            return fail(call.id, .failed, error.message)
        }
        var (rulesTrouble, announced): (String?, Int64) = (nil, 0)
        if let profile {
            rulesTrouble = putInForce(request, profile, isKnown: isKnown, now: now)
            // A save from before the subscription also counts as written by a game that reads its file.
            games.readsItsFile(profile)
            // The file is looked at even if it is unchanged: the game may have put exactly that save back.
            look(profile, now: now)
            // A profile that is new on this device reports all its steps.
            if isKnown { announced = engine.historyNumber(profile) }
        }
        let subscription = Subscription(
            request, to: profile, rulesTrouble: rulesTrouble, announced: announced, now: now.monotonic)
        games.subscribed(call.id, subscription)
        // A game starts, or comes back: a good moment to look for all other devices.
        plan.hurryAll(now: now.monotonic)
        afterSettling { agent in
            agent.games.caughtUp(
                call.id, offered: agent.nameConflict(of: subscription), choices: agent.choices(of: profile))
            guard let report = agent.report(call.id, since: subscription.announced) else { return }
            agent.tell(call) { _ in .subscribed(report: report) }
        }
    }

    /// Takes up the game's last save, and writes what other devices changed into its file.
    mutating func pull(_ call: Call<PullRequest>, _ number: RequestID, hurry: Bool, now: Moment) {
        guard let subscription = games.subscriptions[number] else { return failUnknown(call.id) }
        if hurry { plan.hurryAll(now: now.monotonic) }
        let profile = subscription.profile.map { canonicalID($0) }
        if let profile, !paused.contains(profile),
            awaitsForm(profile, patience: FirstFiles.gamePatience, now: now)
        {
            waiting.add(call.id, AwaitedFile(profile: profile, request: .pull(call, number, hurry: hurry)))
            return
        }
        games.asked(number, as: profile)
        var isWritten = false
        if let profile, !paused.contains(profile) { isWritten = write(profile, for: number, now: now) }
        // Steps that are not in the file yet are told again with the report after which they are.
        let newest = isWritten ? profile.map { engine.historyNumber($0) } : nil
        afterSettling { agent in
            agent.games.caughtUp(
                number, offered: agent.nameConflict(of: subscription), choices: agent.choices(of: profile),
                historyNumber: newest)
            guard let report = agent.report(number, since: subscription.announced) else { return }
            agent.answer(call) { _ in report }
        }
    }

    /// Notes that the game has read what was written for it.
    mutating func ack(_ call: Call<AckRequest>, _ number: RequestID) {
        guard games.read(number) else { return failUnknown(call.id) }
        answer(call) { _ in Done() }
    }

    /// Tells games about changes, once until they ask for them; status that games only display is told at once.
    mutating func tickSubscriptions(now: Moment) {
        for (id, subscription) in games.subscriptions.sorted(by: { $0.key < $1.key }) {
            let (profiles, profile) = (engine.profiles, subscription.profile.map { canonicalID($0) })
            let update = update(for: subscription)
            let effects = games.updated(id, update, now: now.monotonic) { Self.choices(of: profile, in: profiles) }
            perform(effects, now: now)
        }
    }

    // MARK: Parts

    private mutating func failUnknown(_ id: RequestID) {
        fail(id, .failed, "the agent knows no such game; the agent was restarted")
    }

    /// Writes what the profile shows into its file. Returns whether the file holds it.
    private mutating func write(_ profile: ProfileID, for number: RequestID, now: Moment) -> Bool {
        for _ in 0..<Subscription.projectionTries {
            if differs(profile) { look(profile, now: now) }
            // The game itself waits for this, so it is not in the middle of replacing the file.
            guard engine.wantsProjection(profile) else { return true }
            if case .bad? = engine.profiles[profile]?.file.status { break }
            var generator = random
            let outcome = engine.project(
                profile, tag: generator.next(), like: firstFiles.form(of: profile), now: now)
            random = generator
            switch outcome {
            case .nothingToDo: return true
            case .written:
                firstFiles.end(profile)
                games.written(for: number, at: now.monotonic)
                watches.written(profile)
                games.fileMoved(profile, in: engine.profiles)
                return true
            case .fileChanged: continue
            case .postponed:
                games.notWritten(for: number, retryAt: now.monotonic + FileWatches.retryInterval)
                noteUnwritten(profile)
                return false
            }
        }
        games.notWritten(for: number, retryAt: now.monotonic + FileWatches.retryInterval)
        return false
    }

    // MARK: Reports

    private func update(for subscription: Subscription) -> Subscription.Update {
        var update = Subscription.Update(offered: nameConflict(of: subscription))
        update.report = report(of: subscription, update.offered)
        guard let former = subscription.profile else { return update }
        let profile = canonicalID(former)
        update.vector = engine.profiles[profile]?.vector
        update.isToBeWritten = update.vector != nil && engine.wantsProjection(profile) && !paused.contains(profile)
        return update
    }

    private func report(of subscription: Subscription, _ nameConflict: ProfileID?) -> Subscription.Report {
        var report = Subscription.Report(trouble: recordTrouble)
        if let nameConflict { report.offer = engine.profiles[nameConflict]?.vector }
        guard let former = subscription.profile else { return report }
        let profile = canonicalID(former)
        (report.isPaused, report.lastSync) = (paused.contains(profile), syncTimes[profile])
        if recordTrouble == nil, !report.isPaused { report.trouble = fileState(of: profile).reason }
        return report
    }

    /// The present state, to be sent to a subscribed game now; `nil` if the game is gone.
    ///
    /// - Parameter announced: The number of the history step after which the steps are included; `nil` for no steps.
    mutating func report(_ id: RequestID, since announced: Int64? = nil) -> SubscriptionReport? {
        guard let former = games.subscriptions[id] else { return nil }
        let nameConflict = nameConflict(of: former)
        let report = report(of: former, nameConflict)
        games.reported(report, to: id)
        guard let subscription = games.subscriptions[id] else { return nil }
        var result = SubscriptionReport(
            subscription: Int(truncatingIfNeeded: id.rawValue), number: subscription.reports,
            device: identity.name,
            rulesTrouble: subscription.rulesTrouble, isPaused: report.isPaused,
            lastSync: report.lastSync?.milliseconds,
            trouble: report.trouble, choices: subscription.choices, steps: [])
        if let profile = subscription.profile { result.profile = canonicalID(profile).description }
        if let nameConflict { result.offer = summaryReport(nameConflict) }
        if let announced { result.steps = steps(of: subscription, since: announced) }
        return result
    }

    /// The history steps after `announced`, without saves on this device.
    private func steps(of subscription: Subscription, since announced: Int64) -> [HistoryReport] {
        guard let former = subscription.profile else { return [] }
        let profile = canonicalID(former)
        guard let steps = try? engine.history(profile, limit: Subscription.stepLimit) else { return [] }
        var reports: [HistoryReport] = []
        for step in steps where step.number > announced && step.entry.origin != .save {
            if let report = historyReport(step) { reports.append(report) }
        }
        return reports
    }
}
