import MergeCore
import ProfileKeeping

/// Attachments: games that hold their profile open, such as those built with the library.
///
/// Such a game always works on what its file holds, so no base has to be guessed. Its file is written only while it
/// waits for that. The game is told of changes, and asks for it when it is ready.
extension HouseholdAgent {
    mutating func attach(_ call: Call<AttachRequest>, _ attaching: AttachRequest, now: Moment) {
        var attachment = Attachment(attaching, now: now.monotonic)
        let isKnown = engine.profile(at: attaching.path) != nil
        do {
            attachment.profile = try profile(for: attaching, now: now)
        } catch {
            return fail(call.id, .failed, error.message)
        }
        if let profile = attachment.profile {
            attachment.rulesTrouble = putInForce(attaching, profile, isKnown: isKnown, now: now)
            // A save from before the attachment also counts as written by a game that reads its file.
            commit(notes: games.readsItsFile(profile))
            // The file is looked at even if it is unchanged: the game may have put exactly that save back.
            look(profile, now: now)
            // A profile that is new on this device reports all its steps.
            if isKnown { attachment.told = engine.profiles[profile]?.historyNumber ?? 0 }
        }
        attachment.offered = nameConflict(of: attachment)
        attachment.choices = choices(of: attachment.profile)
        // A game starts, or comes back: a good moment to look for all other devices.
        plan.hurryAll(now: now.monotonic)
        var report = report(call.id, &attachment)
        report.steps = steps(of: attachment, since: attachment.told)
        games.set(attachment, for: call.id)
        tell(call, .attached(report: report))
    }

    /// Takes up the game's last save, and writes what other devices changed into its file.
    mutating func pull(_ call: Call<PullRequest>, _ number: RequestID, hurry: Bool, now: Moment) {
        guard var attachment = games.attachments[number] else { return failUnknown(call.id) }
        if hurry { plan.hurryAll(now: now.monotonic) }
        if let former = attachment.profile {
            let profile = canonicalID(former)
            if !paused.contains(profile), awaitsForm(profile, patience: FirstFiles.gamePatience, now: now) {
                waiting.add(call.id, AwaitedFile(profile: profile, request: .pull(call, number, hurry: hurry)))
                return
            }
        }
        // A game that asks again has read what it got before.
        if let time = attachment.pulledAt { attachment.readAfter = max(attachment.readAfter, time) }
        (attachment.pulledAt, attachment.isChangeTold, attachment.quietUntil) = (nil, false, nil)
        attachment.isBehind = false
        games.set(attachment, for: number)
        if let former = attachment.profile {
            let profile = canonicalID(former)
            attachment.profile = profile
            if !paused.contains(profile) { write(profile, for: &attachment, now: now) }
            attachment.isBehind = false
        }
        attachment.offered = nameConflict(of: attachment)
        attachment.choices = choices(of: attachment.profile)
        let told = attachment.told
        if let profile = attachment.profile { attachment.told = engine.profiles[profile]?.historyNumber ?? told }
        var report = report(number, &attachment)
        report.steps = steps(of: attachment, since: told)
        games.set(attachment, for: number)
        answer(call, report)
    }

    /// Notes that the game has read what was written for it: no earlier snapshot can be the base of its next save.
    mutating func ack(_ call: Call<AckRequest>, _ number: RequestID) {
        guard var attachment = games.attachments[number] else { return failUnknown(call.id) }
        if let time = attachment.pulledAt { attachment.readAfter = max(attachment.readAfter, time) }
        attachment.pulledAt = nil
        games.set(attachment, for: number)
        answer(call, Done())
    }

    /// Ends an attachment whose game is gone, for whatever reason.
    mutating func abandonAttachment(_ id: RequestID, now: Moment) {
        guard let attachment = games.attachments[id] else { return }
        games.set(nil as Attachment?, for: id)
        guard let profile = attachment.profile else { return }
        gameEnded(profile, attachment.readAfter, now: now)
    }

