import LosslessJSON
import MergeCore
import ProfileKeeping

/// The answer to a question about a save that lets the save count.
extension HouseholdAgent {
    /// Plans to accept the last save of the game: every device goes on from it, though it holds less than before. If
    /// the question is about amounts of a purse, they are counted as the player says.
    mutating func planAccept(_ id: RequestID, _ name: String, apart: Bool, now: Moment) -> PlannedAct? {
        guard let profile = one(named: name, for: id) else { return nil }
        if differs(profile) { look(profile, now: now) }
        guard let held = engine.profiles[profile] else { return nil }
        if let why = held.file.status.complaint {
            fail(id, .failed, why)
            return nil
        }
        if let question = held.notices.question, case .purse = question.reason {
            return PlannedAct(profile: profile, act: .settle(question, isRead: !apart))
        }
        if !apart, let question = held.notices.question, case .savedTwice = question.reason {
            return PlannedAct(profile: profile, act: .countOnce(question))
        }
        guard !apart else {
            let why = "no amounts of \(held.name) are asked about; leave --apart out to accept its last save"
            fail(id, .usage, why)
            return nil
        }
        // Without a question, accepting would reset the household to the last save of this device, whatever it
        // holds.
        guard let question = held.notices.question else {
            fail(id, .failed, nothingAsked(held))
            return nil
        }
        // The game has saved again since, and that save counts already.
        if question.isOvertaken {
            fail(id, .failed, question.sentence(engine.word(profile)))
            return nil
        }
        guard let document = lastSave(of: held) else {
            let why = "no game has saved \(held.name) on this device yet, so there is nothing to accept"
            fail(id, .failed, why)
            return nil
        }
        // A restore, not a reset: a restore removes what the save does not hold. A reset would start it from nothing
        // (a counter from 0).
        let isPlay = question.reason == .heldLess(.takenBack)
        let wanted = isPlay ? withPlayOfOthers(document, held, now: now) ?? document : document
        return PlannedAct(profile: profile, act: .restore(wanted))
    }

    /// A save that goes on from what was taken back, with what other machines have played since it was asked about: the
    /// difference between what the file showed then and what it shows now. `nil` where there is nothing of the kind, or where
    /// it is no play.
    private func withPlayOfOthers(_ save: JSONDocument, _ held: KeptProfile, now: Moment) -> JSONDocument? {
        let snapshots = held.baseHistory.candidates
        guard let last = snapshots.lastIndex(where: { $0.kind == .game }), snapshots.count > last + 2,
            let then = try? JSONDocument(parsing: snapshots[last + 1].bytes),
            let shown = try? JSONDocument(parsing: snapshots[snapshots.count - 1].bytes),
            !DocumentDiff(from: then, to: shown, rules: held.state.rules).changes.isEmpty,
            let merge = try? ThreeWayMerge(
                a: .init(save, time: now.wall), b: .init(shown, time: 0), base: .init(then, time: 0),
                rules: held.state.rules),
            merge.questions.isEmpty
        else { return nil }
        return try? JSONDocument(parsing: merge.bytes)
    }

    /// Names the open question of a profile, for an answer to say which one it is for; 0 where none is open. Once the game
    /// has gone on from what the file shows it is another one: its answers are about another save.
    func questionMark(_ held: KeptProfile) -> Int64 {
        guard let question = held.notices.question else { return 0 }
        return question.isFollowed ? -question.time.milliseconds : question.time.milliseconds
    }

    /// Whether a question that the player was shown is still the one that is asked; otherwise the request is refused. The
    /// game may have saved again while the player read.
    mutating func stillAsks(_ question: Int64?, _ name: String, for call: RequestID, _ verb: String) -> Bool {
        guard let question, let profile = one(named: name, for: call), let held = engine.profiles[profile] else {
            return question == nil
        }
        if questionMark(held) == question { return true }
        let command = "hearth \(verb) \(engine.word(profile))"
        fail(call, .failed, "something else is asked about \(held.name) by now; look at it again with: \(command)")
        return false
    }

    /// The sentence that no save waits for an answer, and what to do instead.
    private func nothingAsked(_ held: KeptProfile) -> String {
        let name = engine.word(held.id)
        let nothing = "nothing is asked about the saves of \(held.name), so there is nothing to accept"
        if !held.state.openChoices.isEmpty { return "\(nothing); a choice waits for you: hearth conflicts \(name)" }
        let trouble = otherTrouble(held.id)
        if !trouble.isEmpty { return nothing + trouble }
        return "\(nothing); to start over on every machine: hearth reset \(name); "
            + "to go back to an earlier state: hearth backups \(name)"
    }

    /// The end of a sentence that says that nothing is asked: what needs the player instead, with what to do, such as a
    /// file that cannot be read; empty where nothing does.
    func otherTrouble(_ id: ProfileID) -> String {
        guard let obstacle = obstacle(id), obstacle.kind != .passing else { return "" }
        return "; what needs you is this: \(obstacle.words)"
    }

    /// The last save of a profile's game; `nil` where none has saved here.
    func lastSave(of held: KeptProfile) -> JSONDocument? {
        let save = held.baseHistory.candidates.last { $0.kind == .game }
        return save.flatMap { try? JSONDocument(parsing: $0.bytes) }
    }
}
