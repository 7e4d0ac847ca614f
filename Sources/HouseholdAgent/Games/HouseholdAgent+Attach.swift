import MergeCore
import ProfileKeeping

/// Attachments: games that hold their profile open, such as those built with the library.
///
/// Such a game always works on the content of its file, so no base has to be guessed. Hearth writes to its file only
/// while the game waits for that. The game is told that there are changes, and asks for them when it is ready.
extension HouseholdAgent {
    mutating func attach(_ call: Call<AttachRequest>, _ attaching: AttachRequest, now: Moment) {
        let isKnown = engine.profile(at: attaching.path) != nil
        let profile: ProfileID?
        do {
            profile = try self.profile(for: attaching, now: now)
        } catch {
            return fail(call.id, .failed, error.message)
        }
        var (rulesTrouble, announced): (String?, Int64) = (nil, 0)
        if let profile {
            rulesTrouble = putInForce(attaching, profile, isKnown: isKnown, now: now)
            // A save from before the attachment also counts as written by a game that reads its file.
            commit(notes: games.readsItsFile(profile))
            // The file is looked at even if it is unchanged: the game may have put exactly that save back.
            look(profile, now: now)
            // A profile that is new on this device reports all its steps.
            if isKnown { announced = engine.profiles[profile]?.historyNumber ?? 0 }
        }
        let attachment = Attachment(
            attaching, to: profile, rulesTrouble: rulesTrouble, announced: announced, now: now.monotonic)
        games.attached(call.id, attachment)
        games.caughtUp(call.id, offered: nameConflict(of: attachment), choices: choices(of: profile))
        // A game starts, or comes back: a good moment to look for all other devices.
        plan.hurryAll(now: now.monotonic)
        if let report = report(call.id, since: announced) { tell(call, .attached(report: report)) }
    }

    /// Takes up the game's last save, and writes what other devices changed into its file.
    mutating func pull(_ call: Call<PullRequest>, _ number: RequestID, hurry: Bool, now: Moment) {
        guard let attachment = games.attachments[number] else { return failUnknown(call.id) }
        if hurry { plan.hurryAll(now: now.monotonic) }
        let profile = attachment.profile.map { canonicalID($0) }
        if let profile, !paused.contains(profile),
            awaitsForm(profile, patience: FirstFiles.gamePatience, now: now)
        {
            waiting.add(call.id, AwaitedFile(profile: profile, request: .pull(call, number, hurry: hurry)))
            return
        }
        games.asked(number, as: profile)
        if let profile, !paused.contains(profile) { write(profile, for: number, now: now) }
        games.caughtUp(
            number, offered: nameConflict(of: attachment), choices: choices(of: profile),
            historyNumber: profile.flatMap { engine.profiles[$0]?.historyNumber })
        if let report = report(number, since: attachment.announced) { answer(call, report) }
    }

    /// Notes that the game has read what was written for it.
    mutating func ack(_ call: Call<AckRequest>, _ number: RequestID) {
        guard games.read(number) else { return failUnknown(call.id) }
        answer(call, Done())
    }

    /// Tells games about changes, once until they ask for them; status that games only display is told at once.
    mutating func tickAttachments(now: Moment) {
        for (id, attachment) in games.attachments.sorted(by: { $0.key < $1.key }) {
            let (profiles, profile) = (engine.profiles, attachment.profile.map { canonicalID($0) })
            let news = news(for: attachment)
            let effects = games.heard(id, news, now: now.monotonic) { Self.choices(of: profile, in: profiles) }
            perform(effects, now: now)
        }
    }

    // MARK: Parts

    private mutating func failUnknown(_ id: RequestID) {
        fail(id, .failed, "the agent knows no such game; the agent was restarted")
    }

    private mutating func write(_ profile: ProfileID, for number: RequestID, now: Moment) {
        for _ in 0..<Attachment.projectionTries {
            if differs(profile) { look(profile, now: now) }
            // The game itself waits for this, so it is not in the middle of replacing the file.
            guard engine.wantsProjection(profile) else { return }
            if case .bad? = engine.profiles[profile]?.file.status { return }
            switch engine.project(profile, tag: random.next(), like: firstFiles.form(of: profile), now: now) {
            case .nothingToDo: return
            case .written:
                firstFiles.end(profile)
                games.written(for: number, at: now.monotonic)
                watches.written(profile)
                return games.fileMoved(profile, in: engine.profiles)
            case .fileChanged: continue
            case .postponed:
                games.notWritten(for: number, retryAt: now.monotonic + FileWatches.retryInterval)
                return log(
                    .warning, "the merged state cannot be written", ["why": engine.profiles[profile]?.trouble ?? ""])
            }
        }
        games.notWritten(for: number, retryAt: now.monotonic + FileWatches.retryInterval)
    }

    // MARK: Reports

    private func news(for attachment: Attachment) -> Attachment.News {
        var news = Attachment.News(offered: nameConflict(of: attachment))
        news.report = report(of: attachment, news.offered)
        guard let former = attachment.profile else { return news }
        let profile = canonicalID(former)
        news.vector = engine.profiles[profile]?.state.vector
        news.isToBeWritten = news.vector != nil && engine.wantsProjection(profile) && !paused.contains(profile)
        return news
    }

    private func report(of attachment: Attachment, _ nameConflict: ProfileID?) -> Attachment.Report {
        var report = Attachment.Report(trouble: recordTrouble)
        if let nameConflict { report.offer = engine.profiles[nameConflict]?.state.vector }
        guard let former = attachment.profile else { return report }
        let profile = canonicalID(former)
        (report.isPaused, report.lastSync) = (paused.contains(profile), syncTimes[profile])
        if recordTrouble == nil, !report.isPaused { report.trouble = fileState(of: profile).reason }
        return report
    }

    /// The present state, to be sent to an attached game now; `nil` if the game is gone.
    ///
    /// - Parameter announced: The number of the history step after which the steps are included; `nil` for no steps.
    mutating func report(_ id: RequestID, since announced: Int64? = nil) -> AttachmentReport? {
        guard let former = games.attachments[id] else { return nil }
        let nameConflict = nameConflict(of: former)
        let report = report(of: former, nameConflict)
        games.reported(report, to: id)
        guard let attachment = games.attachments[id] else { return nil }
        var result = AttachmentReport(
            attachment: Int(truncatingIfNeeded: id.rawValue), number: attachment.reports, device: settings.deviceName,
            rulesTrouble: attachment.rulesTrouble, isPaused: report.isPaused,
            lastSync: report.lastSync?.milliseconds,
            trouble: report.trouble, choices: attachment.choices, steps: [])
        if let profile = attachment.profile { result.profile = canonicalID(profile).description }
        if let nameConflict { result.offer = summaryReport(nameConflict) }
        if let announced { result.steps = steps(of: attachment, since: announced) }
        return result
    }

    /// The history steps after `announced`, without saves on this device.
    private func steps(of attachment: Attachment, since announced: Int64) -> [HistoryReport] {
        guard let former = attachment.profile else { return [] }
        let profile = canonicalID(former)
        guard let steps = try? engine.history(profile, limit: Attachment.stepLimit) else { return [] }
        var reports: [HistoryReport] = []
        for step in steps where step.number > announced && step.entry.origin != .save {
            if let report = historyReport(step) { reports.append(report) }
        }
        return reports
    }
}