    /// Tells games about changes, once until they ask for it; and at once about what they only show.
    mutating func tickAttachments(now: Moment) {
        for (id, former) in games.attachments.sorted(by: { $0.key < $1.key }) {
            var attachment = former
            if let time = attachment.quietUntil, time <= now.monotonic { attachment.quietUntil = nil }
            if !attachment.isChangeTold, attachment.quietUntil == nil, hasChange(&attachment) {
                attachment.isChangeTold = true
                tell(Call<AttachRequest>(id), .changed)
            }
            if standing(of: attachment) != attachment.reported {
                tell(Call<AttachRequest>(id), .status(report: report(id, &attachment)))
            }
            games.set(attachment, for: id)
        }
    }

    // MARK: Parts

    private mutating func failUnknown(_ id: RequestID) {
        fail(id, .failed, "the agent knows no such game; it was started anew meanwhile")
    }

    private func hasChange(_ attachment: inout Attachment) -> Bool {
        if attachment.isBehind || nameConflict(of: attachment) != attachment.offered { return true }
        guard let former = attachment.profile else { return false }
        let profile = canonicalID(former)
        guard let held = engine.profiles[profile] else { return false }
        if engine.wantsProjection(profile), !paused.contains(profile) { return true }
        guard held.state.vector != attachment.counted else { return false }
        attachment.counted = held.state.vector
        return choices(of: profile) != attachment.choices
    }

    private mutating func write(_ profile: ProfileID, for attachment: inout Attachment, now: Moment) {
        for _ in 0..<Attachment.projectionTries {
            if differs(profile) { look(profile, now: now) }
            // The game itself waits for this, so it is not in the middle of replacing the file.
            guard engine.wantsProjection(profile) else { return }
            if case .bad? = engine.profiles[profile]?.file.status { return }
            switch engine.project(profile, tag: random.next(), like: firstFiles.form(of: profile), now: now) {
            case .nothingToDo: return
            case .written:
                firstFiles.end(profile)
                attachment.pulledAt = now.monotonic
                watches.written(profile)
                return games.fileMoved(profile, in: engine.profiles)
            case .fileChanged: continue
            case .postponed:
                attachment.quietUntil = now.monotonic + FileWatches.retryInterval
                return log(
                    .warning, "the merged state cannot be written", ["why": engine.profiles[profile]?.trouble ?? ""])
            }
        }
        attachment.quietUntil = now.monotonic + FileWatches.retryInterval
    }

    // MARK: Reports

    private func standing(of attachment: Attachment) -> Attachment.Standing {
        var standing = Attachment.Standing(trouble: recordTrouble)
        if let nameConflict = nameConflict(of: attachment) {
            standing.offer = engine.profiles[nameConflict]?.state.vector
        }
        guard let former = attachment.profile else { return standing }
        let profile = canonicalID(former)
        (standing.isPaused, standing.lastSync) = (paused.contains(profile), syncTimes[profile])
        if recordTrouble == nil, !standing.isPaused { standing.trouble = self.standing(of: profile).reason }
        return standing
    }

    /// The present state, without the history steps.
    private func report(_ id: RequestID, _ attachment: inout Attachment) -> AttachmentReport {
        let standing = standing(of: attachment)
        attachment.reported = standing
        attachment.reports += 1
        var result = AttachmentReport(
            attachment: Int(truncatingIfNeeded: id.rawValue), number: attachment.reports, device: settings.deviceName,
            rulesTrouble: attachment.rulesTrouble, isPaused: standing.isPaused,
            lastSync: standing.lastSync?.milliseconds,
            trouble: standing.trouble, choices: attachment.choices, steps: [])
        if let profile = attachment.profile { result.profile = canonicalID(profile).description }
        if let nameConflict = nameConflict(of: attachment) { result.offer = summaryReport(nameConflict) }
        return result
    }

    /// The history steps after `told`, without saves on this device.
    private func steps(of attachment: Attachment, since told: Int64) -> [HistoryReport] {
        guard let former = attachment.profile else { return [] }
        let profile = canonicalID(former)
        guard let steps = try? engine.history(profile, limit: Attachment.stepLimit) else { return [] }
        var reports: [HistoryReport] = []
        for step in steps where step.number > told && step.entry.origin != .save {
            if let report = historyReport(step) { reports.append(report) }
        }
        return reports
    }
}
