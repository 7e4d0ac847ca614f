import MergeCore
import ProfileKeeping
import SyncProtocol

/// Forms of saves: connects the links with ``FirstFiles``, which asks for forms, and ``FormSender``, which sends them.
extension HouseholdAgent {
    /// Whether a profile's first file waits for its form. Starts to ask for the form if that was not done yet.
    mutating func awaitsForm(_ id: ProfileID, patience: Duration = FirstFiles.patience, now: Moment) -> Bool {
        guard engine.wantsFirstFile(id) else {
            firstFiles.end(id)
            return false
        }
        if firstFiles.begin(id, patience: patience, now: now.monotonic) { askNextForForm(id, now: now) }
        return firstFiles.isAsking(id)
    }

    mutating func tickFirstFiles(now: Moment) {
        for id in firstFiles.profiles where !manyRestores.isAsking(id) {
            if !engine.wantsFirstFile(id) || paused.contains(id) { firstFiles.end(id) }
        }
        let links = links
        for id in firstFiles.tick(isOpen: { links[$0] != nil }, now: now.monotonic) { askNextForForm(id, now: now) }
    }

    mutating func askNextForForm(_ id: ProfileID, now: Moment) {
        guard let held = engine.profiles[id] else { return }
        let peers = links.all.map { connection, live in
            FirstFiles.Peer(
                connection: connection, device: live.peerKey.id, isUp: live.isUp, hasForms: live.link.peerHasForms,
                isBusy: live.link.isAskingForForm, isAhead: live.link.peerVector(id).covers(held.vector))
        }
        let soon = now.monotonic + FirstFiles.contact
        let mayLink = port != nil && plan.mayLink(until: soon, connected: links.connectedKeys)
        guard let question = firstFiles.askNext(id, of: peers, mayLink: mayLink, now: now.monotonic) else { return }
        ask(question, now: now)
    }

    private mutating func ask(_ question: FirstFiles.Question, now: Moment) {
        tell(question.connection, now: now) {
            $0.askForForm(of: question.profile, from: question.offset, size: question.size)
        }
    }

    /// Takes a part of a form that has arrived.
    mutating func formCame(_ question: FormQuestion, _ answer: FormAnswer, on id: ConnectionID, now: Moment) {
        let profile = question.profile
        switch firstFiles.came(question, answer, on: id, now: now.monotonic) {
        case .unasked: return
        case .more(let question): return ask(question, now: now)
        case .none: break
        case .whole(let text):
            // Of many saves, that is found out once the next question is on its way.
            if manyRestores.isAsking(profile) { return manyRestores.came(text, of: profile) }
            let isOfUse = engine.makeFirstFile(profile, like: text)
            firstFiles.judged(profile, isOfUse: isOfUse)
            if isOfUse { break }
            log(
                .warning, "a device's save is of no use as the form of a first file",
                [
                    "device": links[id].map { name(of: $0.peerKey) } ?? "",
                    "profile": engine.profiles[profile]?.name ?? "",
                ])
        }
        askNextForForm(profile, now: now)
    }

    /// Finds out whether the forms that came for many saves are of use, and makes what their files are to hold.
    mutating func takeFormsOfMany(now: Moment) {
        for (profile, text) in manyRestores.takeTexts() {
            let form = engine.newFileForm(of: profile, like: text)
            if let form { manyRestores.made(form, of: profile) }
            firstFiles.judged(profile, isOfUse: form != nil)
            if form == nil { askNextForForm(profile, now: now) }
        }
    }

    mutating func tickFormsOut(now: Moment) {
        let engine = engine
        for (id, answer) in formSender.tick(now: now.monotonic, form: { engine.form($0) }) {
            tell(id, now: now) { $0.answerForm(answer) }
        }
    }
}
