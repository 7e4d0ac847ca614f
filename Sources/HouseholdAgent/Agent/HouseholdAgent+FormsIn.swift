import MergeCore
import ProfileKeeping
import SyncProtocol

/// The first file of a profile on this device is written as its game writes it, where a connected device can tell.
///
/// The record holds the values of a save, and not the order of its members, its white space or how its numbers are
/// spelled. So a device that has a file is asked for its text, one device after the other, for a bounded time. Nothing
/// of the text but its form gets into the file (``SaveForm``), so it matters little who sent it, or how old it is.
extension HouseholdAgent {
    /// Whether a profile's first file waits for its form. Begins to ask for it where nobody was asked yet.
    mutating func awaitsForm(_ id: ProfileID, patience: Int64 = FirstFile.patience, now: Int64) -> Bool {
        guard keeper.wantsFirstFile(id) else {
            firstFiles[id] = nil
            return false
        }
        if var file = firstFiles[id] {
            file.until = min(file.until, now + patience)
            firstFiles[id] = file
        } else {
            firstFiles[id] = FirstFile(now: now, patience: patience)
            askNextForForm(id, now: now)
        }
        return isAskingForForm(id)
    }

    /// Whether devices are being asked for the form of a profile.
    func isAskingForForm(_ id: ProfileID) -> Bool { firstFiles[id]?.isOver == false }

    /// What the first file of a profile is to look like, where anybody knew.
    func form(of id: ProfileID) -> [UInt8]? {
        guard let file = firstFiles[id], file.isOver, !file.text.isEmpty else { return nil }
        return file.text
    }

    mutating func tickFirstFiles(now: Int64) {
        for id in firstFiles.keys.sorted() {
            guard keeper.wantsFirstFile(id), !paused.contains(id) else {
                firstFiles[id] = nil
                continue
            }
            guard var file = firstFiles[id], !file.isOver else { continue }
            if let asked = file.asked {
                let isLate = min(file.next, file.until) <= now
                guard isLate || links[asked.connection] == nil else { continue }
                links[asked.connection]?.forms.isGivenUp = true
                file.giveUpOnDevice()
            }
            file.isOver = file.until <= now
            firstFiles[id] = file
            askNextForForm(id, now: now)
        }
    }

    /// Asks the next device: one that has all that is known here, if there is one. Where nobody is left, that is that.
    private mutating func askNextForForm(_ id: ProfileID, now: Int64) {
        guard var file = firstFiles[id], !file.isOver, file.asked == nil, let held = keeper.profiles[id] else { return }
        var chosen: (id: ConnectionID, live: LiveLink, isAhead: Bool)?
        var isOneBusy = false
        var isOneComing = port != nil && dials.values.contains(.sync)
        for (connection, live) in links.sorted(by: { $0.key < $1.key }) where !file.tried.contains(live.peerKey.id) {
            guard live.isUp else {
                isOneComing = true
                continue
            }
            guard live.link.peerHasForms, !live.forms.isGivenUp else { continue }
            guard !live.link.isAskingForForm else {
                isOneBusy = true
                continue
            }
            let isAhead = live.link.peerVector(id).covers(held.state.vector)
            if chosen == nil || (isAhead && chosen?.isAhead == false) { chosen = (connection, live, isAhead) }
        }
        let contactUntil = file.began + FirstFile.contact
        if let chosen {
            file.asked = (chosen.id, chosen.live.peerKey.id)
            file.next = now + FirstFile.silence
        } else if isOneBusy {
            file.next = file.until
        } else if isOneComing, now < contactUntil {
            file.next = contactUntil
        } else {
            file.isOver = true
        }
        firstFiles[id] = file
        guard let chosen else { return }
        perform(chosen.live.link.askForForm(of: id, from: 0, size: nil), on: chosen.id, now: now)
    }

    /// A part of a form came.
    mutating func formCame(
        _ question: FormQuestion, _ answer: FormAnswer, _ live: LiveLink, on connection: ConnectionID, now: Int64
    ) {
        live.forms.isGivenUp = false
        let id = question.profile
        guard var file = firstFiles[id], file.asked?.connection == connection, question.offset == file.text.count else {
            return
        }
        file.text += answer.content
        file.size = answer.size
        file.next = now + FirstFile.silence
        if file.text.count < answer.size {
            firstFiles[id] = file
            let more = live.link.askForForm(of: id, from: file.text.count, size: answer.size)
            return perform(more, on: connection, now: now)
        }
        if answer.size > 0, keeper.firstFile(id, like: file.text) != nil {
            (file.asked, file.isOver) = (nil, true)
        } else {
            if answer.size > 0 {
                log(
                    .warning, "a device's save is of no use as the form of a first file",
                    ["device": name(of: live.peerKey), "profile": keeper.profiles[id]?.name ?? ""])
            }
            file.giveUpOnDevice()
        }
        firstFiles[id] = file
        askNextForForm(id, now: now)
    }

    // MARK: Requests

    /// Answers a request now, or once the profile's first file is written.
    mutating func answer(_ id: RequestID, with request: AwaitedFile.Request, of profile: ProfileID, now: Int64) {
        awaitedFiles[id] = AwaitedFile(profile: profile, request: request)
        if !isAskingForForm(profile) { answerAwaited(id, now: now) }
    }

    /// Requests whose file is written by now, or will not be.
    mutating func tickAwaitedFiles(now: Int64) {
        for (id, awaited) in awaitedFiles.sorted(by: { $0.key < $1.key }) where !isAskingForForm(awaited.profile) {
            answerAwaited(id, now: now)
        }
    }

    private mutating func answerAwaited(_ id: RequestID, now: Int64) {
        guard let awaited = awaitedFiles.removeValue(forKey: id) else { return }
        let profile = survivor(awaited.profile)
        let trouble = keeper.profiles[profile]?.trouble
        switch awaited.request {
        case .restore(let note):
            if let trouble { return reply(id, .failure(.failed, trouble)) }
            reply(id, .profile(report(profile), note: note))
        case .importing(var report):
            if let trouble { return reply(id, .failure(.failed, "the import is done, but \(trouble)")) }
            report.id = profile.description
            report.file = keeper.profiles[profile]?.file
            reply(id, .imported(report))
        case .bring(let attachment, let hurry): bring(id, attachment, hurry: hurry, now: now)
        }
    }
}
