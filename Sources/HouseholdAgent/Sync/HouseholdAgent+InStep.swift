import MergeCore
import ProfileKeeping
import SyncProtocol

/// An obstacle: the reason why a profile's file on this device does not show what the household has.
struct FileObstacle {
    enum Kind {
        /// The obstacle may be over in a moment.
        case passing
        /// A person must act before it is over (for example update a game).
        case lasting
        /// The player has to decide something before it is over.
        case decision
    }

    var kind: Kind
    /// The name of the profile.
    var profile: String
    /// The fault, its place and the remedy, without the profile's name.
    var words: String

    /// What is wrong, where, and what to do.
    var sentence: String { "\(profile): \(words)" }
}

/// Whether profiles are in step: whether files hold the same on this device and on the others.
extension HouseholdAgent {
    /// Whether this device's file does not show all that the device covers, or something that its game wrote waits for the
    /// player's answer. So does a file that would be this profile's, if the player says so. The other devices are told this.
    func isFileBehind(_ id: ProfileID) -> Bool {
        guard let held = engine.profiles[id] else { return false }
        guard held.file.path != nil else { return engine.profiles.isAskedFor(id) }
        if paused.contains(id) || held.file.status != .good || held.waitsForOthers || held.rulesHeld != nil {
            return true
        }
        if held.isHeld || held.trouble != nil || held.notices.keepsFileBehind { return true }
        if watches.failedLook(id) != nil { return true }
        if !engine.unread(id).isEmpty { return true }
        // After a start every file is looked at, and then its state is known. Until then the file does not count as
        // behind, so that there is no false alarm.
        return engine.fileLags(id, whereUnknown: !watches.isSettled(id) ? false : nil)
    }

    /// The open decisions of a profile for the player: one sentence each, with what to do.
    func decisions(_ id: ProfileID) -> [String] {
        guard let held = engine.profiles[id], isAskedAbout(held) else { return [] }
        var sentences: [String] = []
        if let question = held.notices.question {
            sentences.append(sentence(of: question, id))
            if held.notices.questions.count > 1 {
                sentences.append("when that is answered, another question about the saves of \(held.name) waits")
            }
        }
        let choices = held.openChoices
        if choices > 0 {
            let what = choices == 1 ? "a choice waits" : "\(choices) choices wait"
            sentences.append(
                "\(what) for you; until then each device keeps its own: hearth conflicts \(engine.word(id))")
        }
        if let kept = engine.profiles.askedTarget(of: id) { sentences.append(question(joining: id, into: kept)) }
        for (_, subscription) in games.subscriptions.sorted(by: { $0.key < $1.key })
        where nameConflict(of: subscription) == id {
            sentences.append(
                "\(subscription.game) asks whether this progress of the other devices shall come into "
                    + "\(subscription.path); answer it there")
        }
        return sentences
    }

    /// Whether anything of a profile can need the player: it has not become one with another one, and is not forgotten.
    private func isAskedAbout(_ held: KeptProfile) -> Bool {
        engine.profiles.target(of: held.id) == nil && !held.isForgotten
    }

    /// A question with its answers. An answer that would be refused is left out.
    private func sentence(of question: SaveQuestion, _ id: ProfileID) -> String {
        if case .purse = question.reason, let reason = engine.whyNoAnswerCounts(id) {
            return "\(reason): hearth keep \(engine.word(id))"
        }
        return question.sentence(engine.word(id))
    }

    /// The reason why this device's file does not show what the household has; `nil` if there is none, or if its
    /// running game holds the file.
    func obstacle(_ id: ProfileID) -> FileObstacle? {
        guard let held = engine.profiles[id], isAskedAbout(held) else { return nil }
        if let decision = decisions(id).first {
            return FileObstacle(kind: .decision, profile: held.name, words: decision)
        }
        guard held.file.path != nil, !paused.contains(id) else { return nil }
        if let lacking = leftOutSentences(id).first {
            return FileObstacle(kind: .lasting, profile: held.name, words: lacking)
        }
        if let reason = fileState(of: id).reason {
            let isPassing =
                switch held.file.status {
                case .missing, .quarantined: true
                case .good: held.rulesHeld == nil && !held.isHeld
                case .behind, .bad: false
                }
            return FileObstacle(kind: isPassing ? .passing : .lasting, profile: held.name, words: reason)
        }
        if let why = watches.failedLook(id) {
            let words = "what its game saved is not taken up: \(why)"
            return FileObstacle(kind: .lasting, profile: held.name, words: words)
        }
        if !watches.isSettled(id) {
            return FileObstacle(kind: .passing, profile: held.name, words: "its file is just being written by its game")
        }
        if holder(of: id) == nil, engine.fileLags(id) {
            return FileObstacle(kind: .passing, profile: held.name, words: "what came in is not in its file yet")
        }
        guard let unread = UnreadWords.sentence(engine.unread(id).map(\.description)) else { return nil }
        return FileObstacle(kind: .lasting, profile: held.name, words: unread)
    }

