package import LosslessJSON
package import MergeCore

/// An act of the player that is more than an edit of the save.
package enum PlayerAct: Sendable {
    /// A part of the profile starts over: from nothing, or from the content of a document. If a save was taken for a
    /// loss, its document as the start says that the save was meant.
    case reset(PathSelector, scope: String? = nil, to: JSONDocument? = nil)
    /// A former document is put back.
    case restore(JSONDocument)
    /// A step of the history is taken back at the places that still show the step's values; with `force`, at all its
    /// places.
    case undo(HistoryEntry, force: Bool)
    /// An open choice is decided.
    case decide(DocumentPath, JSONValue)
    /// The counter amounts that a save left open are counted. `isRead` says whether the game had read the changes of
    /// other devices.
    case settle(SaveQuestion, isRead: Bool)
    /// Amounts that this device and another one have each saved are counted once.
    case countOnce(SaveQuestion)
}

/// Acts of the player. Each is sent to every device.
extension ProfileEngine {
    /// The changes that an act would make to what the profile shows. Changes nothing.
    package func preview(_ act: PlayerAct, on id: ProfileID, now: Moment) throws(AdoptFault) -> HistoryEntry {
        guard let former = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        var profile = former
        let written = try plan(act, &profile, now: now)
        return profile.state.history(
            since: former.state, touching: written.atoms.map(\.key), at: now.wall, as: act.origin)
    }