    /// The changes that are written only after a game ends: one sentence for each profile.
    func heldBack(_ profiles: [ProfileID]) -> [String] {
        var sentences: [String] = []
        for id in profiles {
            guard let game = holder(of: id), engine.fileLags(id), let held = engine.profiles[id] else { continue }
            sentences.append("what came in is written into \(held.name) when \(game) ends")
        }
        return sentences
    }

    /// The devices that are in step with these profiles, those whose files do not show everything yet, and those that
    /// lack something. The files of this device are not considered.
    ///
    /// - Parameter isAsked: Whether the devices were just pinged: a device that has not answered yet counts as behind.
    func syncReport(_ profiles: [ProfileID], isAsked: Bool = false) -> SyncReport {
        var report = SyncReport(inStep: [], behind: [])
        for member in otherMembers {
            let name = name(of: member.id)
            switch progress(of: member, profiles, isAsked: isAsked) {
            case .inStep: report.inStep.append(name)
            case .fileBehind: report.filesBehind = (report.filesBehind ?? []) + [name]
            case .behind: report.behind.append(name)
            }
        }
        return report
    }

    /// The names of devices that are connected (also through others) and either lack some writes of a profile or have a
    /// file that does not show them.
    ///
    /// - Parameter reachable: ``reachableMembers``, which is found once for many profiles.
    func lagging(_ id: ProfileID, among reachable: [Roster.Member]) -> [String] {
        reachable.filter { progress(of: $0, [id]) != .inStep }.map { name(of: $0.id) }
    }

    /// Notes that a profile is in step with a linked device, if it is.
    mutating func noteInStep(_ profile: ProfileID, with live: LiveLink, now: Moment) {
        guard live.link.isSettled(profile), !hearsayChecks.differs(live.peerKey.id, in: profile) else { return }
        syncTimes.inStep(profile, at: now.wall)
    }

    func isSettled(_ profiles: [ProfileID], on live: LiveLink) -> Bool {
        profiles.allSatisfy { live.link.isSettled($0) && isLookedAt($0) }
    }

    /// Whether nothing is to be expected of this device's file for the moment: nobody is writing it, or what is wrong with it
    /// keeps this device from looking. What is wrong here is said of this device, and not of the others.
    func isLookedAt(_ id: ProfileID) -> Bool {
        watches.isSettled(id) || watches.failedLook(id) != nil || engine.profiles[id]?.trouble != nil
    }

    var otherMembers: [Roster.Member] {
        let me = household.roster.me
        return household.roster.members.filter { $0.key != me }
    }

    // MARK: Sync

    /// Answers the syncs that are finished, or that have waited long enough.
    mutating func tickSyncs(now: Moment) {
        for (id, var sync) in waiting.syncs.sorted(by: { $0.key < $1.key }) {
            if let time = sync.fileDeadline, time <= now.monotonic { sync.fileDeadline = nil }
            waiting.add(id, sync)
            let isOver = sync.deadline <= now.monotonic
            var report = syncReport(sync.profiles, isAsked: true)
            let waitsForFiles = report.filesBehind != nil && sync.fileDeadline != nil
            if !isOver, !report.behind.isEmpty || waitsForFiles { continue }
            let obstacles = sync.profiles.compactMap { obstacle($0) }
            if !isOver, obstacles.contains(where: { $0.kind == .passing }) { continue }
            waiting.end(id)
            if otherMembers.isEmpty {
                fail(id, .failed, Self.isAlone)
                continue
            }
            // "In step" is a statement about files, and the files here are not in step.
            if !obstacles.isEmpty { report.inStep = [] }
            report.troubles = Self.some(obstacles.filter { $0.kind != .decision }.map(\.sentence))
            report.decisions = Self.some(obstacles.filter { $0.kind == .decision }.map(\.sentence))
            report.held = Self.some(heldBack(sync.profiles))
            report.paused = Self.some(sync.paused.compactMap { engine.profiles[$0]?.name })
            answer(Call<SyncRequest>(id)) { [report] _ in report }
        }
    }

    static func some(_ sentences: [String]) -> [String]? { sentences.isEmpty ? nil : sentences }
}