    /// Performs an act. It is durable when this returns, and a backup is made before.
    package mutating func perform(_ act: PlayerAct, on id: ProfileID, now: Moment) throws(AdoptFault) {
        guard var profile = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        let written = try plan(act, &profile, now: now)
        profile.file.compareAll()
        if case .settle = act { profile.notices.purse = nil }
        if case .countOnce = act { profile.notices.savedTwice = nil }
        if act.endsQuestions { profile.notices = profile.notices.settled(isAccepted: act.isAnswer) }
        do {
            var raised: BaseHistory.Change?
            if let newest = profile.baseHistory.newest {
                try keepBackup(newest.bytes, of: &profile, now: now.wall)
                // The game has this content in memory and goes on from it. So the snapshot counts as one that shows the
                // whole state, also while the file cannot be written.
                if newest.kind == .game, case .restore(let document) = act, Bytes.equal(document.bytes, newest.bytes) {
                    raised = profile.baseHistory.raiseNewest(to: profile.state.vector)
                }
            }
            try commit(&profile, atoms: written.atoms, as: act.origin, at: now.wall, baseHistory: raised)
            // A whole file that is no JSON may be what its game goes on from, so it stays unless the act is about all of
            // the save.
            try quarantineFile(of: id, onlyUnfinished: !act.isAboutAll)
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// Starts a part of a profile over.
    package mutating func reset(
        _ id: ProfileID, _ selector: PathSelector, scope: String? = nil, to document: JSONDocument? = nil, now: Moment
    ) throws(AdoptFault) {
        try perform(.reset(selector, scope: scope, to: document), on: id, now: now)
    }

    /// Puts a former document back. A document of an earlier version is upcast.
    package mutating func restore(_ id: ProfileID, _ document: JSONDocument, now: Moment) throws(AdoptFault) {
        try perform(.restore(document), on: id, now: now)
    }

    /// Writes an act into the profile's state in memory only.
    private func plan(_ act: PlayerAct, _ profile: inout KeptProfile, now: Moment) throws(AdoptFault) -> WriteResult {
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        var start: JSONDocument?
        if case .reset(_, _, let document?) = act { start = try current(document, profile.state.rules) }
        if case .restore(let document) = act { start = try current(document, profile.state.rules) }
        do throws(EpochError) {
            switch act {
            case .reset(let selector, let scope, _):
                return try profile.state.reset(selector, scope: scope, to: start, context)
            case .restore(let document): return try profile.state.restore(start ?? document, context)
            case .decide(let path, let value): return profile.state.decide(path, value, context)
            case .settle(let question, let isRead): return try settle(question, isRead, &profile, context)
            case .countOnce(let question):
                guard case .savedTwice(let amounts) = question.reason else {
                    throw EpochError("the question is about no amounts; accept the save, or keep what you had")
                }
                let former = profile.state
                return profile.state.countOnce(
                    amounts.filter { former.countsTwice($0, since: question.vector) }, context)
            case .undo(let entry, let force):
                let former = profile.state
                let written = try profile.state.undo(entry, force: force, context)
                guard !written.atoms.isEmpty else {
                    throw EpochError(
                        force
                            ? "everything that it changed shows already what it showed before"
                            : "nothing of it still shows what it left, so there is nothing to take back; --force takes it "
                                + "back all the same")
                }
                // Empty must never win over data: an act cannot go back to before the profile began.
                guard profile.state.showsSomething || !former.showsSomething else {
                    throw EpochError("without it nothing would be left of \(profile.name)")
                }
                return written
            }
        } catch {
            throw AdoptFault(error.description)
        }
    }

    /// Counts the amounts that a save left open, if there was no reset since.
    private func settle(
        _ question: SaveQuestion, _ isRead: Bool, _ profile: inout KeptProfile, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        guard case .purse(let amounts) = question.reason else {
            throw EpochError("the question is about no amounts; accept the save, or keep what you had")
        }
        var context = context
        context.base = question.vector
        let save = profile.baseHistory.candidates.last { $0.kind == .game }.flatMap { profile.document($0) }
        var written = profile.state.settle(
            amounts.map { (path: $0.path, rule: $0.rule, amount: isRead ? $0.ifRead : $0.ifUnread) },
            of: save?.current(profile.state.rules) ?? save, context)
        guard written.overridden.isEmpty else {
            throw EpochError("the place was reset or restored since, so nothing of it counts; keep what you have now")
        }
        if isRead {
            let rules = profile.state.rules
            let changes = question.choices.map { choice in
                LeafChange(
                    path: choice.path, rule: rules.rule(for: choice.path),
                    change: .value(old: choice.read, new: choice.saved))
            }
            written.add(profile.state.confirm(changes, context))
        }
        // An amount that comes to zero is an answer as well.
        guard amounts.contains(where: { profile.state.showsAmount($0.path, $0.rule) }) else {
            throw EpochError("what was asked about was removed since, so nothing of it counts; keep what you have now")
        }
        return written
    }

    /// The reason why no answer to a question about a purse (open counter amounts) can count any more; `nil` if an
    /// answer can count, or if there is no such question.
    package func whyNoAnswerCounts(_ id: ProfileID) -> String? {
        guard let profile = profiles[id], let question = profile.notices.purse else { return nil }
        var reason: String?
        for isRead in [true, false] {
            var copy = profile
            let context = context(copy, now: question.time, fileTime: question.time, base: copy.state.vector)
            do throws(EpochError) {
                _ = try settle(question, isRead, &copy, context)
                return nil
            } catch {
                reason = error.description
            }
        }
        return reason
    }

    /// The document upcast to the version of the rules; throws where it cannot be used.
    private func current(_ document: JSONDocument, _ rules: RuleSet) throws(AdoptFault) -> JSONDocument {
        if case .refused(let why, _) = VersionStatus(document, rules) {
            throw AdoptFault("what is to be put back \(why)")
        }
        return document.current(rules) ?? document
    }
}

extension PlayerAct {
    fileprivate var origin: HistoryEntry.Origin {
        switch self {
        case .reset: .reset
        case .restore: .restore
        case .undo: .undo
        case .decide, .settle, .countOnce: .decision
        }
    }

    /// Whether the act answers all questions and remarks about saves. The answer about a purse answers only that
    /// question. Remarks about a former save that was guessed or set aside stay.
    fileprivate var endsQuestions: Bool {
        switch self {
        case .reset(let selector, _, let document): document != nil || selector == .everything
        case .restore: true
        case .undo, .decide, .settle, .countOnce: false
        }
    }

    /// Whether the act is about the whole save, or about all that the rules let start over.
    fileprivate var isAboutAll: Bool {
        if case .reset(_, nil, _) = self { true } else { endsQuestions }
    }

    /// Whether the act says that the player meant a save that was taken for a loss.
    fileprivate var isAnswer: Bool {
        if case .reset(_, _, .some) = self { true } else { false }
    }
}
